"""Near-identical passages of several files: editions for versions, vendored copies.

The best of them stands for all; the others are told beside it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from devrag.search.candidates import CandidateChunk
from devrag.search.ranking import Ranked

# Share of common lines from which on two passages are editions of one.
_ALIKE = 0.7
# Shorter ones are alike by chance.
_LEAST_CHARACTERS = 60
_MOST_COPIES = 20


def fold_copies(ranked: Sequence[Ranked], wanted: int) -> list[Ranked]:
    """Return candidates in their order, each with its copies instead of beside them.

    wanted: after so many that differ nobody looks: the rest stays as it is.
    """
    kept: list[Ranked] = []
    alike: dict[str, list[tuple[int, frozenset[str]]]] = defaultdict(list)
    rest = iter(ranked)
    for each in rest:
        lines = list(_lines(each.spot))
        first, found = lines[0] if lines else "", frozenset(lines)
        place = next(
            (
                place
                for place, others in alike[first]
                if _is_copy(each.spot, kept[place].spot, found, others)
            ),
            None,
        )
        if place is None:
            alike[first].append((len(kept), found))
            kept.append(each)
        elif len(kept[place].copies) < _MOST_COPIES:
            copies = (*kept[place].copies, each.spot)
            kept[place] = kept[place]._replace(copies=copies)
        if len(kept) > wanted:
            break
    return [*kept, *rest]


def _lines(spot: CandidateChunk) -> Iterator[str]:
    """Yield what its lines say; the first one, which names it, comes first."""
    stripped = (line.strip(" \t#*-") for line in spot.text.splitlines())
    yield from filter(None, stripped)


def _is_copy(
    one: CandidateChunk,
    other: CandidateChunk,
    lines: frozenset[str],
    others: frozenset[str],
) -> bool:
    """Return whether passages of two files have nearly all lines in common."""
    if _file(one) == _file(other):
        return False
    if min(len(one.text), len(other.text)) < _LEAST_CHARACTERS:
        return False
    common = sum(map(len, lines & others))
    most = max(sum(map(len, lines)), sum(map(len, others)))
    return common >= _ALIKE * most


def _file(spot: CandidateChunk) -> tuple[str, str, str]:
    return spot.product_name, spot.source_name, spot.path
