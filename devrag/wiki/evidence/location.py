"""Finds an excerpt again in a file that has changed: pure.

Lines are compared without their indentation, runs of blanks and empty lines, so that
a formatter or an added blank line moves an excerpt but does not change it. One that
stands several times in its file is known by the lines around it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from devrag.wiki.evidence.page_evidence import excerpt_of

_MOST_LINES_WITH_TWINS = 3


def normalised(excerpt: str) -> tuple[str, ...]:
    """Return the excerpt's words line by line, empty lines left out."""
    lines = (" ".join(line.split()) for line in excerpt.split("\n"))
    return tuple(line for line in lines if line)


def may_have_twins(excerpt: str) -> bool:
    """Return whether an excerpt is so short that its file may have it several times."""
    return len(normalised(excerpt)) <= _MOST_LINES_WITH_TWINS


class NormalisedLines:
    """A file's text, to look for excerpts in. text: with `\\n` line ends."""

    def __init__(self, text: str) -> None:
        self._text = text.split("\n")
        found = enumerate(self._text, start=1)
        words = ((number, " ".join(line.split())) for number, line in found)
        full = [(number, line) for number, line in words if line]
        self._numbers = [number for number, _ in full]
        self._lines = tuple(line for _, line in full)
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, line in enumerate(self._lines):
            self._places[line].append(place)

    def excerpt(self, start_line: int, end_line: int) -> str:
        """Return these lines as the excerpt of a claim."""
        return excerpt_of(self._text, start_line, end_line)

    def locate(
        self, excerpt: str, near: int, context: str = ""
    ) -> tuple[int, int] | None:
        """Return first and last line of the occurrence nearest to line `near`.

        context: the lines around it, where another occurrence is not meant.
        """
        wanted = normalised(excerpt)
        if not wanted:
            return None
        size = len(wanted)
        found = [
            (self._numbers[place], self._numbers[place + size - 1])
            for place in self._occurrences(wanted)
            if context in {"", self._around(place, size)}
        ]
        return min(found, key=lambda lines: abs(lines[0] - near), default=None)

    def context(self, excerpt: str, start_line: int) -> str:
        """Return the lines around an excerpt, '' where it stands but once."""
        wanted = normalised(excerpt)
        places = self._occurrences(wanted) if wanted else []
        if len(places) < 2:
            return ""
        place = min(places, key=lambda at: abs(self._numbers[at] - start_line))
        return self._around(place, len(wanted))

    def _occurrences(self, wanted: tuple[str, ...]) -> list[int]:
        size = len(wanted)
        return [
            place
            for place in self._places.get(wanted[0], ())
            if self._lines[place : place + size] == wanted
        ]

    def _around(self, place: int, size: int) -> str:
        before = self._lines[max(0, place - 1) : place]
        return "\n".join([*(before or [""]), *self._lines[place + size :][:1]])

    def runs(self, size: int) -> Iterator[tuple[tuple[int, int], tuple[str, ...]]]:
        """Yield each run of so many lines of words: its first and last line, and they.

        The words are as `normalised` has them.
        """
        for place in range(len(self._lines) - size + 1):
            end = place + size
            lines = self._numbers[place], self._numbers[end - 1]
            yield lines, self._lines[place:end]
