"""A page as a kept version has it: to read, not to change."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from devrag.core.markdown import RenderedPage, TocEntry, render_markdown
from devrag.core.page_urls import old_wiki_url, wiki_url
from devrag.products.models import Product
from devrag.web.pages.paths import resolve_wiki_link
from devrag.web.pages.wiki_claims import cite, row_label
from devrag.web.pages.wiki_difference import compare_url
from devrag.web.pages.wiki_tree import TreeGroup, build_groups, list_kept_pages
from devrag.wiki.api import find_readable_wiki, find_version, get_page, prefix_of
from devrag.wiki.models import Page, Version


@dataclass(frozen=True, slots=True)
class OldPage:
    """now_url: what readers see in its place. difference_url: '' where it is that."""

    version: Version
    page: Page
    rendered: RenderedPage
    groups: tuple[TreeGroup, ...]
    now_url: str
    difference_url: str

    @property
    def language(self) -> str:
        return self.version.wiki.language

    @property
    def toc(self) -> list[TocEntry]:
        return [heading for heading in self.rendered.toc if heading.level in {2, 3}]


def get_old_page(product: Product, number: int, language: str, path: str) -> OldPage:
    """Return a page of a kept version; its links stay within it. Queries: 7."""
    wiki, wikis = find_readable_wiki(product, language)
    version = find_version(product, number, wiki.language)
    page = get_page(version, path)
    written = Page.objects.filter(version=version).written().with_first_file()
    pages = list(written.defer("markdown", "files"))
    to_url = partial(old_wiki_url, product.name, number, wiki.language)
    current = wiki.current
    assert current is not None  # noqa: S101 - only such wikis are readable
    is_there = current.pages.filter(path=path).exists()
    return OldPage(
        version=version,
        page=page,
        rendered=render_markdown(
            page.markdown,
            resolve_link=resolve_wiki_link(to_url, path, {p.path for p in pages}),
            resolve_citation=cite(product.name, page.claims.all()),
            row_label=row_label(),
        ),
        groups=build_groups(list_kept_pages(to_url, pages), path),
        now_url=wiki_url(
            product.name,
            prefix_of(wiki, wikis) + (path if is_there else "index.md"),
        ),
        difference_url=(
            compare_url(version, current, path) if version.pk != current.pk else ""
        ),
    )
