"""The chunks that lists found, with what ranking needs to know of them, no more."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from typing import NamedTuple
from uuid import UUID

from django.core.exceptions import EmptyResultSet

from devrag.search.fetch import passing_statement
from devrag.search.prepared import prepared_cursor
from devrag.search.query_intent import JAPANESE, is_japanese
from devrag.search.types import SearchQuery

# How much of a text is compared with the question.
TEXT_CHARS = 2_000


class CandidateChunk(NamedTuple):
    """Where a chunk lies, and at least the first TEXT_CHARS of its text.

    symbol_…, qualified_name: of the definition whose body it is; '' = none. is_first:
    it is the first piece of it, which names it.
    date: of a memo or a release, as it is written there.
    is_foreign: it has no letter of the language of a Japanese question. document_kind:
    of a page or ticket what it is there, else ''. symbol_uuid, symbol_line: of a
    definition that is a line of it. heading: of a section its own; depth: the heading's
    level, 0 = none.
    """

    chunk_id: int
    path: str
    source_name: str
    start_line: int
    end_line: int
    kind: str
    file_kind: str
    symbol_name: str = ""
    symbol_kind: str = ""
    date: datetime.date | None = None
    is_foreign: bool = False
    text: str = ""
    qualified_name: str = ""
    is_first: bool = True
    document_kind: str = ""
    heading: str = ""
    depth: int = 0
    product_name: str = ""
    symbol_uuid: UUID | None = None
    symbol_line: int = 0


def locate(
    query: SearchQuery, chunk_ids: Collection[int], source_ids: Collection[int]
) -> list[CandidateChunk]:
    """Return the chunks that exist and pass the filters, in no order. Queries: 1.

    source_ids: what the caller may see; an index on disk may know better or worse.
    """
    try:
        passing, values = passing_statement(query)
    except EmptyResultSet:
        return []
    statement = _LOCATE.format(
        which="" if query.include_generated else "AND NOT f.is_generated",
        passing=f"AND c.id IN ({passing})" if passing else "",
        foreign=_FOREIGN if is_japanese(query.text) else "false",
    )
    with prepared_cursor() as cursor:
        cursor.execute(statement, [list(chunk_ids), list(source_ids), *values])
        return [CandidateChunk(*row) for row in cursor.fetchall()]


_FOREIGN = f"c.text !~ '{JAPANESE.pattern}'"
# In SQL: to build the same with querysets takes longer than to answer it. To count the
# characters of a usual chunk takes longer than to send them all.
_LOCATE = f"""
SELECT c.id, f.path, s.name, c.start_line, c.end_line, c.kind, f.kind,
    coalesce(b.name, ''), coalesce(b.kind, ''), c.date, {{foreign}},
    CASE WHEN octet_length(c.text) <= {2 * TEXT_CHARS} THEN c.text
        ELSE left(c.text, {TEXT_CHARS}) END,
    coalesce(b.qualified_name, ''), coalesce(b.chunk_ordinal = c.ordinal, true),
    coalesce(d.kind, ''), c.heading, coalesce(c.depth, 0), p.name
FROM sources_chunk c
JOIN sources_file f ON f.id = c.file_id
JOIN sources_reffile m ON m.file_id = f.id AND m.until IS NULL
JOIN git_refs r ON r.id = m.ref_id AND r.is_current
JOIN sources s ON s.id = f.source_id
JOIN products_product p ON p.id = s.product_id
LEFT JOIN sources_document d ON d.file_id = f.id
LEFT JOIN sources_symbol b
    ON b.file_id = c.file_id AND b.ordinal = c.symbol_ordinal AND c.kind = 'symbol'
WHERE c.id = ANY(%s) AND f.source_id = ANY(%s) {{which}} {{passing}}
"""
