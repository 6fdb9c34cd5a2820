"""Candidates to hits: text, lines, symbol, context, under the caller's filters."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from devrag.search.types import (
    CHUNK_KINDS,
    FILE_KINDS,
    SYMBOL_KINDS,
    ContextChunk,
    Hit,
    SearchQuery,
)
from devrag.sources.models import Chunk, Symbol


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that a list brought, with its score 0..1 and its rank per list."""

    chunk_id: int
    score: float
    lexical_rank: int | None
    semantic_rank: int | None


def current_chunks(query: SearchQuery) -> QuerySet[Chunk]:
    """Return chunks of current manifests that pass the query's filters."""
    rows = Chunk.objects.filter(
        file__manifests__until=None, file__manifests__ref__is_current=True
    )
    filters = {
        "file__path__startswith": query.path_prefix,
        "file__mime": query.mime,
        "file__kind": query.kind if query.kind in FILE_KINDS else "",
        "kind": query.kind if query.kind in CHUNK_KINDS else "",
        "file__language": query.language,
    }
    if not query.include_generated:
        rows = rows.filter(file__is_generated=False)
    if query.include_clean_only:
        rows = rows.filter(is_dirty=False)
    if query.kind in SYMBOL_KINDS or query.min_complexity:
        rows = rows.filter(Exists(_bodies(query)))
    for path in query.paths:
        rows = rows.filter(_has_place(path))
    for path in query.without_paths:
        rows = rows.exclude(_has_place(path))
    return rows.filter(**{key: value for key, value in filters.items() if value})


def _has_place(path: str) -> Q:
    """Match paths that begin so, or have a folder or a file name that does."""
    return Q(file__path__startswith=path) | Q(file__path__contains=f"/{path}")


def _bodies(query: SearchQuery) -> QuerySet[Symbol]:
    """Return the definitions that a chunk may be the body of."""
    rows = Symbol.objects.filter(
        file=OuterRef("file"), chunk_ordinal=OuterRef("ordinal")
    )
    if query.kind in SYMBOL_KINDS:
        rows = rows.filter(kind=query.kind)
    if query.min_complexity:
        rows = rows.filter(complexity__gte=query.min_complexity)
    return rows


def hydrate(
    query: SearchQuery, candidates: Collection[Candidate], source_ids: Collection[int]
) -> list[Hit]:
    """Return hits of the candidates that exist and pass the filters, in their order.

    source_ids: what the caller may see; an index on disk may know better or worse.
    """
    rows = {
        chunk.pk: chunk
        for chunk in current_chunks(query)
        .filter(pk__in=[c.chunk_id for c in candidates], file__source__in=source_ids)
        .select_related("file__source__product")
        .annotate(version=F("file__manifests__ref__snapshot__version_identifier"))
        .defer("file__text")
    }
    symbols = _symbols(rows)
    return [
        _hit(rows[c.chunk_id], c, symbols.get(c.chunk_id))
        for c in candidates
        if c.chunk_id in rows
    ]


def _symbols(rows: Mapping[int, Chunk]) -> dict[int, Symbol]:
    keys = {(c.file_id, c.ordinal): c.pk for c in rows.values() if c.kind == "symbol"}
    found: dict[int, Symbol] = {}
    symbols = Symbol.objects.filter(
        file_id__in={file_id for file_id, _ in keys}, chunk_ordinal__isnull=False
    ).only("file", "chunk_ordinal", "qualified_name", "uuid", "complexity")
    for symbol in symbols.order_by("ordinal"):
        chunk_id = keys.get((symbol.file_id, symbol.chunk_ordinal or 0))
        if chunk_id is not None:
            found.setdefault(chunk_id, symbol)
    return found


def _hit(chunk: Chunk, candidate: Candidate, symbol: Symbol | None) -> Hit:
    file = chunk.file
    return Hit(
        chunk_id=chunk.pk,
        path=file.path,
        source_name=file.source.name,
        product_name=file.source.product.name,
        version_identifier=chunk.version,  # type: ignore[attr-defined]
        start_line=chunk.start_line,
        end_line=chunk.end_line,
        text=chunk.text,
        score=candidate.score,
        kind=chunk.kind,
        language=file.language,
        file_kind=file.kind,
        mime=file.mime,
        heading=chunk.heading,
        symbol_name=symbol.qualified_name if symbol else "",
        is_dirty=chunk.is_dirty,
        symbol_uuid=symbol.uuid if symbol else None,
        symbol_kind=symbol.kind if symbol else "",
        complexity=symbol.complexity if symbol else None,
        lexical_rank=candidate.lexical_rank,
        semantic_rank=candidate.semantic_rank,
    )


def with_context(hits: list[Hit], size: int) -> list[Hit]:
    """Add up to `size` neighbouring chunks of the same file on each side (S2-8.7-6)."""
    if not size or not hits:
        return hits
    anchors = {c.pk: c for c in Chunk.objects.filter(pk__in=[h.chunk_id for h in hits])}
    files = {chunk.file_id for chunk in anchors.values()}
    around: dict[int, list[Chunk]] = {}
    for chunk in Chunk.objects.filter(file_id__in=files).order_by("file_id", "ordinal"):
        around.setdefault(chunk.file_id, []).append(chunk)
    return [_surround(hit, anchors[hit.chunk_id], around, size) for hit in hits]


def _surround(
    hit: Hit, anchor: Chunk, around: Mapping[int, list[Chunk]], size: int
) -> Hit:
    chunks = around[anchor.file_id]
    low, high = anchor.ordinal - size, anchor.ordinal + size
    before = [c for c in chunks if low <= c.ordinal < anchor.ordinal]
    after = [c for c in chunks if anchor.ordinal < c.ordinal <= high]
    return replace(
        hit,
        context_before=tuple(map(_context, before)),
        context_after=tuple(map(_context, after)),
    )


def _context(chunk: Chunk) -> ContextChunk:
    return ContextChunk(chunk.start_line, chunk.end_line, chunk.text)
