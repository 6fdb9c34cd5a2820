"""A question that is nothing but labels: the files that have them, by path."""

from __future__ import annotations

import time
from collections.abc import Collection

from django.db.models import Count

from devrag.search.fetch import Candidate, current_chunks, hydrate, with_context
from devrag.search.types import SearchQuery, SearchResult


def list_labelled(query: SearchQuery, source_ids: Collection[int]) -> SearchResult:
    """Answer with the first passing chunk of each file. Queries: 3, 4."""
    began = time.perf_counter()
    rows = current_chunks(query).filter(file__source__in=source_ids)
    first = rows.order_by("file__path", "file", "ordinal").distinct(
        "file__path", "file"
    )
    ordered = first.values_list("pk", flat=True)
    candidates = [Candidate(pk, 1.0, None, None) for pk in ordered[: query.limit]]
    hits = with_context(hydrate(query, candidates, source_ids), query.context)
    return SearchResult(
        query=query,
        hits=tuple(hits),
        milliseconds=(time.perf_counter() - began) * 1000,
        total=rows.aggregate(files=Count("file", distinct=True))["files"],
    )
