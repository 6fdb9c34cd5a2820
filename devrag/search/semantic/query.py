"""Nearest chunks by cosine: exact in small scopes, HNSW in large ones."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from django.db import connection, transaction
from numpy.typing import NDArray
from psycopg import sql

from devrag.search.models import EmbeddingSpec
from devrag.search.semantic.specs import partition_name

EXACT_ROWS = 20_000


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
) -> list[SemanticHit]:
    """Return live chunks of the sources, nearest first. vector: (dim,) L2-normed."""
    literal = "[" + ",".join(f"{value:.7g}" for value in vector.tolist()) + "]"
    ids = sorted(source_ids)
    with transaction.atomic(), connection.cursor() as cursor:
        table = sql.Identifier(partition_name(spec))
        cursor.execute(sql.SQL(_COUNT).format(table=table), [ids, EXACT_ROWS + 1])
        if cursor.fetchone()[0] <= EXACT_ROWS:
            cursor.execute(sql.SQL(_EXACT).format(table=table), [ids, literal, limit])
        else:
            cursor.execute("SET LOCAL plan_cache_mode = force_custom_plan")
            cursor.execute("SET LOCAL hnsw.iterative_scan = relaxed_order")
            cursor.execute(
                f"SET LOCAL hnsw.ef_search = {max(100, min(2 * limit, 1000))}"
            )
            half = sql.SQL(f"halfvec({spec.dimensions})")
            query = sql.SQL(_APPROXIMATE).format(table=table, halfvec=half)
            cursor.execute(query, [literal, ids, limit])
        rows = cursor.fetchall()
    hits = [SemanticHit(row[0], min(1.0, max(0.0, 1.0 - row[1]))) for row in rows]
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))


_COUNT = """
SELECT count(*) FROM (
    SELECT 1 FROM {table} WHERE is_live AND source_id = ANY(%s) LIMIT %s
) AS scope
"""
_EXACT = """
WITH scope AS MATERIALIZED (
    SELECT chunk_id, vector FROM {table} WHERE is_live AND source_id = ANY(%s)
)
SELECT chunk_id, vector <=> %s::vector AS distance
FROM scope ORDER BY distance LIMIT %s
"""
_APPROXIMATE = """
SELECT chunk_id, (vector::{halfvec}) <=> %s::{halfvec} AS distance
FROM {table} WHERE is_live AND source_id = ANY(%s)
ORDER BY distance LIMIT %s
"""
