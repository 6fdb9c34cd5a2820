"""list_collections and get_document_count: what there is to ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import Count, F
from typing_extensions import TypedDict

from devrag.core.principal import Principal
from devrag.mcp.arguments import AnyCollection
from devrag.mcp.caller import Ctx, caller
from devrag.mcp.collections import find_collection
from devrag.products.models import Product
from devrag.search.api import VectorCount, count_by_source
from devrag.sources.models import GitRef, Source
from devrag.wiki.models import Page


class CollectionInfo(TypedDict):
    """A source. indexed_at: ISO 8601, '' before the first index.

    chunks_count: its pieces that get a vector; vectors_count: those that have one.
    """

    name: str
    chunks_count: int
    vectors_count: int
    indexed_at: str
    vector_size: int


class ProductInfo(TypedDict):
    """A product, itself a collection of its sources. wiki_pages: 0 without a wiki."""

    name: str
    title: str
    sources: list[str]
    wiki_pages: int


class Collections(TypedDict):
    """total_chunks, total_vectors: of all collections; while they differ, search by
    meaning does not find everything.
    """

    total_chunks: int
    total_vectors: int
    collections: list[CollectionInfo]
    products: list[ProductInfo]


class SourceCount(TypedDict):
    name: str
    documents: int


class DocumentCount(TypedDict):
    """count: indexed files of all sources asked for; chunks: their pieces."""

    count: int
    chunks: int
    sources: list[SourceCount]


def list_collections(ctx: Ctx) -> Collections:
    """List all sources with their vectors, and all products with their sources.

    Other tools accept both kinds of names as a collection; products have wikis.
    """
    principal = caller(ctx, "read")
    sources = list(Source.objects.visible_to(principal).select_related("product"))
    collections = _collections(sources)
    return Collections(
        total_chunks=sum(each["chunks_count"] for each in collections),
        total_vectors=sum(each["vectors_count"] for each in collections),
        collections=collections,
        products=_products(principal, sources),
    )


def _collections(sources: list[Source]) -> list[CollectionInfo]:
    counts = count_by_source([source.pk for source in sources])
    current = _current_refs(source.pk for source in sources)
    return [
        _collection(source, counts.get(source.pk, VectorCount()), current)
        for source in sources
    ]


def _collection(
    source: Source, count: VectorCount, current: Mapping[int, GitRef]
) -> CollectionInfo:
    return CollectionInfo(
        name=source.name,
        chunks_count=count.chunks,
        vectors_count=count.embedded,
        indexed_at=_indexed_at(current.get(source.pk)),
        vector_size=count.dimensions,
    )


def _current_refs(source_ids: Iterable[int]) -> dict[int, GitRef]:
    refs = GitRef.objects.filter(source__in=list(source_ids), is_current=True)
    return {ref.source_id: ref for ref in refs.select_related("snapshot")}


def _indexed_at(ref: GitRef | None) -> str:
    at = ref.snapshot.indexed_at if ref and ref.snapshot else None
    return at.isoformat(timespec="seconds") if at else ""


def _products(principal: Principal, sources: list[Source]) -> list[ProductInfo]:
    rows = Product.objects.visible_to(principal)
    shown = Page.objects.filter(version__wiki__current=F("version"))
    pages = dict(
        shown.values("version__wiki__product")
        .annotate(total=Count("pk"))
        .values_list("version__wiki__product", "total")
    )
    return [
        ProductInfo(
            name=product.name,
            title=str(product),
            sources=[s.name for s in sources if s.product_id == product.pk],
            wiki_pages=pages.get(product.pk, 0),
        )
        for product in rows
    ]


def get_document_count(ctx: Ctx, collection: AnyCollection = "") -> DocumentCount:
    """Count the indexed files, in total and by source."""
    scope = find_collection(caller(ctx, "read"), collection)
    refs = _current_refs(scope.source_ids).values()
    held = {ref.source_id: ref.snapshot for ref in refs if ref.snapshot}
    rows = Source.objects.filter(pk__in=scope.source_ids)
    return DocumentCount(
        count=sum(snapshot.file_count for snapshot in held.values()),
        chunks=sum(snapshot.chunk_count for snapshot in held.values()),
        sources=[
            SourceCount(
                name=row.name,
                documents=held[row.pk].file_count if row.pk in held else 0,
            )
            for row in rows
        ],
    )
