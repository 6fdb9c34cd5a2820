"""Read the chunks of files as the lexical index takes them, in parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC
from typing import Any, NamedTuple

from devrag.labels.api import labels_of_files
from devrag.parsing.types import CONSTRUCTOR
from devrag.search.lexical.store import LexicalDocument
from devrag.sources.models import Chunk, Document, Symbol

_FILES_PER_QUERY = 200


def read_documents(source_id: int, file_ids: list[int]) -> Iterator[LexicalDocument]:
    """Yield the chunks of these files with what filters ask for. Queries: 4 a part."""
    for start in range(0, len(file_ids), _FILES_PER_QUERY):
        part = file_ids[start : start + _FILES_PER_QUERY]
        definitions, labels = _definitions(part), labels_of_files(part)
        documents = _documents(part)
        chunks = Chunk.objects.filter(file_id__in=part).order_by("file", "ordinal")
        for row in chunks.values(*_CHUNK_FIELDS).iterator(chunk_size=2000):
            key = row["file_id"], row["symbol_ordinal"]
            defined = definitions.get(key, _NOTHING_DEFINED)
            terms, changed_day = documents.get(row["file_id"], _NO_DOCUMENT)
            is_first = defined.chunk_ordinal == row["ordinal"]
            yield LexicalDocument(
                chunk_id=row["pk"],
                file_id=row["file_id"],
                source_id=source_id,
                body=row["text"],
                path=row["file__path"],
                # Further pieces of a definition do not define its name again.
                symbols=defined.name if is_first else "",
                headings=f"{row['title']} {row['heading']}",
                header=row["header"],
                is_generated=row["file__is_generated"],
                language=row["file__language"],
                mime=row["file__mime"],
                kinds=tuple(filter(None, _kinds(row, defined))),
                complexity=defined.complexity,
                label_ids=tuple(labels.get(row["file_id"], ())),
                terms=terms,
                changed_day=changed_day,
            )


_CHUNK_FIELDS = (
    *("pk", "file_id", "ordinal", "kind", "text", "header", "heading", "title"),
    *("symbol_ordinal", "symbol_kind", "file__path", "file__is_generated"),
    *("file__language", "file__mime", "file__kind"),
)


class _Definition(NamedTuple):
    """A definition with the first chunk of its body."""

    chunk_ordinal: int | None = None
    name: str = ""
    kind: str = ""
    complexity: int = 0


_NOTHING_DEFINED = _Definition()
_NO_DOCUMENT: tuple[tuple[str, ...], int] = ((), 0)


def _kinds(row: Mapping[str, Any], defined: _Definition) -> Iterator[str]:
    yield from (row["file__kind"], row["kind"], defined.kind)
    if row["symbol_kind"] == CONSTRUCTOR:
        yield "class"


def _documents(file_ids: list[int]) -> dict[int, tuple[tuple[str, ...], int]]:
    """Return the terms and the day of change, in UTC, of pages and tickets by file."""
    rows = Document.objects.filter(file__in=file_ids)
    return {
        pk: (tuple(terms), changed.astimezone(UTC).toordinal() if changed else 0)
        for pk, terms, changed in rows.values_list("pk", "terms", "changed_at")
    }


def _definitions(file_ids: list[int]) -> dict[tuple[int, int | None], _Definition]:
    """Return definitions with text of their own by file and ordinal."""
    rows = Symbol.objects.filter(file_id__in=file_ids, chunk_ordinal__isnull=False)
    return {
        (file_id, ordinal): _Definition(first, name, kind, complexity or 0)
        for file_id, ordinal, first, name, kind, complexity in rows.values_list(
            *("file_id", "ordinal", "chunk_ordinal", "qualified_name", "kind"),
            "complexity",
        )
    }
