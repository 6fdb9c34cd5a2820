"""Who owns a conversation: a user, else a browser session or a token."""

from __future__ import annotations

from dataclasses import dataclass

from devrag.ask.models import Conversation
from devrag.core.hashing import sha256_hex
from devrag.core.principal import Principal


@dataclass(frozen=True, slots=True)
class Owner:
    """user_id: of a user; key: a hash of the session or token where there is none."""

    user_id: int | None
    key: str = ""

    @property
    def is_known(self) -> bool:
        """Whether anything could ever be found again by this owner."""
        return self.user_id is not None or bool(self.key)

    def owns(self, conversation: Conversation) -> bool:
        """Return whether a conversation is theirs."""
        if self.user_id is not None:
            return conversation.owner_id == self.user_id
        return bool(self.key) and conversation.owner_key == self.key


def owner_of(principal: Principal, secret: str = "") -> Owner:
    """Return who owns what a caller asks.

    secret: of the browser session or the token, for callers who are no user. Only its
    hash is kept.
    """
    if principal.user_id is not None:
        return Owner(principal.user_id)
    return Owner(None, sha256_hex(secret) if secret else "")
