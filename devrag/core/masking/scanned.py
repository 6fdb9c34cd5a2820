"""A text made ready for scanning: bytes with one byte for each character."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

# First character and the one after the last.
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Scanned:
    """A text with its bytes. An index into one is an index into the others.

    raw: Latin-1, `?` for every other character. lower: the same in lower case.
    Searching a literal in bytes is ten times as fast as an expression over text, so
    that an expression is only tried where a literal was found.
    """

    text: str
    raw: bytes
    lower: bytes

    @classmethod
    def of(cls, text: str) -> Scanned:
        raw = text.encode("latin-1", "replace")
        return cls(text, raw, raw.lower())

    def places(self, word: bytes) -> Iterator[int]:
        """Yield where a word in lower case begins, whatever its case in the text."""
        lower = self.lower
        place = lower.find(word)
        while place >= 0:
            yield place
            place = lower.find(word, place + len(word))
