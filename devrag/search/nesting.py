"""Of sections within one another only the deepest is shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from devrag.search.candidates import Spot
from devrag.search.types import Hit


def collapse_nested(spots: Sequence[Spot | Hit]) -> list[int]:
    """Return positions to keep: of those within one another only the deepest stays.

    The deepest takes the place of the best-ranked one that contains it.
    """
    kept: list[int] = []
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for position, spot in enumerate(spots):
        # Only what is in the same file can be nested.
        rivals = places[spot.source_name, spot.path]
        rival = next((r for r in rivals if _nested(spots[kept[r]], spot)), None)
        if rival is None:
            rivals.append(len(kept))
            kept.append(position)
        elif _size(spot) < _size(spots[kept[rival]]):
            kept[rival] = position
    return kept


def _nested(one: Spot | Hit, other: Spot | Hit) -> bool:
    # A section holds its children's text; a class does not hold its methods' bodies.
    if one.kind != "section" and other.kind != "section":
        return False
    inner, outer = (one, other) if _size(one) <= _size(other) else (other, one)
    return (
        outer.kind == "section"
        and outer.start_line <= inner.start_line
        and inner.end_line <= outer.end_line
    )


def _size(spot: Spot | Hit) -> int:
    return spot.end_line - spot.start_line
