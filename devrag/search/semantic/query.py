"""Nearest chunks by cosine: exact in small scopes, HNSW in large ones.

Filters are part of the statement, so that they never take rows away from an answer.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.backends.utils import CursorWrapper
from numpy.typing import NDArray
from psycopg import sql

from devrag.core.timings import timed
from devrag.search.fetch import passing_statement
from devrag.search.models import EmbeddingSpec
from devrag.search.prepared import prepared_cursor
from devrag.search.semantic.graphs import Group, within
from devrag.search.semantic.specs import partition_name
from devrag.search.types import SearchQuery

# Up to the first always one by one; beyond the second always by the graph. Between
# them the cheaper way: a step of the graph costs about as much as 16 comparisons.
_ALWAYS_EXACT_ROWS, _MAX_EXACT_ROWS = 5_000, 40_000
_COMPARISONS_PER_STEP = 16
# As many chunks are looked at; more where sources in scope hold few of all.
_SAMPLED_ROWS, _MAX_SPREAD = 400, 4
# What share of the chunks passes, by scope, its counts and filter.
_MOST_SHARES = 1_000
_shares: dict[tuple[object, ...], float] = {}
# How many neighbours the graph keeps in sight: fewer, and it misses some; in a large
# graph more are needed for the same recall. The last is the most that pgvector takes.
_MIN_EF, _MAX_EF, _ROWS_PER_EF, _LIMIT_EF = 200, 600, 1_000, 1_000


@dataclass(frozen=True, slots=True)
class SemanticHit:
    """A chunk with 1 − cosine distance, clamped to 0..1."""

    chunk_id: int
    score: float


def nearest_chunks(
    spec: EmbeddingSpec,
    vector: NDArray[np.float32],
    *,
    source_ids: Collection[int],
    limit: int,
    filters: SearchQuery | None = None,
) -> list[SemanticHit]:
    """Return live chunks of the sources, nearest first. vector: (dim,) L2-normed.

    filters: only chunks that pass this query's, as many as there are up to the limit.
    """
    ask = plan_nearest(
        spec, vector, source_ids=source_ids, limit=limit, filters=filters
    )
    return ask()


def plan_nearest(
    spec: EmbeddingSpec,
    vector: NDArray[np.float32],
    *,
    source_ids: Collection[int],
    limit: int,
    filters: SearchQuery | None = None,
) -> partial[list[SemanticHit]]:
    """Count what is in scope; return what asks, as nearest_chunks() does.

    Two steps, because the second does nothing but wait for the database.
    """
    try:
        scope = _Scope.of(spec, sorted(source_ids), filters)
    except EmptyResultSet:
        return partial(list)
    with connection.cursor() as cursor:
        counted = scope.count(cursor, limit)
    return partial(_ask, scope, _literal(vector), limit, counted)


def _ask(
    scope: _Scope, literal: str, limit: int, counted: Counted
) -> list[SemanticHit]:
    with timed("vector search"), connection.cursor() as cursor:
        nearest = []
        if not counted.is_exact(limit):
            nearest = scope.walk(cursor, literal, limit, counted)
        # The graph gives up where it meets too few rows that pass.
        if len(nearest) < limit:
            nearest = scope.scan(cursor, literal, limit)
    hits = [SemanticHit(row[0], min(1.0, max(0.0, 1.0 - row[1]))) for row in nearest]
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))


def read_cosines(
    spec: EmbeddingSpec,
    vector: NDArray[np.float32],
    *,
    source_ids: Collection[int],
    chunk_ids: Collection[int],
) -> dict[int, float]:
    """Return the cosines of chunks of the sources that have a vector. Queries: 1.

    vector: (dim,) L2-normed.
    """
    statement = sql.SQL(_COSINES).format(table=sql.Identifier(partition_name(spec)))
    with timed("vector search"), connection.cursor() as cursor:
        cursor.execute(
            statement, [_literal(vector), list(chunk_ids), sorted(source_ids)]
        )
        return dict(cursor.fetchall())


def _literal(vector: NDArray[np.float32]) -> str:
    return "[" + ",".join(f"{value:.7g}" for value in vector.tolist()) + "]"


@dataclass(frozen=True, slots=True)
class Counted:
    """About how many rows are in scope, and of how many in the graph to walk.

    group: the sources of that graph, () where it is the one of all vectors.
    """

    rows: int
    total: int
    group: Group

    def is_exact(self, limit: int) -> bool:
        """Choose by rows in scope: the graph walks limit · total / rows steps."""
        if self.rows <= _ALWAYS_EXACT_ROWS:
            return True
        steps = limit * self.total / self.rows
        return self.rows <= min(_MAX_EXACT_ROWS, _COMPARISONS_PER_STEP * steps)

    def neighbours(self, limit: int) -> int:
        """Return how many neighbours a walk of the graph keeps in sight."""
        least = min(_LIMIT_EF, max(_MIN_EF, self.total // _ROWS_PER_EF))
        steps = 2 * limit * self.total // self.rows
        return max(least, min(steps, _MAX_EF))


# A filter is asked of each row that is met, or before: then the rows that pass are read
# in the order of the index, a third of the work.
_ONE_BY_ONE = "AND chunk_id IN ({})"
_IN_ORDER = "AND chunk_id = ANY(ARRAY({}))"


@dataclass(frozen=True, slots=True)
class _Scope:
    """The vectors that may answer. passing: a statement for ids, '' = all pass."""

    spec: EmbeddingSpec
    source_ids: list[int]
    passing: str
    values: tuple[Any, ...]

    @classmethod
    def of(
        cls, spec: EmbeddingSpec, source_ids: list[int], filters: SearchQuery | None
    ) -> _Scope:
        passing: str = ""
        values: tuple[Any, ...] = ()
        if filters is not None:
            passing, values = passing_statement(filters, source_ids)
        return cls(spec, source_ids, passing, values)

    def count(self, cursor: CursorWrapper, limit: int) -> Counted:
        keys: dict[str, Any] = {"scope": self.source_ids, "spec": self.spec.pk}
        with prepared_cursor() as prepared:
            prepared.execute(_COUNTED, keys)
            rows, everything, group, size = prepared.fetchone()
        counted = Counted(rows, size or everything, tuple(group or ()))
        if self.passing and not counted.is_exact(limit):
            wanted = _SAMPLED_ROWS * min(_MAX_SPREAD, everything // rows)
            share = self._share(cursor, wanted, (rows, everything))
            counted = replace(counted, rows=max(1, int(rows * share)))
        return counted

    def _share(
        self, cursor: CursorWrapper, wanted: int, counts: tuple[int, int]
    ) -> float:
        """Return what share of the rows passes, sampled once until counts change."""
        scope = self.spec.pk, tuple(self.source_ids), counts
        key = (*scope, self.passing, repr(self.values))
        share = _shares.get(key)
        if share is None:
            values = [wanted, self.source_ids, *self.values]
            cursor.execute(self._compose(_SAMPLE), values)
            seen, passed = cursor.fetchone()
            share = passed / max(1, seen)
            if len(_shares) >= _MOST_SHARES:
                _shares.clear()
            _shares[key] = share
        return share

    def scan(
        self, cursor: CursorWrapper, literal: str, limit: int
    ) -> list[tuple[int, float]]:
        """Compare with every vector in scope."""
        values = [literal, self.source_ids, *self.values, limit]
        cursor.execute(self._compose(_ALONE + _EXACT, passes=_IN_ORDER), values)
        cursor.nextset()
        return list(cursor.fetchall())

    def walk(
        self, cursor: CursorWrapper, literal: str, limit: int, counted: Counted
    ) -> list[tuple[int, float]]:
        """Follow the graph until enough rows pass or it gives up."""
        values = [
            str(counted.neighbours(limit)),
            literal,
            self.source_ids,
            *self.values,
            limit,
        ]
        statement = self._compose(_SETTINGS + _APPROXIMATE, counted.group)
        # Sent together they are one transaction, to which the settings are local.
        cursor.execute(statement, values)
        cursor.nextset()
        return list(cursor.fetchall())

    def _compose(
        self, statement: str, group: Group = (), passes: str = _ONE_BY_ONE
    ) -> sql.Composed:
        condition = passes.format(self.passing) if self.passing else ""
        return sql.SQL(statement).format(
            table=sql.Identifier(partition_name(self.spec)),
            halfvec=sql.SQL(f"halfvec({self.spec.dimensions})"),
            passes=sql.SQL(condition),
            within=sql.SQL(f"AND {within(group)}" if group else ""),
        )


# Kept by those who store vectors and move manifests: no row of vectors is read.
_COUNTED = """
WITH counted AS MATERIALIZED (
    SELECT source_id, embedded, source_id = ANY(%(scope)s) AS is_asked
    FROM search_vectorcoverage WHERE spec_id = %(spec)s AND embedded > 0
), graph AS (
    SELECT source_ids, (
        SELECT sum(embedded) FROM counted WHERE source_id = ANY(g.source_ids)
    ) AS size
    FROM search_vectorgraph g
    WHERE spec_id = %(spec)s AND is_ready
        AND source_ids @> (SELECT array_agg(source_id) FROM counted WHERE is_asked)
    ORDER BY size LIMIT 1
)
SELECT coalesce(sum(embedded) FILTER (WHERE is_asked), 0),
    coalesce(sum(embedded), 0),
    (SELECT source_ids FROM graph), (SELECT size FROM graph)
FROM counted
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
# To start other processes takes longer than they save.
_ALONE = "SELECT set_config('max_parallel_workers_per_gather', '0', true);"
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
FROM {table} WHERE is_live {within} AND source_id = ANY(%s) {passes}
ORDER BY distance LIMIT %s
"""
_COSINES = """
SELECT chunk_id, greatest(0, 1 - (vector <=> %s::vector))
FROM {table} WHERE chunk_id = ANY(%s) AND source_id = ANY(%s)
"""
