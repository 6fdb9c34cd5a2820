"""Which language model is in force: of the environment, else what the browser chose.

The environment and `.env` win, name by name. Provider and address go together: where
one of them is set there, both are. A key is used only for the provider and address that
it was stored with, so that nobody sends it elsewhere by changing the address.

The row is read again after a moment, so that a change reaches all processes.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from devrag.core.encryption import decrypt_secrets
from devrag.core.errors import ConfigurationError
from devrag.llm.prices import Price, read_prices
from devrag.llm.providers import DEFAULT_MODELS, Endpoint
from devrag.spending.models import LanguageModelSettings

log = structlog.get_logger("devrag.spending")
NO_MODEL = "structural"
# Column → the setting that goes first.
TEXTS = {
    "model": "LLM_MODEL",
    "check_model": "LLM_CHECK_MODEL",
    "ask_model": "ASK_MODEL",
}
CAPS = {
    "cap_per_run": "LLM_CAP_PER_RUN",
    "cap_per_month": "LLM_CAP_PER_MONTH",
    "ask_cap_per_day": "ASK_CAP_PER_DAY",
    "conflicts_cap_per_month": "CONFLICTS_CAP_PER_MONTH",
}
_CONNECTION = frozenset({"LLM_PROVIDER", "LLM_BASE_URL"})
_WINDOW_OF_PROVIDERS, _WINDOW_ELSEWHERE = 128_000, 32_768
_KNOWN_SECONDS = 2.0


class _Cache:
    """What was read last. until: when it is read again, by time.monotonic()."""

    row: LanguageModelSettings | None = None
    until = 0.0


def stored_settings() -> LanguageModelSettings | None:
    """Return what the browser chose, as it was a moment ago; None without anything.

    In an event loop what was read last is taken: who answers there reads in a thread
    first. Queries: 1 in two seconds.
    """
    if time.monotonic() >= _Cache.until and not _is_in_event_loop():
        try:
            remember_settings(LanguageModelSettings.objects.first())
        except (DatabaseError, InterfaceError) as error:
            if connection.in_atomic_block:
                raise  # the transaction is broken, whoever asks has to know
            log.warning("model settings unreadable", error=type(error).__name__)
    return _Cache.row


def remember_settings(
    row: LanguageModelSettings | None, seconds: float = _KNOWN_SECONDS
) -> None:
    """Take a row for what is stored, for some seconds."""
    _Cache.row, _Cache.until = row, time.monotonic() + seconds


def forget_settings() -> None:
    """Read the row anew at the next use in this process."""
    _Cache.until = 0.0


def is_set_by_environment(name: str) -> bool:
    """Return whether the environment or `.env` sets it, so that the browser cannot."""
    return name in settings.MODEL_SETTINGS_IN_ENVIRONMENT


def is_connection_fixed() -> bool:
    """Return whether the environment names the provider or its address."""
    return not _CONNECTION.isdisjoint(settings.MODEL_SETTINGS_IN_ENVIRONMENT)


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """What is in force, all of it read at once. row: what the browser chose, if any."""

    row: LanguageModelSettings | None

    @property
    def provider(self) -> str:
        """Who is asked; NO_MODEL where nobody is."""
        if self.row is None or is_connection_fixed():
            return str(settings.LLM_PROVIDER)
        return self.row.provider or str(settings.LLM_PROVIDER)

    @property
    def base_url(self) -> str:
        """The address of another server than the provider's own, else nothing."""
        if self.row is None or is_connection_fixed() or not self._is_of_provider:
            return str(settings.LLM_BASE_URL)
        return self.row.base_url

    @property
    def model(self) -> str:
        """The model that is asked, empty without one."""
        return self.text("model") or DEFAULT_MODELS.get(self.provider, "")

    def text(self, column: str) -> str:
        """Return the name of a model as it was set, empty for the default."""
        name = TEXTS[column]
        written = str(getattr(settings, name))
        if is_set_by_environment(name) or not self._is_of_provider:
            return written
        return str(getattr(self.row, column)) or written

    def cap(self, name: str) -> float:
        """Return a cap in dollars, by the name of its setting."""
        column = next(column for column, setting in CAPS.items() if setting == name)
        stored = getattr(self.row, column, None)
        if stored is None or is_set_by_environment(name):
            return float(getattr(settings, name))
        return float(stored)

    @property
    def window(self) -> int:
        """How many tokens the model reads and writes in a call together."""
        row = self.row
        if row is None or is_set_by_environment("LLM_WINDOW") or not self.is_as_stored:
            return int(settings.LLM_WINDOW)
        default = _WINDOW_ELSEWHERE if row.base_url else _WINDOW_OF_PROVIDERS
        return row.window or default

    @property
    def prices(self) -> Mapping[str, Price]:
        """The prices that were set, by the name of the model."""
        found: dict[str, Price] = {}
        if self.row is not None and self.row.price and self._is_of_provider:
            found = read_prices(f"{self.model}={self.row.price}")
        return {**found, **settings.LLM_PRICES}

    @property
    def environment_endpoint(self) -> Endpoint:
        """Where the model is, with the key of the environment if that has one for it.

        A key of the environment is for addresses of the environment alone.
        """
        who, address = self.provider, self.base_url
        if who == NO_MODEL:
            return Endpoint()
        is_of_browser = self.row is not None and not is_connection_fixed()
        if address and is_of_browser:
            return Endpoint(address, key_setting="LLM_API_KEY", is_stored=True)
        found = endpoint_of("LLM" if address else who)
        return replace(found, is_stored=is_of_browser and not found.key)

    @property
    def endpoint(self) -> Endpoint:
        """Where the model is, with its key: that of the environment goes first."""
        found = self.environment_endpoint
        if self.row is None or not self.is_key_used:
            return found
        return replace(found, key=_read_key(self.row), is_stored=True)

    @property
    def is_key_used(self) -> bool:
        """Whether there is a stored key for what is in force, and no other."""
        has_key = self.row is not None and self.row.key is not None
        return has_key and self.is_as_stored and not self.environment_endpoint.key

    @property
    def is_as_stored(self) -> bool:
        """Whether the provider and address in force are those of the row."""
        return self._is_of_provider and self.row.base_url == self.base_url  # type: ignore[union-attr]

    @property
    def _is_of_provider(self) -> bool:
        return self.row is not None and self.row.provider == self.provider


def current_settings() -> ModelSettings:
    """Return what is in force now. Queries: 1 in two seconds."""
    return ModelSettings(stored_settings())


def cap_of(name: str) -> float:
    """Return a cap in dollars, by the name of its setting."""
    return current_settings().cap(name)


def _read_key(row: LanguageModelSettings) -> str:
    """Return the stored key, empty where no key of CREDENTIALS_KEYS opens it."""
    try:
        return decrypt_secrets(row.key or b"")["key"]
    except ConfigurationError as error:
        log.warning("model key unreadable", error=error.message)
        return ""


def endpoint_of(name: str) -> Endpoint:
    """Return the endpoint that the settings of a provider, or those of LLM, name."""
    prefix = name.upper()
    return Endpoint(
        base_url=getattr(settings, f"{prefix}_BASE_URL", ""),
        key=getattr(settings, f"{prefix}_API_KEY"),
        key_setting=f"{prefix}_API_KEY",
        url_setting="OPENAI_BASE_URL" if prefix == "OPENAI" else "LLM_BASE_URL",
    )


def _is_in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
