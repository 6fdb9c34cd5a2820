"""The address of a space, as a browser shows it, taken apart. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit

from devrag.core.errors import InvalidInput
from devrag.core.texts import gettext
from devrag.sources.addresses import mask_login, parse_git_url
from devrag.sources.hosts import AddressRules

_IN_PATH = re.compile(
    r"(?P<base>(?:/[^/]+)*?)/(?:spaces|display)/(?P<key>[^/?#]+)(?:/.*)?"
)
_IN_QUERY = re.compile(
    r"(?P<base>(?:/[^/]+)*?)/(?:spaces|pages|collector)/[a-z]+\.action"
)
_KEY = re.compile(r"~?[A-Za-z0-9._@:-]{1,255}")
_CLOUD_HOSTS = (".atlassian.net", ".jira.com")
_GATEWAY = "api.atlassian.com"


@dataclass(frozen=True, slots=True)
class SpaceAddress:
    """A space. base_url: of the API and the pages, without a slash at its end."""

    base_url: str
    key: str
    is_cloud: bool


def parse_space_address(url: str, rules: AddressRules) -> SpaceAddress:
    """Return the space of an address; raises InvalidInput for what is none.

    Takes that of the space, of one of its pages, or of a list of its pages.
    """
    text = url.strip()
    if not text.lower().startswith(("https://", "http://")):
        raise _not_a_space(text)
    try:
        parts = urlsplit(text)
    except ValueError as error:
        raise _not_a_space(text) from error
    base, key = _base_and_key(parts.path, parts.query)
    key = unquote(key)
    if not _KEY.fullmatch(key):
        raise _not_a_space(text)
    # Scheme and host are such as sources may have, and no password is in it.
    parse_git_url(re.split(r"[?#]", text, maxsplit=1)[0], rules)
    host = (parts.hostname or "").lower()
    is_cloud = host.endswith(_CLOUD_HOSTS) or host == _GATEWAY
    if is_cloud and not base.endswith("/wiki"):
        base += "/wiki"
    return SpaceAddress(
        f"{parts.scheme.lower()}://{parts.netloc.lower()}{base}", key, is_cloud
    )


def space_url(url: str, rules: AddressRules) -> str:
    """Return the address of a space without the page that was looked at."""
    address = parse_space_address(url, rules)
    return f"{address.base_url}/display/{address.key}"


def is_cloud_space(url: str) -> bool:
    """Return whether an address can be nothing but a space of Confluence Cloud."""
    https, _, rest = url.lower().partition("://")
    host, _, path = rest.partition("/")
    return https == "https" and host.endswith(_CLOUD_HOSTS) and path.startswith("wiki/")


def _base_and_key(path: str, query: str) -> tuple[str, str]:
    asked = parse_qs(query)
    in_query = _IN_QUERY.fullmatch(path)
    if in_query:
        keys = asked.get("key") or asked.get("spaceKey") or [""]
        return in_query["base"], keys[0]
    in_path = _IN_PATH.fullmatch(path)
    return (in_path["base"], in_path["key"]) if in_path else ("", "")


def _not_a_space(url: str) -> InvalidInput:
    return InvalidInput(
        gettext(
            "%(url)s does not name a Confluence space. Open the space in the browser "
            "and copy its address: https://example.atlassian.net/wiki/spaces/KEY or "
            "https://wiki.example.com/display/KEY."
        )
        % {"url": repr(mask_login(url)[:200])}
    )
