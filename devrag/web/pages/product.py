"""The overview of a product: what it is, where to read on, and how fresh all is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from devrag.core.markdown import RenderedPage, render_markdown
from devrag.core.page_urls import file_url
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.sources.models import File, Source
from devrag.sources.selectors import CURRENT_VERSION
from devrag.web.pages.dashboard import ProductCard, gather, to_card
from devrag.web.pages.jobs import JobRow, jobs_of_product, list_poll_seconds
from devrag.web.pages.paths import resolve_repository_link
from devrag.web.pages.source_list import RECENT_JOBS, SourceRow, list_sources
from devrag.web.pages.vectors import VectorPanel, get_vector_panel
from devrag.wiki.api import conflicts_of, outdated_of
from devrag.wiki.models import Page, Wiki

README_CHARACTERS = 3_000
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]+\]: +\S.*$", re.MULTILINE)
_README = r"^readme(\.(md|markdown|txt|rst))?$"


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
    open_conflicts: int
    open_outdated: int

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
    """Return the overview of a product. Queries: 17."""
    facts = gather([product], principal)
    jobs = jobs_of_product(principal, product, limit=RECENT_JOBS)
    wiki = facts.wikis.get(product.pk)
    return ProductPage(
        product=product,
        card=to_card(product, facts, tuple(job for job in jobs if job.is_open)),
        sources=list_sources(facts.sources[product.pk]),
        jobs=jobs,
        wiki_pages=_list_wiki_pages(wiki),
        readme=find_readme(product, facts.sources[product.pk]),
        vectors=get_vector_panel(principal, product),
        open_conflicts=conflicts_of(product, principal, state="open").count(),
        open_outdated=outdated_of(product, principal, state="open").count(),
    )


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
