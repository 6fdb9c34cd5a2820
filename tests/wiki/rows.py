"""Writes sources into the tables as indexing does, for tests of what reads them."""

from __future__ import annotations

from collections.abc import Mapping

from devrag.core.hashing import sha256_hex, stable_uuid
from devrag.parsing.api import parse_file
from devrag.parsing.types import FACTS_VERSION, FileFacts
from devrag.products.models import Product
from devrag.sources.models import (
    Fact,
    File,
    GitRef,
    Reference,
    RefFile,
    Snapshot,
    Source,
    Symbol,
)


def index_source(
    product: Product, name: str, tree: Mapping[str, str], commit: str
) -> GitRef:
    """Make `tree` the source's current manifest; call again for the next commit."""
    source, _ = Source.objects.get_or_create(
        name=name, defaults={"product": product, "source_type": "git"}
    )
    snapshot, _ = Snapshot.objects.get_or_create(
        source=source, version_identifier=commit, defaults={"is_indexed": True}
    )
    ref, _ = GitRef.objects.get_or_create(
        source=source, name="main", defaults={"kind": "branch", "is_current": True}
    )
    ref.sequence += 1
    ref.snapshot = snapshot
    ref.save()
    wanted = [_file(source, path, text) for path, text in tree.items()]
    open_rows = RefFile.objects.filter(ref=ref, until=None)
    open_rows.exclude(file__in=wanted).update(until=ref.sequence)
    held = set(open_rows.values_list("file_id", flat=True))
    RefFile.objects.bulk_create(
        RefFile(ref=ref, file=file, since=ref.sequence)
        for file in wanted
        if file.pk not in held
    )
    return ref


def _file(source: Source, path: str, text: str) -> File:
    found = parse_file(path, text)
    file, is_new = File.objects.get_or_create(
        source=source,
        path=path,
        content_hash=sha256_hex(text),
        facts_version=FACTS_VERSION,
        defaults={
            "digest": sha256_hex(text),
            "size": len(text),
            "lines": found.lines,
            "language": found.language,
            "kind": found.kind,
            "title": found.title,
            "module": found.module,
            "text": text,
            "state": File.State.PARSED,
        },
    )
    if is_new:
        _facts(source, file, found)
    return file


def _facts(source: Source, file: File, found: FileFacts) -> None:
    Symbol.objects.bulk_create(
        Symbol(
            source=source,
            file=file,
            uuid=stable_uuid(source.pk, file.path, s.qualified_name, s.ordinal),
            ordinal=s.ordinal,
            parent_ordinal=s.parent,
            kind=s.kind,
            name=s.name,
            qualified_name=s.qualified_name,
            signature=s.signature,
            start_line=s.start_line,
            end_line=s.end_line,
            docstring=s.docstring,
        )
        for s in found.symbols
    )
    Reference.objects.bulk_create(
        Reference(
            source=source,
            file=file,
            symbol_ordinal=r.symbol,
            kind=r.kind,
            name=r.name,
            line=r.line,
            target=r.target,
            via=r.via,
        )
        for r in found.references
    )
    Fact.objects.bulk_create(
        Fact(
            file=file,
            kind=f.kind,
            name=f.name,
            start_line=f.start_line,
            end_line=f.end_line,
            data=dict(f.data),
        )
        for f in found.facts
    )
