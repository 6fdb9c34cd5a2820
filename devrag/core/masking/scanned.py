"""A text made ready for scanning: bytes with one byte for each character."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

# First character and the one after the last.
Span = tuple[int, int]

_SHORTEST = 20
_RUN = b"a" * _SHORTEST
_CLASSES = bytes(
    97 if chr(code).isascii() and (chr(code).isalnum() or chr(code) in "_-") else 32
    for code in range(256)
)


@dataclass(frozen=True, slots=True)
class Scanned:
    """A text with its bytes. An index into one is an index into the others.

    raw: Latin-1, `?` for every other character. lower: the same in lower case. runs:
    where 20 letters, digits, `_` and `-` or more follow one another.
    Searching a literal in bytes is ten times as fast as an expression over text, so
    that an expression is only tried where a literal was found.
    """

    text: str
    raw: bytes
    lower: bytes
    runs: tuple[Span, ...]

    @classmethod
    def of(cls, text: str) -> Scanned:
        raw = text.encode("latin-1", "replace")
        return cls(text, raw, raw.lower(), tuple(_runs(raw)))

    def places(self, word: bytes) -> Iterator[int]:
        """Yield where a word in lower case begins, whatever its case in the text."""
        lower = self.lower
        place = lower.find(word)
        while place >= 0:
            yield place
            place = lower.find(word, place + len(word))


def _runs(raw: bytes) -> Iterator[Span]:
    classes = raw.translate(_CLASSES)
    place = classes.find(_RUN)
    while place >= 0:
        end = classes.find(b" ", place)
        end = end if end >= 0 else len(classes)
        yield classes.rfind(b" ", 0, place) + 1, end
        place = classes.find(_RUN, end)
