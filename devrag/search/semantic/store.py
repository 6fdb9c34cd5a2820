"""Write vectors: made ones for all chunks of their text, known ones by copying."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import F
from numpy.typing import NDArray

from devrag.search.models import EmbeddingSpec, VectorCoverage
from devrag.search.semantic.live_vectors import LIVE_CHUNKS, lock_source
from devrag.search.semantic.missing_vectors import WITHOUT_VECTOR

_STORE = f"""
INSERT INTO search_embedding (spec_id, chunk_id, source_id, text_hash, is_live, vector)
SELECT %(spec)s, live.chunk_id, %(source)s, live.embedded_hash, true,
    fresh.vector::vector
FROM unnest(%(hashes)s::text[], %(vectors)s::text[]) AS fresh (hash, vector)
JOIN ({LIVE_CHUNKS}) AS live ON live.embedded_hash = fresh.hash
ON CONFLICT DO NOTHING
"""
_COPY = f"""
INSERT INTO search_embedding (spec_id, chunk_id, source_id, text_hash, is_live, vector)
SELECT %(spec)s, live.chunk_id, %(source)s, live.embedded_hash, true, known.vector
FROM ({WITHOUT_VECTOR}) AS live
JOIN LATERAL (
    SELECT vector FROM search_embedding
    WHERE spec_id = %(spec)s AND text_hash = live.embedded_hash LIMIT 1
) AS known ON true
WHERE {{which}}
ON CONFLICT DO NOTHING
"""
_COPY_RANGE = _COPY.format(which="live.chunk_id BETWEEN %(first)s AND %(last)s")
_COPY_TEXTS = _COPY.format(which="live.embedded_hash = ANY(%(hashes)s)")


def store_vectors(
    spec: EmbeddingSpec, source_id: int, vectors: Mapping[str, NDArray[np.float32]]
) -> int:
    """Give every live chunk of these texts its vector; return how many chunks.

    vectors: text hash → L2-normed vector.
    """
    literals = [
        "[" + ",".join(f"{value:.7g}" for value in vector.tolist()) + "]"
        for vector in vectors.values()
    ]
    keys = {"hashes": list(vectors), "vectors": literals, "after": 0}
    return _write(_STORE, spec, source_id, keys)


def copy_range(
    spec: EmbeddingSpec, source_id: int, *, first: int, last: int, after: int
) -> int:
    """Copy known vectors to live chunks with ids in a range; return how many."""
    keys = {"first": first, "last": last, "after": after}
    return _write(_COPY_RANGE, spec, source_id, keys)


def copy_texts(spec: EmbeddingSpec, source_id: int, hashes: list[str]) -> int:
    """Copy known vectors to live chunks of these texts; return how many."""
    if not hashes:
        return 0
    return _write(_COPY_TEXTS, spec, source_id, {"hashes": hashes, "after": 0})


def _write(
    statement: str, spec: EmbeddingSpec, source_id: int, keys: Mapping[str, Any]
) -> int:
    lock_source(source_id)
    with connection.cursor() as cursor:
        cursor.execute(statement, {**keys, "spec": spec.pk, "source": source_id})
        count = int(cursor.rowcount)
    coverage = VectorCoverage.objects.filter(spec=spec, source=source_id)
    coverage.update(embedded=F("embedded") + count)
    return count
