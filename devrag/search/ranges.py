"""The numbers of a query within their bounds, each refused by its name."""

from __future__ import annotations

from devrag.core.errors import InvalidInput
from devrag.search.types import MAX_CONTEXT, MAX_DEPTH, MAX_LIMIT, SearchQuery

# More than any function has; the columns and the word index hold it.
_MAX_COMPLEXITY = 1_000_000


def check_ranges(query: SearchQuery) -> None:
    """Raise InvalidInput for a number that is out of its range (T15, T35, T48)."""
    _check("limit", query.limit, 1, MAX_LIMIT)
    _check("context", query.context, 0, MAX_CONTEXT)
    for depth in query.depths:
        _check("depth", depth, 0, MAX_DEPTH)
    low, high = query.min_complexity, query.max_complexity
    for name, value in (("min_complexity", low), ("max_complexity", high)):
        _check(name, value, 0, _MAX_COMPLEXITY)
    if high and low > high:
        raise InvalidInput(
            f"min_complexity {low} is more than max_complexity {high}: nothing can be "
            "in between."
        )


def _check(name: str, value: int, lowest: int, highest: int) -> None:
    if not lowest <= value <= highest:
        raise InvalidInput(f"{name} is {value}; it must be {lowest} to {highest}.")


def parse_depths(text: str) -> tuple[int, ...]:
    """Read levels of headings as they are typed: `1` or `0,1,2`; '' is all."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(part.isascii() and part.isdecimal() for part in parts):
        raise InvalidInput(
            f"depth is '{text}'; give levels of headings such as 1 or 0,1,2."
        )
    return tuple(int(part[:4]) for part in parts)
