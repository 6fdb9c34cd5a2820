"""Code in memory as the model's side of conflicts looks it up: names, and words.

The product asks its search instead of the words here; it finds more.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from devrag.wiki.conflicts.inputs import is_code_side
from devrag.wiki.conflicts.memory import MemoryFile
from devrag.wiki.conflicts.pieces import (
    CodePiece,
    Definition,
    definitions_meant,
    last_part,
    terms_of,
    words_of,
)

_WINDOW, _LONGEST = 40, 80
_MOST, _USES = 4, 2


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
        self._places: dict[str, list[tuple[int, int]]] = defaultdict(list)
        is_code = {p for p in self._lines if files[p].facts.kind == "code"}
        self._bodies = list(self._cut(is_code))
        for at, body in enumerate(self._bodies):
            for term, count in Counter(words_of(f"{body.path} {body.text}")).items():
                self._places[term].append((at, count))
        sizes = [len(body.text) for body in self._bodies]
        self._size = sum(sizes) / (len(sizes) or 1)

    def named(self, names: Sequence[str]) -> Iterator[CodePiece]:
        """Return definitions of names."""
        for found in definitions_meant(names, self._known):
            yield self._piece(found.path, found.start_line, found.end_line)

    def used(self, names: Sequence[str]) -> Iterator[CodePiece]:
        """Return the functions that have each name most often."""
        for name in names:
            word = re.compile(rf"\b{re.escape(last_part(name))}\b")
            counts: Counter[int] = Counter()
            for at, body in enumerate(self._bodies):
                if "\n" in body.text and "(" in body.text.split("\n", 1)[0]:
                    counts[at] = len(word.findall(body.text))
            best = counts.most_common(_USES)
            yield from (self._bodies[at] for at, count in best if count)

    def alike(self, text: str) -> Iterable[CodePiece]:
        """Return the definitions that BM25 ranks first."""
        scores: dict[int, float] = defaultdict(float)
        for term in terms_of(text):
            places = self._places.get(term, [])
            rarity = math.log(1 + len(self._bodies) / (len(places) or 1))
            for at, count in places:
                size = 0.25 + 0.75 * len(self._bodies[at].text) / self._size
                scores[at] += rarity * count * 2.2 / (count + 1.2 * size)
        best = sorted(scores, key=scores.__getitem__, reverse=True)
        return [self._bodies[at] for at in best[:_MOST]]

    def _cut(self, paths: Iterable[str]) -> Iterator[CodePiece]:
        """Yield functions whole, and what is between them in windows."""
        functions = [
            each
            for each in self._known
            if each.path in paths and each.end_line - each.start_line <= _LONGEST
        ]
        inside: dict[str, set[int]] = defaultdict(set)
        for each in functions:
            inside[each.path].update(range(each.start_line, each.end_line + 1))
            if each.end_line > each.start_line:
                yield self._piece(each.path, each.start_line, each.end_line)
        for path in paths:
            for first in range(1, len(self._lines[path]) + 1, _WINDOW):
                lines = range(first, first + _WINDOW)
                if sum(line in inside[path] for line in lines) < _WINDOW // 2:
                    yield self._piece(path, first, first + _WINDOW - 1)

    def _piece(self, path: str, start: int, end: int) -> CodePiece:
        return CodePiece(path, start, "\n".join(self._lines[path][start - 1 : end]))
