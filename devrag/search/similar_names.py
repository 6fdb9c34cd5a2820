"""Names of definitions that are spelled like one that is nowhere."""

from __future__ import annotations

from django.contrib.postgres.search import TrigramSimilarity

from devrag.search.query_intent import read_question
from devrag.search.query_parser import parse_query
from devrag.search.scope import sources_in_scope
from devrag.search.types import SearchQuery
from devrag.sources.models import Symbol

# Share of common trigrams: `find_tokn` and `find_token` have .64.
_LEAST, _MOST = 0.5, 3


def similar_names(query: SearchQuery) -> tuple[str, ...]:
    """Return names in scope like the one name that a question is, the likest first.

    Queries: 2.
    """
    asked = parse_query(query)
    question = read_question(asked.text)
    if not question.is_name:
        return ()
    name = question.names[0]
    rows = Symbol.objects.filter(
        file__manifests__until=None,
        file__manifests__ref__is_current=True,
        file__source__in=sources_in_scope(asked),
    )
    near = rows.annotate(near=TrigramSimilarity("name", name)).filter(near__gte=_LEAST)
    near = near.exclude(name__iexact=name)
    found = near.order_by("-near", "name").values_list("name", "near").distinct()
    return tuple(name for name, _ in found[:_MOST])
