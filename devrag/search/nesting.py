"""Of hits within one another only the deepest is shown."""

from __future__ import annotations

from collections.abc import Sequence

from devrag.search.types import Hit


def collapse_nested(hits: Sequence[tuple[Hit, tuple[str, ...]]]) -> list[int]:
    """Return positions to keep: of hits within one another only the deepest stays.

    The deepest takes the place of the best-ranked one that contains it.
    """
    kept: list[int] = []
    for position, (hit, _) in enumerate(hits):
        rival = next((k for k in kept if _nested(hits[k][0], hit)), None)
        if rival is None:
            kept.append(position)
        elif _size(hit) < _size(hits[rival][0]):
            kept[kept.index(rival)] = position
    return kept


def _nested(one: Hit, other: Hit) -> bool:
    if (one.source_name, one.path) != (other.source_name, other.path):
        return False
    inner, outer = sorted((one, other), key=_size)
    # A section holds its children's text; a class does not hold its methods' bodies.
    return (
        outer.kind == "section"
        and outer.start_line <= inner.start_line
        and inner.end_line <= outer.end_line
    )


def _size(hit: Hit) -> int:
    return hit.end_line - hit.start_line
