"""Which paths a pattern means: `src/search`, `src/**/*.py`, `docs/*.md`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from fnmatch import translate
from functools import lru_cache

_WILD = re.compile(r"[*?\[]")


class Paths:
    """The paths of one source, ordered, so that a pattern looks at few of them."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = sorted(paths)

    def matching(self, pattern: str) -> list[str]:
        """Return the paths that the pattern, or a folder of that name, covers."""
        pattern = pattern.strip().removeprefix("./").strip("/")
        fixed = literal(pattern)
        near = self._beginning_with(fixed)
        if fixed == pattern:
            below = f"{pattern}/" if pattern else ""
            return [p for p in near if p == pattern or p.startswith(below)]
        pieces = pattern.split("/")
        return [path for path in near if _covers(pieces, path.split("/"))]

    def _beginning_with(self, start: str) -> Sequence[str]:
        low = bisect_left(self._paths, start)
        return self._paths[low : bisect_left(self._paths, f"{start}\U0010ffff")]


def literal(pattern: str) -> str:
    """Return what stands before a pattern's first wildcard."""
    found = _WILD.search(pattern)
    return pattern[: found.start()] if found else pattern


def exactness(pattern: str) -> int:
    """Return how much of a pattern is no wildcard."""
    return len(_WILD.sub("", pattern.strip("./")))


def _covers(pieces: Sequence[str], path: Sequence[str]) -> bool:
    """Match piece by piece; `**` stands for any folders, a whole match for its own.

    Two pointers that go back to the last `**`: at most pieces times path steps.
    """
    at, here, star, resume = 0, 0, -1, 0
    while here < len(path):
        if at == len(pieces):
            return True  # a folder is meant with all that is in it
        if pieces[at] == "**":
            star, resume = at, here
            at += 1
        elif _piece(pieces[at]).match(path[here]):
            at, here = at + 1, here + 1
        elif star < 0:
            return False
        else:
            resume += 1
            at, here = star + 1, resume
    return all(piece == "**" for piece in pieces[at:])


@lru_cache(maxsize=2048)
def _piece(pattern: str) -> re.Pattern[str]:
    return re.compile(translate(pattern))
