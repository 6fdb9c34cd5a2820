"""A version of a source as indexing leaves it in the tables, without a repository."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from devrag.core.hashing import sha256_hex, stable_uuid
from devrag.indexing import rows
from devrag.navigation.symbols import symbols_of
from devrag.parsing.api import parse_file
from devrag.sources.api import make_search_name
from devrag.sources.copy import copy_rows
from devrag.sources.models import (
    Chunk,
    File,
    GitRef,
    RefFile,
    SecretFinding,
    Source,
    Symbol,
)
from devrag.wiki.models import DocumentConflict, OutdatedCitation, OutdatedDocument


def store_files(ref: GitRef, files: Mapping[str, str]) -> None:
    """Add parsed files to a ref's current manifest."""
    parsed = []
    for path, text in files.items():
        facts = parse_file(path, text)
        file = File.objects.create(
            source=ref.source,
            path=path,
            digest=sha256_hex(text),
            content_hash=sha256_hex(text),
            facts_version=facts.facts_version,
            size=len(text),
            lines=facts.lines,
            language=facts.language,
            kind=facts.kind,
            module=facts.module,
            text=text,
            state=File.State.PARSED,
        )
        parsed.append((file, facts))
        RefFile.objects.create(ref=ref, file=file, since=ref.sequence)
    copy_rows("sources_symbol", rows.SYMBOL, rows.symbols(parsed))
    copy_rows("sources_reference", rows.REFERENCE, rows.references(parsed))


def add_conflict(source: Source) -> DocumentConflict:
    """Add a conflict of a document of a source with nothing in the code."""
    return DocumentConflict.objects.create(
        product=source.product,
        key=sha256_hex(source.name),
        kind="path",
        subject="gone.py",
        document_source=source,
        document_path="README.md",
        document_start=1,
        document_end=1,
        document_excerpt="See `gone.py`.",
        document_hash=sha256_hex("See `gone.py`."),
    )


def add_secret(file: File, line: int = 1, rule: str = "github-pat") -> SecretFinding:
    """Add that something was masked in a file."""
    return SecretFinding.objects.create(
        file=file,
        rule=rule,
        line=line,
        key=sha256_hex(f"{file.path} {rule} {line}"),
        first_seen_at=datetime(2026, 1, 1, tzinfo=UTC),
        first_version="b" * 40,
    )


def add_outdated(
    source: Source, path: str = "README.md", **fields: Any
) -> OutdatedDocument:
    """Add a document that may be outdated: a definition that it names changed."""
    written, changed = (datetime(2026, month, 1, tzinfo=UTC) for month in (1, 3))
    defaults = {"lines": 12, "newest_change": 7, "found_at": changed}
    row = OutdatedDocument.objects.create(
        product=source.product,
        source=source,
        path=path,
        written_at=written,
        changed_at=changed,
        **defaults | fields,
    )
    OutdatedCitation.objects.create(
        document=row,
        line=3,
        source=source,
        path="src/berth.py",
        symbol="Berth.moor",
        lines=row.lines,
        changes=2,
        commit="c" * 40,
        changed_at=changed,
    )
    return row


def add_symbol(file: File, name: str, **fields: Any) -> Symbol:
    """Add a symbol of a qualified name; a class of one line unless fields say else."""
    last = name.rpartition(".")[2]
    defaults = {
        "source": file.source,
        "uuid": stable_uuid(name),
        "ordinal": 0,
        "kind": "class",
        "name": last,
        "qualified_name": name,
        "start_line": 1,
        "end_line": 1,
        "search_name": make_search_name(last),
    }
    symbol = Symbol.objects.create(file=file, **defaults | fields)
    body = Chunk.objects.filter(file=file, ordinal=symbol.chunk_ordinal)
    body.update(symbol_ordinal=symbol.ordinal, symbol_kind=symbol.kind)
    return symbol


def symbol_named(ref: GitRef, name: str) -> Symbol:
    """Return the one symbol of a qualified name."""
    return symbols_of(ref).get(qualified_name=name)
