"""list_collections and get_document_count: what there is to ask."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, F
from typing_extensions import TypedDict

from devrag.core.principal import Principal
from devrag.mcp.arguments import AnyCollection
from devrag.mcp.caller import Ctx, caller
from devrag.mcp.collections import find_collection
from devrag.products.models import Product
from devrag.search.api import active_spec
from devrag.search.models import VectorCoverage
from devrag.sources.models import GitRef, Source
from devrag.wiki.models import Page


class CollectionInfo(TypedDict):
    """A source. indexed_at: ISO 8601, '' before the first index."""

    name: str
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
    """List what can be asked: sources with their vectors, and products of sources.

    Both kinds of names are a collection for other tools; products have wikis.
    """
    principal = caller(ctx, "read")
    sources = list(Source.objects.visible_to(principal).select_related("product"))
    return Collections(
        collections=_collections(sources), products=_products(principal, sources)
    )


def _collections(sources: list[Source]) -> list[CollectionInfo]:
    spec = active_spec()
    vectors = dict(
        VectorCoverage.objects.filter(spec=spec).values_list("source", "embedded")
    )
    current = _current_refs(source.pk for source in sources)
    return [
        CollectionInfo(
            name=source.name,
            vectors_count=vectors.get(source.pk, 0),
            indexed_at=_indexed_at(current.get(source.pk)),
            vector_size=spec.dimensions if spec else 0,
        )
        for source in sources
    ]


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
    """Count the indexed files, altogether and by source."""
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
