"""Where a remote model is, and what it takes; the key never shows itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from devrag.core.texts import gettext


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An API's address and key, and the names of the settings that say so.

    base_url: empty for the provider's own. key: empty for servers that ask for none.
    is_stored: the key, if any, is the one of Settings → Models.
    """

    base_url: str = ""
    key: str = field(default="", repr=False)
    key_setting: str = ""
    url_setting: str = ""
    is_stored: bool = False

    @property
    def key_name(self) -> str:
        """What to check when the key is refused, in a message."""
        of_browser = gettext("the key under Settings → Models")
        return of_browser if self.is_stored else self.key_setting

    @property
    def url_name(self) -> str:
        """What to check when the address leads nowhere, in a message."""
        return self.url_setting or gettext("the address under Settings → Models")

    @property
    def lacks_key(self) -> bool:
        """Whether the provider's own API would be asked without a key.

        A server at an address that was set may want none.
        """
        return bool(self.key_setting) and not (self.key or self.base_url)


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """How texts are sent. max_tokens: what the model reads, 0 = as far as is known."""

    batch_texts: int = 8
    batch_tokens: int = 16_000
    concurrency: int = 4
    timeout_seconds: float = 30.0
    query_timeout_seconds: float = 3.0
    max_tokens: int = 0
