"""What whole files mean: the mean of the vectors of their chunks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from django.db import connection
from psycopg import sql

from devrag.llm.embedder import Vector
from devrag.search.models import EmbeddingSpec, VectorCoverage
from devrag.search.semantic.specs import partition_name

# Of a long file; its beginning says what it is about.
_MOST_CHUNKS = 64
_MEANS = """
SELECT c.file_id, avg(e.vector)::text
FROM sources_chunk c JOIN {table} e ON e.chunk_id = c.id AND e.is_live
WHERE c.file_id = ANY(%s) AND c.ordinal < %s
GROUP BY c.file_id
"""


def mean_vectors(spec: EmbeddingSpec, file_ids: Sequence[int]) -> dict[int, Vector]:
    """Return the L2-normed mean of each file's vectors; no entry without any.

    Queries: 1.
    """
    table = sql.Identifier(partition_name(spec))
    with connection.cursor() as cursor:
        statement = sql.SQL(_MEANS).format(table=table)
        cursor.execute(statement, [list(file_ids), _MOST_CHUNKS])
        rows = cursor.fetchall()
    return {file_id: _normed(text) for file_id, text in rows}


def _normed(text: str) -> Vector:
    vector = np.array(text[1:-1].split(","), dtype=np.float32)
    return vector / (float(np.linalg.norm(vector)) or 1.0)


def has_all_vectors(spec: EmbeddingSpec, source_id: int) -> bool:
    """Return whether no chunk of a source lacks its vector, as far as is counted."""
    found = VectorCoverage.objects.filter(spec=spec, source=source_id).first()
    return found is not None and 0 < found.chunks <= found.embedded
