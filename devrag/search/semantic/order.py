"""In which order texts are embedded: what helps most comes first.

Files of the newest activation first, so that a change never waits behind a backlog;
then READMEs and top-level documents, definitions by how often others name them, the
other definitions and documents, and what is left over between definitions; then tests,
examples and other people's code. Data last, changed or not.
"""

from __future__ import annotations

from typing import Any

from django.db import connection, transaction

from devrag.search.models import EmbeddingSpec, PendingText
from devrag.search.semantic.embedded_files import ASIDE_PATTERN, IS_DATA
from devrag.search.semantic.missing_vectors import WITHOUT_VECTOR

# References are counted by the last part of the name, shared among its definitions, so
# that `get` and `__init__` do not win. A few minutes' work is not worth the look.
_COUNTED_FROM = 512
_SORT_MEMORY = "64MB"
_ORDER = "is_data, since DESC, is_aside, class, uses DESC, chunk_id"
_RANK = f"""
INSERT INTO search_pendingtext (spec_id, source_id, rank, chunk)
WITH missing AS MATERIALIZED ({WITHOUT_VECTOR}),
uses AS MATERIALIZED (
    SELECT last_name AS name, count(*) AS uses FROM sources_reference
    WHERE source_id = %(source)s
      AND (SELECT count(*) FROM missing) >= %(counted_from)s
    GROUP BY last_name
),
defined AS (
    SELECT missing.chunk_id, s.name, count(*) OVER (PARTITION BY s.name) AS homes
    FROM missing
    JOIN sources_symbol s
        ON s.file_id = missing.file_id AND s.chunk_ordinal = missing.ordinal
),
used AS (
    SELECT defined.chunk_id, max(uses.uses / defined.homes) AS uses
    FROM defined JOIN uses USING (name)
    GROUP BY defined.chunk_id
),
files AS MATERIALIZED (
    SELECT f.id, f.kind, f.path ~ %(aside)s AS is_aside, {IS_DATA} AS is_data,
        f.kind = 'doc' AND (f.path ~* '(^|/)readme' OR f.path !~ '/') AS is_entrance
    FROM sources_file f WHERE f.id IN (SELECT file_id FROM missing)
),
texts AS (
    SELECT DISTINCT ON (missing.embedded_hash)
        missing.chunk_id, missing.since, coalesce(used.uses, 0) AS uses,
        f.is_data, f.is_aside,
        CASE
            WHEN f.is_entrance THEN 0
            WHEN used.uses >= 1 THEN 1
            WHEN missing.kind = 'symbol' OR f.kind = 'doc' THEN 2
            WHEN f.kind = 'code' THEN 3
            ELSE 4
        END AS class
    FROM missing
    JOIN files f ON f.id = missing.file_id
    LEFT JOIN used ON used.chunk_id = missing.chunk_id
    ORDER BY missing.embedded_hash, {_ORDER}
)
SELECT %(spec)s, %(source)s, row_number() OVER (
    ORDER BY {_ORDER}
), chunk_id
FROM texts
"""


def plan_order(spec: EmbeddingSpec, source_id: int, *, after: int) -> int:
    """Line up the texts that need a vector, each once; return how many they are.

    Known ones too: another job may have embedded a text since known ones were copied.
    The database does it all: no list of a large source is held here.
    """
    keys: dict[str, Any] = {
        "spec": spec.pk,
        "source": source_id,
        "after": after,
        "aside": ASIDE_PATTERN,
        "counted_from": _COUNTED_FROM,
    }
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL work_mem = '{_SORT_MEMORY}'")
        PendingText.objects.filter(spec=spec, source=source_id).delete()
        cursor.execute(_RANK, keys)
        return int(cursor.rowcount)


_TAKE = """
WITH taken AS MATERIALIZED (
    SELECT id FROM search_pendingtext
    WHERE spec_id = %(spec)s AND source_id = %(source)s AND batch IS NULL
    ORDER BY rank, id LIMIT %(count)s FOR UPDATE SKIP LOCKED
)
UPDATE search_pendingtext AS pending SET batch = %(batch)s
FROM taken WHERE pending.id = taken.id
"""


def take_texts(
    spec: EmbeddingSpec, source_id: int, *, batch_id: int, count: int
) -> list[int]:
    """Return chunks of the texts a batch has, or else of the next ones, in order.

    A batch that starts again gets what it had not done.
    """
    mine = PendingText.objects.filter(batch=batch_id).order_by("rank", "pk")
    if not mine.exists():
        keys = {"spec": spec.pk, "source": source_id, "batch": batch_id, "count": count}
        with connection.cursor() as cursor:
            cursor.execute(_TAKE, keys)
    return list(mine.values_list("chunk", flat=True))
