"""find_related(): like search(), asked with a place instead of words."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import replace

import numpy as np
from django.conf import settings
from django.db import connection
from numpy.typing import NDArray
from psycopg import sql

from devrag.core.time_limit import time_limit
from devrag.search.fetch import Candidate, hydrate, with_context
from devrag.search.models import Embedding, EmbeddingSpec
from devrag.search.nesting import collapse_nested
from devrag.search.query_checks import check_query, check_text
from devrag.search.related.anchor import Anchor, find_anchor
from devrag.search.related.evidence import Evidence, find_evidence
from devrag.search.scope import sources_in_scope
from devrag.search.semantic.query import nearest_chunks
from devrag.search.semantic.specs import active_spec, partition_name
from devrag.search.types import Hit, SearchQuery, SearchResult

# Filters and pieces of the same lines take some away.
_CANDIDATES_PER_HIT, _FEWEST_CANDIDATES = 5, 50
# What is bound by a use stands before what is as close in meaning without.
_BOUND = 0.1
CLOSE = ("semantically close",)
_NO_VECTOR = (
    "This chunk has no vector yet, so only its callers and dependencies are shown."
)


def find_related(query: SearchQuery) -> SearchResult:
    """Answer with what has to do with a place; its own lines are left out.

    query.text: SOURCE:PATH:LINE, a definition's uuid or a chunk's id; filters and
    visibility are those of search(). Raises InvalidInput, NotFound, and
    ServiceUnavailable when it takes too long.
    """
    began = time.perf_counter()
    check_text(query)
    check_query(query)
    with time_limit(settings.SEARCH_TIMEOUT):
        return _answer(query, began)


def _answer(query: SearchQuery, began: float) -> SearchResult:
    visible = sources_in_scope(replace(query, product="", source=""))
    anchor = find_anchor(query.text.strip(), visible)
    source_ids = sources_in_scope(query)
    evidence = find_evidence(anchor)
    near, bound, notes = _close(query, anchor, evidence, source_ids)
    candidates = _order(near, bound, evidence)
    hits = _hits(query, anchor, evidence, candidates, source_ids)
    return SearchResult(
        query=query,
        hits=tuple(with_context(hits[: query.limit], query.context)),
        milliseconds=(time.perf_counter() - began) * 1000,
        notes=notes,
    )


def _close(
    query: SearchQuery,
    anchor: Anchor,
    evidence: Evidence,
    source_ids: Collection[int],
) -> tuple[dict[int, float], dict[int, float], tuple[str, ...]]:
    """Return chunk id → similarity 0..1 of the nearest, and of what uses bind."""
    spec = active_spec()
    vector = _vector_of(spec, anchor.chunk.pk) if spec else None
    if spec is None or vector is None:
        return {}, {}, (_NO_VECTOR,)
    limit = max(_FEWEST_CANDIDATES, query.limit * _CANDIDATES_PER_HIT)
    near = nearest_chunks(spec, vector, source_ids=source_ids, limit=limit)
    scores = {hit.chunk_id: hit.score for hit in near}
    bound = _similarities(spec, anchor.chunk.pk, evidence.keys() - scores)
    return scores, bound, ()


def _vector_of(spec: EmbeddingSpec, chunk_id: int) -> NDArray[np.float32] | None:
    rows = Embedding.objects.filter(spec=spec, chunk=chunk_id)
    vector = rows.values_list("vector", flat=True).first()
    return None if vector is None else np.asarray(vector, dtype=np.float32)


def _similarities(
    spec: EmbeddingSpec, chunk_id: int, others: Collection[int]
) -> dict[int, float]:
    table = sql.Identifier(partition_name(spec))
    with connection.cursor() as cursor:
        query = sql.SQL(_SIMILAR).format(table=table)
        cursor.execute(query, [sorted(others), chunk_id])
        return {key: min(1.0, max(0.0, score)) for key, score in cursor.fetchall()}


def _order(
    near: dict[int, float], bound: dict[int, float], evidence: Evidence
) -> list[Candidate]:
    scores = near | bound
    ranks = {key: rank for rank, key in enumerate(near, start=1)}
    ordered = sorted(
        dict.fromkeys([*evidence, *near]),
        key=lambda key: -scores.get(key, 0.0) - _BOUND * (key in evidence),
    )
    return [
        Candidate(key, scores.get(key, 0.0), None, ranks.get(key)) for key in ordered
    ]


def _hits(
    query: SearchQuery,
    anchor: Anchor,
    evidence: Evidence,
    candidates: Collection[Candidate],
    source_ids: Collection[int],
) -> list[Hit]:
    hits = [
        replace(hit, why=evidence.get(hit.chunk_id, CLOSE))
        for hit in hydrate(query, candidates, source_ids)
        if not _is_own(anchor, hit)
    ]
    return [hits[place] for place in collapse_nested(hits)]


def _is_own(anchor: Anchor, hit: Hit) -> bool:
    return anchor.overlaps(hit.source_name, hit.path, hit.start_line, hit.end_line)


_SIMILAR = """
SELECT o.chunk_id, 1 - (o.vector <=> a.vector) FROM {table} o, {table} a
WHERE o.chunk_id = ANY(%s) AND a.chunk_id = %s
"""
