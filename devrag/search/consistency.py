"""Vectors that disagree with the manifests, and partitions of specs that are gone."""

from __future__ import annotations

from django.db import connection
from psycopg import sql

from devrag.search.models import EmbeddingSpec
from devrag.search.semantic.embedded_files import IS_EMBEDDED
from devrag.search.semantic.specs import partition_name

# A file that gets no vectors may have some or not, seen or not: neither is a mistake.
_LIVE = """
    SELECT m.file_id FROM git_refs r
    JOIN sources_reffile m ON m.ref_id = r.id AND m.until IS NULL
    JOIN sources_file f ON f.id = m.file_id
    WHERE r.source_id = e.source_id AND r.is_current AND m.file_id = c.file_id
"""
_WRONG = f"""
FROM sources_chunk c
WHERE c.id = e.chunk_id AND (
    (e.is_live AND NOT EXISTS ({_LIVE}))
    OR (NOT e.is_live AND EXISTS ({_LIVE} AND {IS_EMBEDDED}))
)
"""
_COUNT_WRONG = f"""
SELECT e.source_id, count(*) FROM search_embedding e
WHERE EXISTS (SELECT 1 {_WRONG}) GROUP BY e.source_id
"""
_LACKING = f"""
SELECT DISTINCT r.source_id, s.id FROM search_embeddingspec s
CROSS JOIN git_refs r
JOIN sources_reffile m ON m.ref_id = r.id AND m.until IS NULL
JOIN sources_file f ON f.id = m.file_id AND {IS_EMBEDDED}
JOIN sources_chunk c ON c.file_id = f.id
LEFT JOIN search_embedding e ON e.chunk_id = c.id AND e.spec_id = s.id
WHERE r.is_current AND e.chunk_id IS NULL
"""
# What a source's share of vectors is reckoned from, against the rows themselves.
_WRONG_COUNTS = f"""
SELECT v.source_id, v.spec_id FROM search_vectorcoverage v
WHERE v.chunks <> (
    SELECT count(*) FROM git_refs r
    JOIN sources_reffile m ON m.ref_id = r.id AND m.until IS NULL
    JOIN sources_file f ON f.id = m.file_id AND {IS_EMBEDDED}
    JOIN sources_chunk c ON c.file_id = f.id
    WHERE r.source_id = v.source_id AND r.is_current
) OR v.embedded <> (
    SELECT count(*) FROM search_embedding e
    WHERE e.spec_id = v.spec_id AND e.source_id = v.source_id AND e.is_live
)
"""
_PARTITIONS = """
SELECT relname FROM pg_class
WHERE relkind = 'r' AND pg_table_is_visible(oid)
  AND relname ~ '^search_embedding_[0-9]+$'
"""


def wrong_live_flags() -> dict[int, int]:
    """Return source id → vectors that search sees or misses wrongly."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT_WRONG)
        return dict(cursor.fetchall())


def lacking_vectors() -> set[tuple[int, int]]:
    """Return source id and spec id where a chunk of the current manifest lacks one.

    Of all specs: which of them a source should have is not asked here.
    """
    with connection.cursor() as cursor:
        cursor.execute(_LACKING)
        return set(cursor.fetchall())


def wrong_counts() -> set[tuple[int, int]]:
    """Return source id and spec id where chunks or vectors are counted wrongly."""
    with connection.cursor() as cursor:
        cursor.execute(_WRONG_COUNTS)
        return set(cursor.fetchall())


def orphan_partitions() -> list[str]:
    """Return tables of vectors whose spec is gone."""
    with connection.cursor() as cursor:
        cursor.execute(_PARTITIONS)
        tables = {row[0] for row in cursor.fetchall()}
    # Read after the tables: one that a new spec makes meanwhile is not taken for lost.
    known = {partition_name(spec) for spec in EmbeddingSpec.objects.all()}
    return sorted(tables - known)


def drop_partition(name: str) -> None:
    """Drop the table of a spec that is gone."""
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("DROP TABLE {}").format(sql.Identifier(name)))
