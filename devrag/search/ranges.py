"""The numbers of a query within their bounds, each refused by its name."""

from __future__ import annotations

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput
from devrag.search.types import (
    MAX_CONTEXT,
    MAX_DEPTH,
    MAX_LIMIT,
    SearchQuery,
    read_depths,
)

# More than any function has; the columns and the word index hold it.
_MAX_COMPLEXITY = 1_000_000


def check_ranges(query: SearchQuery) -> None:
    """Raise InvalidInput for a number that is out of its range."""
    _check("limit", query.limit, 1, MAX_LIMIT)
    _check("context", query.context, 0, MAX_CONTEXT)
    for depth in query.depths:
        _check("depth", depth, 0, MAX_DEPTH)
    low, high = query.min_complexity, query.max_complexity
    for name, value in (("min_complexity", low), ("max_complexity", high)):
        _check(name, value, 0, _MAX_COMPLEXITY)
    if high and low > high:
        raise InvalidInput(
            gettext(
                "min_complexity %(low)s is greater than max_complexity %(high)s, so "
                "no result can match."
            )
            % {"low": low, "high": high}
        )


def _check(name: str, value: int, lowest: int, highest: int) -> None:
    if not lowest <= value <= highest:
        raise InvalidInput(
            gettext("%(name)s is %(value)s; it must be %(lowest)s to %(highest)s.")
            % {"name": name, "value": value, "lowest": lowest, "highest": highest}
        )


def parse_depths(text: str) -> tuple[int, ...]:
    """Read levels of headings as they are typed: `1` or `0,1,2`; '' is all."""
    depths = read_depths(text)
    if depths is None:
        raise InvalidInput(
            gettext("Invalid depth '%(text)s'. Use heading levels such as 1 or 0,1,2.")
            % {"text": text}
        )
    return depths
