"""What a language model's settings may be: addresses, names, keys, numbers."""

from __future__ import annotations

import ipaddress
import math
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext

from devrag.core.errors import InvalidInput, PermissionDenied, SourceError
from devrag.llm.prices import EXAMPLE, read_prices
from devrag.llm.providers import DEFAULT_MODELS
from devrag.sources.api import AddressRules, resolve_host
from devrag.spending.model_settings import CAPS, NO_MODEL

if TYPE_CHECKING:
    from devrag.use_cases.model_settings import ModelChoice

SMALLEST_WINDOW, LARGEST_WINDOW = 8_192, 10_000_000
MOST_DOLLARS = 1_000_000.0
_LONGEST_KEY, _LONGEST_URL, _LONGEST_NAME = 1_000, 500, 100
_PORTS = {"https": 443, "http": 80}


def check_choice(choice: ModelChoice) -> None:
    """Raise InvalidInput for what can be seen to be wrong without the network."""
    if choice.provider not in ("", NO_MODEL, *DEFAULT_MODELS):
        raise InvalidInput(
            gettext("Unknown provider %(name)s. Choose one of: %(known)s.")
            % {
                "name": repr(choice.provider[:40]),
                "known": ", ".join([NO_MODEL, *DEFAULT_MODELS]),
            }
        )
    for name in (choice.model, choice.check_model, choice.ask_model):
        _check_name(name)
    _check_key(choice.secret)
    _check_numbers(choice)
    if choice.base_url:
        _read_address(choice.base_url)


def check_address(url: str) -> None:
    """Raise InvalidInput where the address check refuses the host of a model's server.

    This machine and internal networks are allowed unless SOURCES_PUBLIC_ONLY is set;
    addresses of a cloud's own services never are. Plain http stays in one's own
    network. A host that is not found passes: the test says so.
    """
    if not url:
        return
    parts = _read_address(url)
    host = parts.hostname or ""
    rules = AddressRules(
        allow_http=True,
        public_only=settings.SOURCES_PUBLIC_ONLY,
        allow_loopback=not settings.SOURCES_PUBLIC_ONLY,
    )
    try:
        found = resolve_host(host, parts.port or _PORTS[parts.scheme], rules)
    except PermissionDenied as error:
        raise InvalidInput(
            gettext(
                "%(host)s resolves to an address that is not allowed. Use another "
                "server, or set LLM_BASE_URL in the environment."
            )
            % {"host": host}
        ) from error
    except SourceError:
        return
    is_public = any(ipaddress.ip_address(a.partition("%")[0]).is_global for a in found)
    if parts.scheme == "http" and is_public:
        raise InvalidInput(
            gettext("%(host)s is on the internet. Use https to protect the key.")
            % {"host": host}
        )


def _read_address(url: str) -> SplitResult:
    is_printable = url.isprintable() and " " not in url and "\\" not in url
    try:
        parts = urlsplit(url)
        is_usable = parts.scheme in _PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_usable = False
    if not (is_usable and is_printable and len(url) <= _LONGEST_URL):
        raise InvalidInput(
            gettext(
                "The base URL must have the form https://host/v1, with http or https."
            )
        )
    if parts.username is not None or "?" in url or "#" in url:
        raise InvalidInput(
            gettext(
                "The base URL must not contain a user name, ? or #. Enter the key in "
                "its own field."
            )
        )
    return parts


def _check_name(name: str) -> None:
    if len(name) > _LONGEST_NAME or not name.isprintable() or " " in name:
        raise InvalidInput(
            gettext("Model names can have up to 100 characters and no spaces.")
        )


def _check_key(secret: str) -> None:
    is_header_safe = secret.isascii() and secret.isprintable() and " " not in secret
    if secret and not (is_header_safe and len(secret) <= _LONGEST_KEY):
        raise InvalidInput(
            gettext(
                "This is not a valid API key: keys have up to 1000 letters, digits "
                "and symbols, and no spaces. Copy it again."
            )
        )


def _check_numbers(choice: ModelChoice) -> None:
    window = choice.window
    if window is not None and not SMALLEST_WINDOW <= window <= LARGEST_WINDOW:
        raise InvalidInput(
            gettext("The context window must be %(least)s to %(most)s tokens.")
            % {"least": f"{SMALLEST_WINDOW:,}", "most": f"{LARGEST_WINDOW:,}"}
        )
    for column in CAPS:
        cap = getattr(choice, column)
        if cap is not None and not (math.isfinite(cap) and 0 <= cap <= MOST_DOLLARS):
            raise InvalidInput(
                gettext("A limit must be an amount in dollars, 0 or more.")
            )
    if choice.price:
        try:
            is_one = len(read_prices(f"model={choice.price}")) == 1
        except ValueError:
            is_one = False
        if not is_one or len(choice.price) > 60:
            raise InvalidInput(
                gettext(
                    "The price must have the form %(example)s: input, cached "
                    "input, output."
                )
                % {"example": EXAMPLE.partition("=")[2]}
            )
