"""FileFacts as rows of the tables, column by column, for COPY."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

from psycopg.types.json import Jsonb

from devrag.core.hashing import sha256_hex, stable_uuid
from devrag.parsing.types import (
    CONSTRUCTOR,
    OF_TEXTS,
    ChunkFacts,
    FileFacts,
    ReferenceFacts,
    SymbolFacts,
)
from devrag.search.api import embedded_hash
from devrag.sources.api import (
    DocumentFacts,
    get_search_order,
    make_search_name,
    read_document,
)
from devrag.sources.models import File

ParsedFile = tuple[File, FileFacts]
Parsed = Iterable[ParsedFile]
Row = Sequence[Any]

CHUNK = (
    *("file_id", "ordinal", "kind", "start_line", "end_line", "text", "content_hash"),
    *("embedded_hash", "tokens", "header", "heading", "title", "depth"),
    *("parent_ordinal", "symbol_ordinal", "symbol_kind", "date", "tags", "language"),
    "is_dirty",
)
SYMBOL = (
    *("file_id", "uuid", "ordinal", "chunk_ordinal", "parent_ordinal", "kind", "name"),
    *("qualified_name", "signature", "parameters", "return_type", "start_line"),
    *("end_line", "start_column", "end_column", "class_name", "class_hierarchy"),
    *("imports", "called_functions", "docstring", "comments", "scope", "modifiers"),
    *("used_types", "complexity", "loc", "comment_lines", "decorators"),
    *("annotations", "attributes", "value_types"),
    *("source_id", "search_name", "search_order"),
)
REFERENCE = (
    *("source_id", "file_id", "symbol_ordinal", "kind", "name", "line"),
    *("target", "via", "last_name"),
)
FACT = (
    *("file_id", "kind", "name", "start_line", "end_line", "data"),
    "detector_version",
)
DOCUMENT = (
    *("file_id", "kind", "place", "status", "is_closed", "author", "labels"),
    *("created_at", "changed_at", "url", "version", "terms"),
)
_DETECTOR_VERSION = 1


def chunks(parsed: Parsed) -> Iterator[Row]:
    """Yield rows of CHUNK's columns."""
    for file, facts in parsed:
        kind_of = {s.ordinal: _body_kind(s) for s in facts.symbols}
        for c in facts.chunks:
            yield (
                *(file.pk, c.ordinal, c.kind, c.start_line, c.end_line, c.text),
                sha256_hex(c.text),
                _embedded_hash(c),
                *(c.tokens, c.header, c.heading, c.title, c.depth, c.parent),
                *(c.symbol, "" if c.symbol is None else kind_of[c.symbol]),
                date.fromisoformat(c.date) if c.date else None,
                *(list(c.tags), c.language, False),
            )


def _body_kind(s: SymbolFacts) -> str:
    """Return the kind that chunks of a definition have: see `Chunk.symbol_kind`."""
    is_constructor = s.kind == "function" and CONSTRUCTOR in s.modifiers
    return CONSTRUCTOR if is_constructor else s.kind


def _embedded_hash(c: ChunkFacts) -> str:
    return embedded_hash(header=c.header, heading=c.heading, text=c.text)


def symbols(parsed: Parsed) -> Iterator[Row]:
    """Yield rows of SYMBOL's columns."""
    for file, facts in parsed:
        # Of a definition in several pieces the first one defines it.
        chunk_of = {c.symbol: c.ordinal for c in reversed(facts.chunks)}
        seen: Counter[str] = Counter()
        for s in facts.symbols:
            occurrence = seen[s.qualified_name]
            seen[s.qualified_name] += 1
            uuid = stable_uuid(file.source_id, file.path, s.qualified_name, occurrence)
            yield (
                *(file.pk, uuid, s.ordinal, chunk_of.get(s.ordinal), s.parent),
                *_symbol_fields(s),
                *(file.source_id, make_search_name(s.name)),
                _search_order(file, facts.language, s),
            )


def _symbol_fields(s: SymbolFacts) -> Row:
    return (
        *(s.kind, s.name, s.qualified_name, s.signature),
        *(Jsonb([asdict(p) for p in s.parameters]), s.return_type),
        *(s.start_line, s.end_line, s.start_column, s.end_column, s.class_name),
        *(list(s.class_hierarchy), list(s.imports), list(s.called_functions)),
        *(s.docstring, list(s.comments), s.scope, list(s.modifiers)),
        *(list(s.used_types), s.complexity, s.loc, s.comment_lines),
        *(list(s.decorators), list(s.annotations), list(s.attributes)),
        Jsonb(dict(s.value_types)),
    )


def _search_order(file: File, language: str, s: SymbolFacts) -> int:
    return get_search_order(
        kind=s.kind,
        qualified_name=s.qualified_name,
        scope=s.scope,
        modifiers=s.modifiers,
        language=language,
        path=file.path,
        is_generated=file.is_generated,
    )


def references(parsed: Parsed) -> Iterator[Row]:
    """Yield rows of REFERENCE's columns."""
    for file, facts in parsed:
        for r in facts.references:
            yield (
                *(file.source_id, file.pk, r.symbol, r.kind, r.name, r.line),
                *("" if r.target == r.name else r.target, r.via),
                _last_name(r),
            )


def _last_name(reference: ReferenceFacts) -> str:
    written = reference.target or reference.name
    if reference.kind in OF_TEXTS:
        return written
    return written.rpartition(".")[2]


def facts(parsed: Parsed) -> Iterator[Row]:
    """Yield rows of FACT's columns."""
    for file, found in parsed:
        for f in found.facts:
            data = Jsonb(dict(f.data))
            yield (
                *(file.pk, f.kind, f.name, f.start_line, f.end_line, data),
                _DETECTOR_VERSION,
            )


def documents(parsed: Parsed) -> Iterator[Row]:
    """Yield rows of DOCUMENT's columns; of files of wikis and trackers only."""
    for file, _ in parsed:
        found = read_document(file.text)
        if found is not None:
            yield document(file.pk, found)


def document(file_id: int, facts: DocumentFacts) -> Row:
    """Return a row of DOCUMENT's columns."""
    return (
        *(file_id, facts.kind, list(facts.place), facts.status),
        *(facts.is_closed, facts.author, list(facts.labels)),
        *(facts.created_at, facts.changed_at, facts.url, facts.version),
        facts.terms,
    )
