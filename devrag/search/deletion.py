"""Remove file versions with everything that hangs on them, in bounded portions.

Set-wise SQL, children first: Django's own cascade would load a million rows. The
caller's transaction makes a portion whole.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection

# Locked first: a parser that is writing their chunks has then ended or finds nothing.
_LOCK = "SELECT id FROM sources_file WHERE id = ANY(%s) ORDER BY id FOR UPDATE"
_VECTORS = """
DELETE FROM search_embedding e USING sources_chunk c
WHERE c.file_id = ANY(%s) AND e.chunk_id = c.id
"""
_CHILDREN = (
    "sources_symbol",
    "sources_reference",
    "sources_fact",
    "sources_document",
    "sources_secretfinding",
    "sources_reffile",
    "sources_stagedchange",
    "labels_filelabel",
    "labels_labelledfile",
    "wiki_documentstatement",
    "wiki_documentpassage",
    "wiki_codename",
    "wiki_conflictreading",
)


def delete_file_versions(file_ids: Sequence[int]) -> dict[str, int]:
    """Delete these file versions; return how many files, chunks and vectors went."""
    ids = [list(file_ids)]
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, ids)
        cursor.execute(_VECTORS, ids)
        vectors = cursor.rowcount
        cursor.execute("DELETE FROM sources_chunk WHERE file_id = ANY(%s)", ids)
        chunks = cursor.rowcount
        for table in _CHILDREN:
            cursor.execute(f"DELETE FROM {table} WHERE file_id = ANY(%s)", ids)
        cursor.execute("DELETE FROM sources_file WHERE id = ANY(%s)", ids)
        return {"files": cursor.rowcount, "chunks": chunks, "vectors": vectors}
