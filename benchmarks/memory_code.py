"""Code in memory as the model's side of conflicts looks it up: names, and words.

The product asks its search instead of the words here; it finds more.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from devrag.wiki.conflicts.inputs import is_code_side
from devrag.wiki.conflicts.memory import MemoryFile
from devrag.wiki.conflicts.pieces import (
    CodePiece,
    Definition,
    definitions_meant,
    terms_of,
)

_WINDOW = 40
_MOST = 4


def _file(path: str) -> Definition:
    stem = path.rpartition("/")[2].partition(".")[0]
    return Definition(stem, path.partition(".")[0].replace("/", "."), path, 1, _WINDOW)


class MemoryCode:
    """A CodeLookup over parsed files."""

    def __init__(self, files: Mapping[str, MemoryFile]) -> None:
        self._lines = {
            path: file.text.split("\n")
            for path, file in files.items()
            if not file.kind and is_code_side(path, file.facts.kind)
        }
        self._known = [
            Definition(s.name, s.qualified_name, path, s.start_line, s.end_line)
            for path in self._lines
            for s in files[path].facts.symbols
            if s.scope != "local"
        ]
        self._known += [_file(path) for path in self._lines]
        self._places: dict[str, list[int]] = defaultdict(list)
        self._windows = list(self._cut())
        for at, window in enumerate(self._windows):
            for term in terms_of(window.text) | terms_of(window.path):
                self._places[term].append(at)

    def named(self, names: Sequence[str]) -> Iterator[CodePiece]:
        """Return definitions of names."""
        for found in definitions_meant(names, self._known):
            yield self._piece(found.path, found.start_line, found.end_line)

    def alike(self, text: str) -> Iterable[CodePiece]:
        """Return windows of code with the rarest of the words."""
        scores: dict[int, float] = defaultdict(float)
        for term in terms_of(text):
            places = self._places.get(term, [])
            for at in places:
                scores[at] += math.log(1 + len(self._windows) / len(places))
        return [
            self._windows[at]
            for at in sorted(scores, key=scores.__getitem__)[: -_MOST - 1 : -1]
        ]

    def _cut(self) -> Iterator[CodePiece]:
        for path, lines in self._lines.items():
            for first in range(1, len(lines) + 1, _WINDOW // 2):
                yield self._piece(path, first, first + _WINDOW - 1)

    def _piece(self, path: str, start: int, end: int) -> CodePiece:
        return CodePiece(path, start, "\n".join(self._lines[path][start - 1 : end]))
