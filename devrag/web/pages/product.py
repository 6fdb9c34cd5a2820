"""One product: its sources, its wiki, its jobs, and the first lines of its README."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from devrag.core.markdown import RenderedPage, render_markdown
from devrag.core.page_urls import file_url
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.sources.models import File, GitRef, Source
from devrag.sources.selectors import CURRENT_VERSION
from devrag.web.pages.dashboard import ProductCard, gather, to_card
from devrag.web.pages.jobs import JobRow, jobs_of_product, list_poll_seconds
from devrag.web.pages.paths import resolve_repository_link
from devrag.web.pages.vectors import VectorPanel, get_vector_panel
from devrag.wiki.models import Page, Wiki

RECENT_JOBS = 6
README_CHARACTERS = 3_000
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]+\]: +\S.*$", re.MULTILINE)
_README = r"^readme(\.(md|markdown|txt|rst))?$"


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source, what its current ref points at, and when it is indexed again."""

    name: str
    kind: str
    location: str
    ref: str
    version: str
    committed_at: datetime | None
    indexed_at: datetime | None
    file_count: int
    chunk_count: int
    line_count: int
    skip_count: int
    index_every_minutes: int | None
    is_wiki_scheduled: bool
    next_index_at: datetime | None
    index_failures: int
    index_error: str


@dataclass(frozen=True, slots=True)
class Readme:
    url: str
    path: str
    page: RenderedPage


@dataclass(frozen=True, slots=True)
class ProductPage:
    product: Product
    card: ProductCard
    sources: tuple[SourceRow, ...]
    jobs: tuple[JobRow, ...]
    wiki_pages: tuple[Page, ...]
    readme: Readme | None
    vectors: VectorPanel

    @property
    def may_maintain(self) -> bool:
        return self.vectors.may_maintain

    @property
    def wiki_job(self) -> JobRow | None:
        """The job that writes the wiki, or will."""
        return next((job for job in self.card.jobs if job.kind == "wiki"), None)

    @property
    def poll_seconds(self) -> int:
        return list_poll_seconds(self.jobs)


def get_product_page(principal: Principal, product: Product) -> ProductPage:
    """Return the page of a product. Queries: 14."""
    facts = gather([product], principal)
    jobs = jobs_of_product(principal, product, limit=RECENT_JOBS)
    wiki = facts.wikis.get(product.pk)
    return ProductPage(
        product=product,
        card=to_card(product, facts, tuple(job for job in jobs if job.is_open)),
        sources=_list_sources(facts.sources[product.pk]),
        jobs=jobs,
        wiki_pages=_list_wiki_pages(wiki),
        readme=find_readme(product, facts.sources[product.pk]),
        vectors=get_vector_panel(principal, product),
    )


def _list_sources(sources: Sequence[Source]) -> tuple[SourceRow, ...]:
    refs = {
        ref.source_id: ref
        for ref in GitRef.objects.filter(source__in=sources, is_current=True)
        .select_related("snapshot")
        .annotate(skip_count=Count("skips"))
    }
    rows = []
    for source in sources:
        ref = refs.get(source.pk)
        snapshot = ref.snapshot if ref else None
        rows.append(
            SourceRow(
                name=source.name,
                kind=source.source_type,
                location=source.location,
                ref=ref.name if ref else "",
                version=snapshot.version_identifier if snapshot else "",
                committed_at=snapshot.committed_at if snapshot else None,
                indexed_at=snapshot.indexed_at if snapshot else None,
                file_count=snapshot.file_count if snapshot else 0,
                chunk_count=snapshot.chunk_count if snapshot else 0,
                line_count=snapshot.line_count if snapshot else 0,
                skip_count=getattr(ref, "skip_count", 0),
                index_every_minutes=source.index_every_minutes,
                is_wiki_scheduled=source.is_wiki_scheduled,
                next_index_at=source.next_index_at,
                index_failures=source.index_failures,
                index_error=source.index_error,
            )
        )
    return tuple(rows)


def _list_wiki_pages(wiki: Wiki | None) -> tuple[Page, ...]:
    if wiki is None:
        return ()
    pages = Page.objects.filter(version=wiki.current_id)
    return tuple(pages.only("path", "title", "kind", "summary", "ordinal", "version"))


def find_readme(product: Product, sources: Sequence[Source]) -> Readme | None:
    """Return the opening of the README at the root of one of the product's sources."""
    is_current = Q(manifests__until=None, manifests__ref__is_current=True)
    file = (
        File.objects.filter(is_current, source__in=sources, path__iregex=_README)
        .select_related("source")
        .order_by("source__name", "path")
        .first()
    )
    if file is None:
        return None
    source = file.source.name
    return Readme(
        url=file_url(product.name, source, CURRENT_VERSION, file.path),
        path=file.path,
        page=render_markdown(
            _opening(file.text),
            resolve_link=resolve_repository_link(
                product.name, source, CURRENT_VERSION, file.path
            ),
            drops_html=True,
        ),
    )


def _opening(text: str) -> str:
    if len(text) <= README_CHARACTERS:
        return text
    opening = text[:README_CHARACTERS].rsplit("\n", 1)[0]
    # Links name addresses that stand at the end.
    definitions = _DEFINITION.findall(text[len(opening) :])
    return "\n".join([opening, "", *definitions])
