"""How well a name fits what was typed, and which of its letters do."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import IntEnum
from functools import cached_property

from devrag.sources.api import find_humps, fold_case

# In lower case it is open where a word ends: `htse` is tried as `ht|se`, in two words
# of at least two letters, or three where that is not too many ways.
_SHORTEST_WORD, _LONGEST_IN_TWO, _LONGEST_IN_THREE = 2, 16, 8
# A similar name has so much in common with the text, in runs of so many letters.
_LEAST_SIMILAR, _SHORTEST_RUN = 0.7, 2
_SEPARATORS = str.maketrans(dict.fromkeys(" \t\n-/", "_"))
_OWNERS = (("::", "."), ("->", "."), ("#", "."))

Words = tuple[str, ...]


class MatchClass(IntEnum):
    """How a name fits, the best first."""

    EXACT = 0
    ANY_CASE = 1
    PREFIX = 2
    HUMPS = 3
    WORD = 4
    PART = 5
    SPLIT = 6
    SIMILAR = 7


@dataclass(frozen=True, slots=True)
class NameMatch:
    """places: the letters of the name that fit, by their index.

    similarity: tenths of the letters that are the same, where the name is only similar.
    """

    how: MatchClass
    places: tuple[int, ...]
    similarity: int = 0

    @property
    def is_exact(self) -> bool:
        return self.how <= MatchClass.ANY_CASE


@dataclass(frozen=True)
class NameQuery:
    """A name as typed. owner: what stands before its last dot, in lower case."""

    name: str
    owner: str = ""

    @classmethod
    def parse(cls, text: str) -> NameQuery:
        """Read `add`, `Cart.add`, `Cart::add()` or `shop.Cart#add`."""
        wanted = text.strip()
        for written, dot in _OWNERS:
            wanted = wanted.replace(written, dot)
        owner, _, name = wanted.strip(".()").rpartition(".")
        return cls(name.strip(), fold_case(owner.strip()))

    @cached_property
    def folded(self) -> str:
        return fold_case(self.name)

    @cached_property
    def by_words(self) -> tuple[Words, ...]:
        """The ways to read the text as beginnings of words, in lower case."""
        return tuple(dict.fromkeys(self._ways()))

    def _ways(self) -> Iterator[Words]:
        name = self.name.translate(_SEPARATORS)
        if self.folded:
            yield (self.folded,)
        if len(name) < _SHORTEST_WORD:
            return
        humps = [word for _, word in find_humps(name)]
        yield tuple(map(fold_case, humps))
        yield tuple(
            fold_case(part)
            for word in humps
            for part in (word if word.isupper() else [word])
        )
        if name.isalnum():
            yield tuple(self.folded)

    @cached_property
    def splits(self) -> tuple[Words, ...]:
        """The ways to read a text without capitals as beginnings of several words."""
        if not (self.name.isalnum() and self.name in {self.folded, self.name.upper()}):
            return ()
        return tuple(_splits(self.folded))

    def match(self, name: str) -> NameMatch | None:
        """Return how a name fits, None where its letters do not."""
        folded, typed = fold_case(name), self.folded
        whole = tuple(range(len(typed)))
        if name == self.name:
            return NameMatch(MatchClass.EXACT, whole)
        if folded == typed:
            return NameMatch(MatchClass.ANY_CASE, whole)
        if folded.startswith(typed):
            return NameMatch(MatchClass.PREFIX, whole)
        return self._match_parts(folded, [start for start, _ in find_humps(name)])

    def _match_parts(self, folded: str, starts: list[int]) -> NameMatch | None:
        if places := _first(self.by_words, folded, starts):
            return NameMatch(MatchClass.HUMPS, places)
        typed = self.folded
        at_word = (s for s in starts if folded.startswith(typed, s))
        how, at = MatchClass.WORD, next(at_word, -1)
        if at < 0:
            how, at = MatchClass.PART, folded.find(typed)
        if at >= 0:
            return NameMatch(how, tuple(range(at, at + len(typed))))
        if places := _first(self.splits, folded, starts):
            return NameMatch(MatchClass.SPLIT, places)
        return None

    def match_similar(self, name: str) -> NameMatch | None:
        """Return how a similar name fits, with the letters that are the same."""
        matcher = SequenceMatcher(None, fold_case(name), self.folded, autojunk=False)
        if matcher.ratio() < _LEAST_SIMILAR:
            return None
        places = [
            place
            for block in matcher.get_matching_blocks()
            if block.size >= _SHORTEST_RUN
            for place in range(block.a, block.a + block.size)
        ]
        similarity = round(10 * matcher.ratio())
        return NameMatch(MatchClass.SIMILAR, tuple(places), similarity)


def _splits(text: str) -> Iterator[Words]:
    longest = {2: _LONGEST_IN_TWO, 3: _LONGEST_IN_THREE}
    for count in (n for n, length in longest.items() if len(text) <= length):
        for cuts in itertools.combinations(range(1, len(text)), count - 1):
            ends = (0, *cuts, len(text))
            words = tuple(text[a:b] for a, b in itertools.pairwise(ends))
            if min(map(len, words)) >= _SHORTEST_WORD:
                yield words


def _first(ways: Iterable[Words], folded: str, starts: list[int]) -> tuple[int, ...]:
    """Return the letters that fit in the first way that does, or nothing."""
    return next(filter(None, (_places(words, folded, starts) for words in ways)), ())


def _places(words: Words, folded: str, starts: Sequence[int]) -> tuple[int, ...]:
    """Return the letters of words that begin at humps in their order, or nothing.

    The first one is at the first hump, the others may leave out some.
    """
    found: list[int] = []
    left = iter(starts)
    for number, word in enumerate(words):
        at = next((s for s in left if folded.startswith(word, s)), None)
        if at is None or (number == 0 and at != starts[0]):
            return ()
        if found and at <= found[-1]:
            return ()
        found += range(at, at + len(word))
    return tuple(found)
