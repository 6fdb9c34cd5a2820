"""The pages of a wiki as a tree, each with how much of it no longer stands.

Comparing every page takes a moment after each index, and no reader waits for it: the
tree comes without marks then, and is asked for again with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext

from devrag.core.errors import NotFound
from devrag.core.page_urls import wiki_url
from devrag.products.models import Product
from devrag.web.pages.paths import ToUrl
from devrag.wiki.api import (
    SourceVersion,
    current_versions,
    find_stale_pages,
    find_wiki,
    known_stale_pages,
    prefix_of,
    readable_wikis,
)
from devrag.wiki.models import Page, Version, Wiki


@dataclass(frozen=True, slots=True)
class TreeNode:
    """stale: how many places that the page cites changed since."""

    title: str
    url: str
    is_current: bool
    children: tuple[TreeNode, ...]
    stale: int = 0


@dataclass(frozen=True, slots=True)
class PageTree:
    """nodes: those at the top. later_url: where it comes with marks, '' with them."""

    nodes: tuple[TreeNode, ...]
    later_url: str = ""


@dataclass(frozen=True, slots=True)
class LocatedPage:
    """A page among a product's wikis. folder: '' in the wiki that is seen first."""

    wikis: Sequence[Wiki]
    wiki: Wiki
    version: Version
    folder: str
    path: str


def locate(product: Product, address: str) -> LocatedPage | None:
    """Return what an address (`ja/features/search.md`) means, None without a wiki.

    Queries: 1.
    """
    wikis = readable_wikis(product)
    if not wikis:
        return None
    wiki, path = find_wiki(wikis, address)
    assert wiki.current is not None  # noqa: S101 - only such wikis are readable
    return LocatedPage(wikis, wiki, wiki.current, prefix_of(wiki, wikis), path)


def list_pages(at: LocatedPage) -> list[Page]:
    """Return the pages of the version, with their addresses as paths. Queries: 1."""
    pages = list(
        at.version.pages.only(
            "path", "parent_path", "title", "kind", "ordinal", "version"
        )
    )
    for each in pages:
        each.path = at.folder + each.path
        each.parent_path = at.folder + each.parent_path if each.parent_path else ""
    return pages


def get_tree(
    product: Product,
    at: LocatedPage,
    pages: Sequence[Page],
    now: Sequence[SourceVersion],
) -> PageTree:
    """Return the tree around a page, with marks where they are known. Queries: 0."""
    to_url = partial(wiki_url, product.name)
    address = at.folder + at.path
    stale = known_stale_pages(at.version.pk, now)
    nodes = build_tree(to_url, pages, address, _by_address(at, stale or {}))
    return PageTree(nodes, to_url(address) if stale is None else "")


def get_marked_tree(product: Product, address: str) -> PageTree:
    """Return the tree around a page with its marks. Queries: 3 and a comparison's."""
    at = locate(product, address)
    if at is None:
        raise NotFound(gettext("%(product)s has no wiki yet") % {"product": product})
    stale = find_stale_pages(at.version.pk, current_versions(product.pk))
    to_url = partial(wiki_url, product.name)
    marks = _by_address(at, stale)
    return PageTree(build_tree(to_url, list_pages(at), at.folder + at.path, marks))


def _by_address(at: LocatedPage, stale: Mapping[str, int]) -> dict[str, int]:
    return {at.folder + path: count for path, count in stale.items()}


def build_tree(
    to_url: ToUrl,
    pages: Iterable[Page],
    current: str,
    stale: Mapping[str, int] | None = None,
) -> tuple[TreeNode, ...]:
    """Nest pages under their parents; one whose parent is missing stands at the top."""
    wanted = list(pages)
    known = {page.path for page in wanted}
    by_parent: dict[str, list[Page]] = {}
    for page in wanted:
        parent = page.parent_path if page.parent_path in known else ""
        by_parent.setdefault("" if parent == page.path else parent, []).append(page)

    def nodes(parent: str) -> tuple[TreeNode, ...]:
        return tuple(
            TreeNode(
                title=short_title(page),
                url=to_url(page.path),
                is_current=page.path == current,
                children=nodes(page.path),
                stale=(stale or {}).get(page.path, 0),
            )
            for page in by_parent.get(parent, ())
        )

    return nodes("")


def short_title(page: Page) -> str:
    """The first page bears the product's name, which stands above it already."""
    return gettext("Overview") if page.kind == "index" else page.title
