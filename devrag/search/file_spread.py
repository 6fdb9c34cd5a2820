"""Other places of a hit's file: ranking spreads its answers over files.

So the right file is often first with another of its places; these lead on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from devrag.search.ranking import Ranked
from devrag.search.types import Hit, LineRange

_MOST_PLACES = 5


def with_places(hits: Iterable[Hit], rest: Iterable[Ranked]) -> list[Hit]:
    """Add to the first hit of each file those of its places that follow the hits.

    rest: what ranks after the hits, best first.
    """
    others: dict[tuple[str, str], list[LineRange]] = defaultdict(list)
    for spot, _ in rest:
        found = others[spot.source_name, spot.path]
        if len(found) < _MOST_PLACES:
            found.append(LineRange(spot.start_line, spot.end_line, spot.symbol_name))
    return [
        replace(hit, places=tuple(others.pop((hit.source_name, hit.path), ())))
        for hit in hits
    ]
