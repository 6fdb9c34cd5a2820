"""What all matches of a question have, counted: languages, kinds, sources, folders.

    count_facets(query) -> {"language": (FacetValue("go", 120), …), …}

Matches are chunks with words of the question, by what this host's word index knows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from django.conf import settings

from devrag.core.time_limit import time_limit
from devrag.search.line_search.pattern import find_pattern
from devrag.search.listing import is_listing
from devrag.search.query_parser import parse_query
from devrag.search.retrievers import kept_sources, reader
from devrag.search.service import (
    check_query,
    check_text,
    sources_in_scope,
    with_label_ids,
)
from devrag.search.types import KINDS, WIKI, SearchQuery
from devrag.sources.models import Source

MOST_VALUES = 10
# The filter of a query that each facet sets.
FILTERS = {
    "language": "language",
    "kind": "kind",
    "source": "source",
    "folder": "path_prefix",
}
Facets = dict[str, tuple["FacetValue", ...]]


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value of a filter, and how many matches have it."""

    value: str
    count: int


def count_facets(query: SearchQuery) -> Facets:
    """Return for each facet its commonest values; those without a choice are left out.

    A facet is counted without its own filter, so that another value can be chosen.
    Folders are those directly below the path that is asked for. Nothing is counted for
    patterns, listings and wiki pages. Raises as search() does.
    """
    check_text(query)
    asked = parse_query(query)
    check_query(asked)
    if find_pattern(query.text) or is_listing(asked) or asked.kind == WIKI:
        return {}
    with time_limit(settings.SEARCH_TIMEOUT):
        counted = {
            name: _count(asked, name)
            for name, filtered in FILTERS.items()
            # A filter that is written in the text is changed there.
            if getattr(asked, filtered) == getattr(query, filtered)
        }
    return {
        name: values
        for name, values in counted.items()
        if len(values) > 1 or (values and getattr(asked, FILTERS[name]))
    }


def _count(query: SearchQuery, facet: str) -> tuple[FacetValue, ...]:
    if facet == "folder":
        return _count_folders(query)
    asked = replace(query, **{FILTERS[facet]: ""})
    found = _values(asked, "source_id" if facet == "source" else facet)
    if facet == "source":
        names = dict(Source.objects.in_bulk([int(key) for key, _ in found]))
        found = [(names[int(k)].name, n) for k, n in found if int(k) in names]
    if facet == "kind":
        found = [(kind, count) for kind, count in found if kind in KINDS]
    return tuple(FacetValue(value, count) for value, count in found if value)


def _count_folders(query: SearchQuery) -> tuple[FacetValue, ...]:
    """Return the folders one below the path that is asked for."""
    pattern = f"{re.escape(query.path_prefix)}[^/]*/"
    found = _values(query, "folder", pattern)
    return tuple(FacetValue(value, count) for value, count in found)


def _values(
    query: SearchQuery, field: str, pattern: str | None = None
) -> list[tuple[str, int]]:
    source_ids = sources_in_scope(query)
    return reader().count(
        with_label_ids(query, source_ids),
        kept_sources(source_ids),
        field,
        limit=MOST_VALUES,
        pattern=pattern,
    )
