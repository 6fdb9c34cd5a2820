"""Where a remote model is, and what it takes; the key never shows itself."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An API's address and key, and the names of the settings that say so.

    base_url: empty for the provider's own. key: empty for servers that ask for none.
    """

    base_url: str = ""
    key: str = field(default="", repr=False)
    key_setting: str = ""
    url_setting: str = ""

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
