"""Find the name that is spelled most like another one, among very many."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice

_HEAD, _TAIL = 3, 4
# Names of code that is generated begin and end alike; so many are looked at.
_MOST = 100


class Spellings:
    """Names by how they begin and end. prefix: what all of them begin with."""

    def __init__(self, names: Iterable[str], prefix: str = "") -> None:
        self._skipped = len(prefix)
        self._by_part: dict[tuple[str, str], list[str]] = defaultdict(list)
        for name in sorted(set(names)):
            for part in self._parts(name):
                self._by_part[part].append(name)

    def _parts(self, name: str) -> tuple[tuple[str, str], tuple[str, str]]:
        rest = name[self._skipped :]
        return ("head", rest[:_HEAD]), ("tail", rest[-_TAIL:])

    def nearest(self, name: str, least: float, most_longer: int = 20) -> str:
        """Return the name that is most alike, '' if none is.

        least: how much, from 0 to 1; a name has to begin or end as it does.
        most_longer: characters that it may have more or less.
        """
        head, tail = (self._by_part.get(part, []) for part in self._parts(name))
        both = set(tail).intersection(head)
        found = (
            each
            for each in (*sorted(both), *head, *tail)
            if abs(len(each) - len(name)) <= most_longer
            if 2 * min(len(each), len(name)) >= least * (len(each) + len(name))
        )
        kin = list(islice(dict.fromkeys(found), _MOST))
        return next(iter(get_close_matches(name, kin, 1, least)), "")
