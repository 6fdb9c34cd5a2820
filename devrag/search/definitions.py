"""Where the names that a question writes are defined: what no ranked list may miss."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from devrag.search.candidates import CandidateChunk
from devrag.search.prepared import prepared_cursor

# A name with more definitions says too little to go by.
_MOST = 50


class DefinedName(NamedTuple):
    """What a chunk defines, be it its body or, as of a variable, a line of it."""

    name: str
    kind: str


def find_definitions(
    names: Sequence[str], source_ids: Collection[int]
) -> dict[int, DefinedName]:
    """Return chunks that define one of the names in current manifests. Queries: 1."""
    if not names or not source_ids:
        return {}
    with prepared_cursor() as cursor:
        cursor.execute(_CHUNKS, [sorted(source_ids), list(names), _MOST])
        return {chunk: DefinedName(name, kind) for chunk, name, kind in cursor}


def with_definitions(
    candidates: Sequence[CandidateChunk], defined: Mapping[int, DefinedName]
) -> list[CandidateChunk]:
    """Return candidates that name what they define, where none of them is its body."""
    return [
        each._replace(
            symbol_name=defined[each.chunk_id].name,
            symbol_kind=defined[each.chunk_id].kind,
        )
        if each.chunk_id in defined and not each.symbol_name
        else each
        for each in candidates
    ]


_CHUNKS = """
SELECT DISTINCT ON (s.id) c.id, s.name, s.kind
FROM sources_symbol s
JOIN sources_file f ON f.id = s.file_id AND f.source_id = ANY(%s)
JOIN sources_reffile m ON m.file_id = f.id AND m.until IS NULL
JOIN git_refs r ON r.id = m.ref_id AND r.is_current
JOIN sources_chunk c ON c.file_id = s.file_id AND (
    c.ordinal = s.chunk_ordinal
    OR s.chunk_ordinal IS NULL AND s.scope <> 'local' AND c.kind <> 'symbol'
        AND s.start_line BETWEEN c.start_line AND c.end_line
)
WHERE s.name = ANY(%s)
ORDER BY s.id, c.end_line - c.start_line LIMIT %s
"""
