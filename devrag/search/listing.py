"""A question without words, only labels or filters of documents: what passes them."""

from __future__ import annotations

import time
from collections.abc import Collection

from django.db.models import Count, F, QuerySet

from devrag.search.document_filters import has_document_filter
from devrag.search.fetch import Candidate, current_chunks, hydrate, with_context
from devrag.search.types import SearchQuery, SearchResult
from devrag.sources.models import Chunk


def is_listing(query: SearchQuery) -> bool:
    """Return whether a question has no words, but filters that may stand alone."""
    return not query.text and bool(query.labels or has_document_filter(query))


def list_files(query: SearchQuery, source_ids: Collection[int]) -> SearchResult:
    """Answer with the first passing chunk of each file. Queries: 3, 4.

    By path; pages and tickets by their last change, the latest first.
    """
    began = time.perf_counter()
    rows = current_chunks(query).filter(file__source__in=source_ids)
    ordered = _ordered(rows, query).values_list("pk", flat=True)
    candidates = [Candidate(pk, 1.0, None, None) for pk in ordered[: query.limit]]
    hits = with_context(hydrate(query, candidates, source_ids), query.context)
    total = rows.aggregate(files=Count("file", distinct=True))["files"]
    return SearchResult(
        query=query,
        hits=tuple(hits),
        milliseconds=(time.perf_counter() - began) * 1000,
        total=total,
        counts_files=True,
        has_more=total > len(hits),
    )


def _ordered(rows: QuerySet[Chunk], query: SearchQuery) -> QuerySet[Chunk]:
    if not has_document_filter(query):
        first = rows.order_by("file__path", "file", "ordinal")
        return first.distinct("file__path", "file")
    latest = F("file__document__changed_at").desc(nulls_last=True)
    first = rows.order_by(latest, "file__path", "file", "ordinal")
    return first.distinct("file__document__changed_at", "file__path", "file")
