"""Nearest chunks by cosine: exact in small scopes, HNSW in large ones.

Filters are part of the statement, so that they never take rows away from an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.models import QuerySet
from numpy.typing import NDArray
from psycopg import sql

from devrag.search.hydrate import passing_statement
from devrag.search.models import EmbeddingSpec
from devrag.search.semantic.specs import partition_name
from devrag.sources.models import Chunk

# Up to the first always one by one; beyond the second always by the graph. Between
# them the cheaper way: a step of the graph costs about as much as four comparisons.
_ALWAYS_EXACT_ROWS, _MAX_EXACT_ROWS = 5_000, 20_000
_COMPARISONS_PER_STEP = 4
# As many chunks are looked at; more where sources in scope hold few of all.
_SAMPLED_ROWS, _MAX_SPREAD = 400, 4
# How many neighbours the graph keeps in sight: fewer, and it misses some.
_MIN_EF, _MAX_EF = 200, 600


@dataclass(frozen=True, slots=True)
class SemanticHit:
    """A chunk with 1 − cosine distance, clamped to 0..1 (S2-8.7-5)."""

    chunk_id: int
    score: float


def nearest_chunks(
    spec: EmbeddingSpec,
    vector: NDArray[np.float32],
    *,
    source_ids: Collection[int],
    limit: int,
    among: QuerySet[Chunk] | None = None,
) -> list[SemanticHit]:
    """Return live chunks of the sources, nearest first. vector: (dim,) L2-normed.

    among: only these chunks, as many of them as there are up to the limit.
    """
    ask = plan_nearest(spec, vector, source_ids=source_ids, limit=limit, among=among)
    return ask()


def plan_nearest(
    spec: EmbeddingSpec,
    vector: NDArray[np.float32],
    *,
    source_ids: Collection[int],
    limit: int,
    among: QuerySet[Chunk] | None = None,
) -> Callable[[], list[SemanticHit]]:
    """Count what is in scope; return what asks, as nearest_chunks() does.

    Two steps, because the second does nothing but wait for the database.
    """
    literal = "[" + ",".join(f"{value:.7g}" for value in vector.tolist()) + "]"
    try:
        scope = _Scope.of(spec, sorted(source_ids), among)
    except EmptyResultSet:
        return list
    with connection.cursor() as cursor:
        rows, total = scope.count(cursor, limit)
    return partial(_ask, scope, literal, limit, rows, total)


def _ask(
    scope: _Scope, literal: str, limit: int, rows: int, total: int
) -> list[SemanticHit]:
    with connection.cursor() as cursor:
        nearest = []
        if not _is_exact(rows, total, limit):
            steps = 2 * limit * total // rows
            nearest = scope.walk(cursor, literal, limit, steps)
        # The graph gives up where it meets too few rows that pass.
        if len(nearest) < limit:
            nearest = scope.scan(cursor, literal, limit)
    hits = [SemanticHit(row[0], min(1.0, max(0.0, 1.0 - row[1]))) for row in nearest]
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))


@dataclass(frozen=True, slots=True)
class _Scope:
    """The vectors that may answer. passing: a statement for ids, '' = all pass."""

    spec: EmbeddingSpec
    source_ids: list[int]
    passing: str
    values: tuple[Any, ...]

    @classmethod
    def of(
        cls, spec: EmbeddingSpec, source_ids: list[int], among: QuerySet[Chunk] | None
    ) -> _Scope:
        passing: str = ""
        values: tuple[Any, ...] = ()
        if among is not None and among.query.where:
            inside = among.filter(file__source__in=source_ids)
            passing, values = passing_statement(inside)
        return cls(spec, source_ids, passing, values)

    def count(self, cursor: CursorWrapper, limit: int) -> tuple[int, int]:
        """Return about how many rows are in scope, and of how many in the graph."""
        cursor.execute(_COUNTED, [self.source_ids, self.spec.pk])
        rows, total = cursor.fetchone()
        if self.passing and not _is_exact(rows, total, limit):
            wanted = _SAMPLED_ROWS * min(_MAX_SPREAD, total // rows)
            values = [wanted, self.source_ids, *self.values]
            cursor.execute(self._compose(_SAMPLE), values)
            seen, passed = cursor.fetchone()
            rows = max(1, rows * passed // max(1, seen))
        return rows, total

    def scan(
        self, cursor: CursorWrapper, literal: str, limit: int
    ) -> list[tuple[int, float]]:
        """Compare with every vector in scope."""
        values = [literal, self.source_ids, *self.values, limit]
        cursor.execute(self._compose(_EXACT), values)
        return list(cursor.fetchall())

    def walk(
        self, cursor: CursorWrapper, literal: str, limit: int, steps: int
    ) -> list[tuple[int, float]]:
        """Follow the graph until enough rows pass or it gives up."""
        steps = max(_MIN_EF, min(steps, _MAX_EF))
        values = [str(steps), literal, self.source_ids, *self.values, limit]
        # Sent together they are one transaction, to which the settings are local.
        cursor.execute(self._compose(_SETTINGS + _APPROXIMATE), values)
        cursor.nextset()
        return list(cursor.fetchall())

    def _compose(self, statement: str) -> sql.Composed:
        passes = f"AND chunk_id IN ({self.passing})" if self.passing else ""
        return sql.SQL(statement).format(
            table=sql.Identifier(partition_name(self.spec)),
            halfvec=sql.SQL(f"halfvec({self.spec.dimensions})"),
            passes=sql.SQL(passes),
        )


def _is_exact(rows: int, total: int, limit: int) -> bool:
    """Choose by rows in scope: the graph walks limit · total / rows steps."""
    if rows <= _ALWAYS_EXACT_ROWS:
        return True
    steps = limit * total / rows
    return rows <= min(_MAX_EXACT_ROWS, _COMPARISONS_PER_STEP * steps)


# Kept by those who store vectors and move manifests: no row of vectors is read.
_COUNTED = """
SELECT coalesce(sum(embedded) FILTER (WHERE source_id = ANY(%s)), 0),
    coalesce(sum(embedded), 0)
FROM search_vectorcoverage WHERE spec_id = %s
"""
# Chunks at even distances: no page is read for more than one, and equal questions are
# answered in the same way.
_SAMPLE = """
WITH ends AS (SELECT min(chunk_id) AS low, max(chunk_id) AS high FROM {table}),
sample AS MATERIALIZED (
    SELECT chunk_id FROM {table}
    WHERE is_live AND chunk_id = ANY(ARRAY(
        SELECT generate_series(low, high, 1 + (high - low) / %s) FROM ends
    )) AND source_id = ANY(%s)
)
SELECT (SELECT count(*) FROM sample),
    (SELECT count(*) FROM sample WHERE true {passes})
"""
# Not the expression that HNSW indexes, so that it is never used here.
_EXACT = """
SELECT chunk_id, vector <=> %s::vector AS distance
FROM {table} WHERE is_live AND source_id = ANY(%s) {passes}
ORDER BY distance LIMIT %s
"""
_SETTINGS = """
SELECT set_config('hnsw.ef_search', %s, true),
    set_config('hnsw.iterative_scan', 'relaxed_order', true);
"""
_APPROXIMATE = """
SELECT chunk_id, (vector::{halfvec}) <=> %s::{halfvec} AS distance
FROM {table} WHERE is_live AND source_id = ANY(%s) {passes}
ORDER BY distance LIMIT %s
"""
