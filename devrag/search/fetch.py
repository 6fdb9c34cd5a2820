"""Candidates to hits: text, lines, symbol, context, under the caller's filters."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from operator import or_
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db.models import Exists, OuterRef, Q, QuerySet

from devrag.labels.models import FileLabel
from devrag.labels.types import LabelView
from devrag.parsing.types import CONSTRUCTOR
from devrag.search.document_filters import changed_times, wanted_terms
from devrag.search.globs import path_regex
from devrag.search.prepared import prepared_cursor
from devrag.search.types import (
    CHUNK_KINDS,
    FILE_KINDS,
    SYMBOL_KINDS,
    ContextChunk,
    Hit,
    SearchQuery,
)
from devrag.sources.api import DocumentFacts, label_term
from devrag.sources.models import Chunk, Document, File, Symbol


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that a list brought, with its score 0..1 and its rank per list."""

    chunk_id: int
    score: float
    lexical_rank: int | None
    semantic_rank: int | None


def _body_kinds(kind: str) -> tuple[str, ...]:
    """Return what chunks of the bodies of definitions of a kind have for it."""
    if kind not in SYMBOL_KINDS:
        return ()
    return (kind, CONSTRUCTOR) if kind in {"class", "function"} else (kind,)


def current_chunks(query: SearchQuery) -> QuerySet[Chunk]:
    """Return chunks of current manifests that pass the query's filters."""
    rows = passing_chunks(query).filter(
        file__manifests__until=None, file__manifests__ref__is_current=True
    )
    return rows if query.include_generated else rows.filter(file__is_generated=False)


def passing_chunks(query: SearchQuery) -> QuerySet[Chunk]:
    """Return chunks of any version that pass what the query asks of text and code."""
    rows = Chunk.objects.all()
    filters = {
        "file__path__startswith": query.path_prefix,
        "file__mime": query.mime,
        "file__kind": query.kind if query.kind in FILE_KINDS else "",
        "kind": query.kind if query.kind in CHUNK_KINDS else "",
        "symbol_kind__in": _body_kinds(query.kind),
        "file__language": query.language,
    }
    if query.include_clean_only:
        rows = rows.filter(is_dirty=False)
    if query.depths:
        rows = rows.filter(kind=Chunk.Kind.SECTION, depth__in=query.depths)
    if query.min_complexity or query.max_complexity:
        rows = rows.filter(Exists(_bodies(query)))
    if query.pattern:
        rows = rows.filter(file__path__regex=path_regex(query.pattern))
    if query.tags:
        rows = rows.filter(tags__contains=list(query.tags))
    rows = _with_labels(_of_documents(rows, query), query)
    for path in query.paths:
        rows = rows.filter(_has_place(path))
    for path in query.without_paths:
        rows = rows.exclude(_has_place(path))
    return rows.filter(**{key: value for key, value in filters.items() if value})


def _with_labels(rows: QuerySet[Chunk], query: SearchQuery) -> QuerySet[Chunk]:
    for name, ids in zip(query.labels, query.label_ids, strict=False):
        rows = rows.filter(_has_label(name, ids))
    for name, ids in zip(query.without_labels, query.without_label_ids, strict=False):
        rows = rows.exclude(_has_label(name, ids))
    return rows


def _has_label(name: str, ids: Collection[int]) -> Q:
    """Match chunks of files that have one of these labels, or one of their source."""
    documents = Document.objects.filter(terms__contains=[label_term(name)])
    of_source = Q(file__in=documents.values("pk"))
    if not ids:
        return of_source
    ours = FileLabel.objects.filter(file=OuterRef("file"), label__in=ids)
    return Exists(ours) | of_source


def _of_documents(rows: QuerySet[Chunk], query: SearchQuery) -> QuerySet[Chunk]:
    """Keep chunks of the pages and tickets that the query asks for.

    A plain join: what passes is found by the terms first where these are rare.
    """
    asked: dict[str, Any] = {
        f"file__document__changed_at__{name}": value
        for name, value in changed_times(query).items()
    }
    if terms := wanted_terms(query):
        asked["file__document__terms__contains"] = terms
    return rows.filter(**asked) if asked else rows


def _has_place(path: str) -> Q:
    """Match paths that begin so, or have a folder or a file name that does."""
    return Q(file__path__startswith=path) | Q(file__path__contains=f"/{path}")


def _bodies(query: SearchQuery) -> QuerySet[Symbol]:
    """Return the definition that a chunk is the body of, or a piece of it."""
    rows = Symbol.objects.filter(
        file=OuterRef("file"),
        ordinal=OuterRef("symbol_ordinal"),
        # As of what the index of complexities holds.
        chunk_ordinal__isnull=False,
    )
    if query.min_complexity:
        rows = rows.filter(complexity__gte=query.min_complexity)
    if query.max_complexity:
        rows = rows.filter(complexity__lte=query.max_complexity)
    return rows


def passing_statement(
    query: SearchQuery, source_ids: Collection[int] = ()
) -> tuple[str, tuple[Any, ...]]:
    """Return SQL that selects ids of chunks that pass, with its values; '' = all pass.

    source_ids: leave out others where files are read anyway; indexes begin with them.
    Raises EmptyResultSet when none can pass.
    """
    return _statement(replace(query, text=""), tuple(source_ids))


# Kept, because to build it takes longer than to locate what passes.
@lru_cache(maxsize=256)
def _statement(
    query: SearchQuery, source_ids: tuple[int, ...]
) -> tuple[str, tuple[Any, ...]]:
    rows = passing_chunks(query)
    if not rows.query.where:
        return "", ()
    if source_ids and rows.query.alias_refcount.get(File._meta.db_table):
        rows = rows.filter(file__source__in=source_ids)
    return rows.values("pk").query.sql_with_params()


def hydrate(
    query: SearchQuery, candidates: Collection[Candidate], source_ids: Collection[int]
) -> list[Hit]:
    """Return hits of the candidates that exist and pass the filters, in their order.

    source_ids: what the caller may see; an index on disk may know better or worse.
    """
    chunk_ids = [c.chunk_id for c in candidates]
    try:
        passing, values = passing_statement(query)
    except EmptyResultSet:
        return []
    statement = _HYDRATE.format(
        which="" if query.include_generated else "AND NOT f.is_generated",
        passing=f"AND c.id IN ({passing})" if passing else "",
    )
    with prepared_cursor() as cursor:
        cursor.execute(statement, [chunk_ids, list(source_ids), *values])
        found = {pk: _columns(row) for pk, *row in cursor}
    return [
        Hit(
            chunk_id=c.chunk_id,
            score=c.score,
            lexical_rank=c.lexical_rank,
            semantic_rank=c.semantic_rank,
            **found[c.chunk_id],
        )
        for c in candidates
        if c.chunk_id in found
    ]


def _columns(row: list[Any]) -> dict[str, Any]:
    found = dict(zip(_FIELDS, row, strict=True))
    labels = tuple(LabelView(name, kind) for name, kind in found["labels"])
    known = found["document"]
    return {
        **found,
        "tags": tuple(found["tags"]),
        "labels": labels,
        "document": DocumentFacts.from_json(known) if known else None,
    }


_FIELDS = {
    "path": "f.path",
    "source_name": "s.name",
    "product_name": "p.name",
    "version_identifier": "v.version_identifier",
    "start_line": "c.start_line",
    "end_line": "c.end_line",
    "text": "c.text",
    "kind": "c.kind",
    "language": "f.language",
    "file_kind": "f.kind",
    "mime": "f.mime",
    "heading": "c.heading",
    "is_dirty": "c.is_dirty",
    "symbol_name": "coalesce(b.qualified_name, '')",
    "symbol_uuid": "b.uuid",
    "symbol_kind": "coalesce(b.kind, '')",
    "complexity": "b.complexity",
    "title": "c.title",
    "date": "c.date",
    "tags": "c.tags",
    "ordinal": "c.ordinal",
    "labels": """ARRAY(
        SELECT ARRAY[l.name, l.kind]
        FROM labels_filelabel w JOIN labels_label l ON l.id = w.label_id
        WHERE w.file_id = f.id ORDER BY l.name
    )""",
    "document": """CASE WHEN d.file_id IS NOT NULL THEN json_build_object(
        'title', f.title, 'kind', d.kind, 'place', d.place, 'status', d.status,
        'is_closed', d.is_closed, 'author', d.author, 'labels', d.labels,
        'created', d.created_at, 'changed', d.changed_at, 'url', d.url,
        'version', d.version
    ) END""",
}
# In SQL: to build the same with querysets takes longer than to answer it.
_HYDRATE = f"""
SELECT c.id, {", ".join(_FIELDS.values())}
FROM sources_chunk c
JOIN sources_file f ON f.id = c.file_id
JOIN sources_reffile m ON m.file_id = f.id AND m.until IS NULL
JOIN git_refs r ON r.id = m.ref_id AND r.is_current
LEFT JOIN source_snapshots v ON v.id = r.snapshot_id
JOIN sources s ON s.id = f.source_id
JOIN products_product p ON p.id = s.product_id
LEFT JOIN sources_document d ON d.file_id = f.id
LEFT JOIN sources_symbol b
    ON b.file_id = c.file_id AND b.ordinal = c.symbol_ordinal AND c.kind = 'symbol'
WHERE c.id = ANY(%s) AND f.source_id = ANY(%s) {{which}} {{passing}}
"""


def with_context(hits: list[Hit], size: int) -> list[Hit]:
    """Add up to `size` neighbouring chunks of the same file on each side.

    A hit whose chunk was deleted meanwhile stays as it is.
    """
    if not size or not hits:
        return hits
    anchors = {c.pk: c for c in Chunk.objects.filter(pk__in=[h.chunk_id for h in hits])}
    spans = [
        Q(file=c.file_id, ordinal__range=(c.ordinal - size, c.ordinal + size))
        for c in anchors.values()
    ]
    around: dict[int, list[Chunk]] = {}
    rows = Chunk.objects.filter(reduce(or_, spans)) if spans else Chunk.objects.none()
    for chunk in rows.order_by("file_id", "ordinal"):
        around.setdefault(chunk.file_id, []).append(chunk)
    return [
        _surround(hit, anchors[hit.chunk_id], around, size)
        if hit.chunk_id in anchors
        else hit
        for hit in hits
    ]


def _surround(
    hit: Hit, anchor: Chunk, around: Mapping[int, list[Chunk]], size: int
) -> Hit:
    chunks = around.get(anchor.file_id, [])
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
