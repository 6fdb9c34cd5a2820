"""Where the names that a question writes are defined: what no ranked list may miss."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from devrag.search.candidates import CandidateChunk
from devrag.search.prepared import prepared_cursor

# A name with more definitions says too little to go by.
_MOST = 50
_MOST_USES = 200


class DefinedName(NamedTuple):
    """What a chunk defines, be it its body or, as of a variable, a line of it."""

    name: str
    kind: str
    uuid: UUID | None = None
    line: int = 0


def find_definitions(
    names: Sequence[str], source_ids: Collection[int]
) -> dict[int, DefinedName]:
    """Return chunks that define one of the names in current manifests. Queries: 1."""
    if not names or not source_ids:
        return {}
    with prepared_cursor() as cursor:
        cursor.execute(_CHUNKS, [sorted(source_ids), list(names), _MOST])
        return {chunk: DefinedName(*named) for chunk, *named in cursor}


def find_users(names: Sequence[str], source_ids: Collection[int]) -> list[int]:
    """Return chunks of definitions that use one of the names. Queries: 1."""
    if not names or not source_ids:
        return []
    with prepared_cursor() as cursor:
        cursor.execute(_USERS, [sorted(source_ids), list(names), _MOST_USES])
        return list(dict.fromkeys(chunk for _, chunk in cursor))


def with_definitions(
    candidates: Sequence[CandidateChunk], defined: Mapping[int, DefinedName]
) -> list[CandidateChunk]:
    """Return candidates that name what they define, where none of them is its body."""
    return [
        each._replace(
            symbol_name=defined[each.chunk_id].name,
            symbol_kind=defined[each.chunk_id].kind,
            symbol_uuid=defined[each.chunk_id].uuid,
            symbol_line=defined[each.chunk_id].line,
        )
        if each.chunk_id in defined and not each.symbol_name
        else each
        for each in candidates
    ]


_CHUNKS = """
SELECT DISTINCT ON (s.id) c.id, s.name, s.kind, s.uuid, s.start_line
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
# The smallest body around each use; imports use nothing yet.
_USERS = """
SELECT DISTINCT ON (x.id) x.id, c.id
FROM (
    SELECT u.id, u.file_id, u.line FROM sources_reference u
    JOIN sources_reffile m ON m.file_id = u.file_id AND m.until IS NULL
    JOIN git_refs r ON r.id = m.ref_id AND r.is_current
    WHERE u.source_id = ANY(%s) AND u.last_name = ANY(%s) AND u.kind <> 'import'
    ORDER BY u.id LIMIT %s
) x
JOIN sources_chunk c ON c.file_id = x.file_id AND c.kind = 'symbol'
    AND x.line BETWEEN c.start_line AND c.end_line
ORDER BY x.id, c.end_line - c.start_line
"""
