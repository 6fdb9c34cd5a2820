"""What all matches of a question have, counted: languages, kinds, sources, folders.

    count_facets(query) -> {"language": (FacetValue("go", 120), …), …}

Matches are chunks with the words of the question, as counting.py counts them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings

from devrag.core.time_limit import time_limit
from devrag.search.counting import count_matches
from devrag.search.line_search.pattern import find_pattern
from devrag.search.listing import is_listing
from devrag.search.query_checks import check_query, check_text
from devrag.search.query_parser import parse_query
from devrag.search.retrievers import kept_sources, reader
from devrag.search.scope import sources_in_scope
from devrag.search.service import with_label_ids
from devrag.search.types import KINDS, WIKI, SearchQuery
from devrag.sources.models import Source

MOST_VALUES = 10
# The filter of a query that each facet sets, and its field of the index if of another
# name.
FILTERS = {
    "language": "language",
    "kind": "kind",
    "source": "source",
    "folder": "path_prefix",
}
_FIELDS = {"source": "source_id"}
Facets = dict[str, tuple["FacetValue", ...]]


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value of a filter, and how many matches have it."""

    value: str
    count: int


def count_facets(query: SearchQuery) -> Facets:
    """Return for each facet its commonest values; those without a choice are left out.

    Of kinds all are returned. A facet is counted without its own filter, so that
    another value can be chosen.
    Folders are those directly below the path that is asked for. Nothing is counted for
    patterns, listings and wiki pages. Raises as search() does.
    """
    check_text(query)
    asked = parse_query(query)
    check_query(asked)
    if find_pattern(query.text) or is_listing(asked) or asked.kind == WIKI:
        return {}
    # A filter that is written in the text is changed there.
    names = [
        n for n, key in FILTERS.items() if getattr(asked, key) == getattr(query, key)
    ]
    with time_limit(settings.SEARCH_TIMEOUT):
        counted = _count(asked, names)
    return {
        name: counted[name]
        for name in names
        if len(counted[name]) > 1 or (counted[name] and getattr(asked, FILTERS[name]))
    }


def _count(query: SearchQuery, names: list[str]) -> Facets:
    """Return the values of facets: at once of those whose filter is not set."""
    # Folders keep theirs: below the path that is asked for.
    alone = [n for n in names if n != "folder" and getattr(query, FILTERS[n])]
    values = _values(query, [n for n in names if n not in alone])
    for name in alone:
        without: dict[str, Any] = {FILTERS[name]: ""}
        values |= _values(replace(query, **without), [name])
    return {
        name: tuple(FacetValue(*each) for each in _named(name, found) if each[0])
        for name, found in values.items()
    }


def _values(query: SearchQuery, names: list[str]) -> dict[str, list[tuple[str, int]]]:
    below = f"{re.escape(query.path_prefix)}[^/]*/"
    fields = {_FIELDS.get(n, n): below if n == "folder" else None for n in names}
    source_ids = sources_in_scope(query)
    labelled = with_label_ids(query, source_ids)
    found = reader().count_values(
        count_matches(labelled, kept_sources(source_ids)).asked,
        fields,
        # Of kinds there are few, and those of files and chunks are the commonest.
        limit=len(KINDS) if "kind" in names else MOST_VALUES,
    )
    return dict(zip(names, found.values(), strict=True))


def _named(name: str, found: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return values as filters know them."""
    if name == "kind":
        return [(kind, count) for kind, count in found if kind in KINDS]
    if name != "source":
        return found[:MOST_VALUES]
    found = found[:MOST_VALUES]
    sources = Source.objects.in_bulk([int(key) for key, _ in found])
    return [(sources[int(k)].name, n) for k, n in found if int(k) in sources]
