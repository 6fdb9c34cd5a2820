"""Why a document has no text, in words for people."""

from __future__ import annotations


class Unusable(Exception):
    """The document cannot be read. reason: such as `encrypted Office document`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def broken(why: str) -> Unusable:
    """Return the error of a document that is not what its format says."""
    return Unusable(f"broken Office document ({why})")


ENCRYPTED = "encrypted Office document"
TOO_LARGE = "too large when unpacked"
