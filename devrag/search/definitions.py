"""Where the names that a question writes are defined: what no ranked list may miss."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from devrag.search.prepared import prepared_cursor

# A name with more definitions says too little to go by.
_MOST = 50


def find_definitions(names: Sequence[str], source_ids: Collection[int]) -> list[int]:
    """Return chunks that define one of the names in current manifests. Queries: 1."""
    if not names or not source_ids:
        return []
    with prepared_cursor() as cursor:
        cursor.execute(_CHUNKS, [sorted(source_ids), list(names), _MOST])
        return [row[0] for row in cursor.fetchall()]


_CHUNKS = """
SELECT DISTINCT c.id
FROM sources_symbol s
JOIN sources_file f ON f.id = s.file_id AND f.source_id = ANY(%s)
JOIN sources_reffile m ON m.file_id = f.id AND m.until IS NULL
JOIN git_refs r ON r.id = m.ref_id AND r.is_current
JOIN sources_chunk c ON c.file_id = s.file_id AND c.ordinal = s.chunk_ordinal
WHERE s.name = ANY(%s)
ORDER BY c.id LIMIT %s
"""
