"""The pages of a wiki as a tree, each with how much of it no longer stands.

Comparing every page takes a moment after each index, and no reader waits for it: the
tree comes without marks then, and is asked for again with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.utils.translation import gettext, gettext_noop

from devrag.core.line_breaks import without_ticks
from devrag.core.page_urls import wiki_url
from devrag.jobs.models import Job
from devrag.parsing.language import detect_language
from devrag.products.models import Product
from devrag.web.pages.paths import ToUrl
from devrag.web.pages.wiki_drafts import OpenDrafts, find_drafts, find_first_drafts
from devrag.wiki.api import (
    CODE_GROUP,
    PAGE_GROUPS,
    DraftEntry,
    SourceVersion,
    current_versions,
    find_stale_pages,
    find_wiki,
    group_of,
    known_stale_pages,
    prefix_of,
    readable_wikis,
)
from devrag.wiki.models import Page, Version, Wiki

_GROUP_TITLES = {
    "start": gettext_noop("Start"),
    "concepts": gettext_noop("Concepts"),
    "code": gettext_noop("Code"),
    "reference": gettext_noop("Reference"),
    "project": gettext_noop("Project"),
}
# Pages of a tree that is shown open.
_SHORT_TREE = 24


@dataclass(frozen=True, slots=True)
class TreeNode:
    """stale: how many places that the page cites changed since.

    draft_url: of the page in the version that is being written; the same as url where
    that is what is shown. is_open: whether its children are shown until a reader
    decides. has_current: whether the page that is read is among them.
    """

    path: str
    title: str
    url: str
    is_current: bool
    children: tuple[TreeNode, ...]
    stale: int = 0
    draft_url: str = ""
    is_open: bool = False
    has_current: bool = False

    @property
    def stale_below(self) -> int:
        """How many cited places changed on the pages below it."""
        return sum(each.stale + each.stale_below for each in self.children)


@dataclass(frozen=True, slots=True)
class ListedPage:
    """A page to be put into a tree. path, parent_path: addresses within the wiki.

    group: one of PAGE_GROUPS, '' in a tree without groups.
    """

    path: str
    parent_path: str
    ordinal: int
    title: str
    url: str
    draft_url: str = ""
    is_note: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class TreeGroup:
    """Pages at the top that belong together. title: '' where nothing is grouped."""

    title: str
    nodes: tuple[TreeNode, ...]


@dataclass(frozen=True, slots=True)
class PageTree:
    """groups: of the pages at the top. notes: saved answers, which stand below them.

    later_url: where it comes with marks, '' with them. poll_seconds: after how many to
    ask again for pages that a run has finished, 0 without a run.
    """

    groups: tuple[TreeGroup, ...] = ()
    notes: tuple[TreeNode, ...] = ()
    later_url: str = ""
    poll_seconds: int = 0


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
        at.version.pages.with_first_file().only(
            "path", "parent_path", "title", "kind", "ordinal", "version"
        )
    )
    for each in pages:
        each.path = at.folder + each.path
        each.parent_path = at.folder + each.parent_path if each.parent_path else ""
    return pages


def url_among(product: Product, wikis: Sequence[Wiki]) -> ToUrl:
    """Return what makes a URL of an address in a wiki that exists in these languages.

    The bare address of the front page leads to the reader's language. Where there are
    several, a link from one wiki to its own front page therefore names the language.
    """
    main = wikis[0].language if len(wikis) > 1 else ""

    def to_url(address: str) -> str:
        url = wiki_url(product.name, address)
        is_front = main and address == "index.md"
        return f"{url}?language={main}" if is_front else url

    return to_url


def get_tree(
    product: Product,
    at: LocatedPage,
    pages: Sequence[Page],
    now: Sequence[SourceVersion],
    drafts: OpenDrafts | None = None,
) -> PageTree:
    """Return the tree around a page, with marks where they are known. Queries: 0."""
    address = at.folder + at.path
    stale = known_stale_pages(at.version.pk, now)
    merged = merge_drafts(
        product, pages, drafts, at.folder, to_url=url_among(product, at.wikis)
    )
    is_final = stale is not None and drafts is None
    return build_page_tree(
        merged,
        address,
        _by_address(at, stale or {}),
        later_url="" if is_final else wiki_url(product.name, address),
        poll_seconds=drafts.poll_seconds if drafts else 0,
    )


def get_marked_tree(product: Product, address: str, job: Job | None) -> PageTree:
    """Return the tree around a page with its marks. job: the one that writes.

    Queries: 3, 2 for a job and a comparison's.
    """
    at = locate(product, address)
    if at is None:
        drafts = find_first_drafts(product, job)
        # Without a job the one that wrote has ended: the page is about to reload.
        return tree_of_drafts(product, drafts) if drafts else PageTree()
    stale = find_stale_pages(at.version.pk, current_versions(product.pk))
    drafts = find_drafts(product, job, at.wiki.language)
    to_url = url_among(product, at.wikis)
    merged = merge_drafts(product, list_pages(at), drafts, at.folder, to_url=to_url)
    return build_page_tree(
        merged,
        at.folder + at.path,
        _by_address(at, stale),
        later_url=wiki_url(product.name, address) if drafts else "",
        poll_seconds=drafts.poll_seconds if drafts else 0,
    )


def tree_of_drafts(product: Product, drafts: OpenDrafts) -> PageTree:
    """Return the pages of a wiki of which no version is published. Queries: 0."""
    return build_page_tree(
        merge_drafts(product, (), drafts),
        "",
        later_url=wiki_url(product.name),
        poll_seconds=drafts.poll_seconds,
    )


def _by_address(at: LocatedPage, stale: Mapping[str, int]) -> dict[str, int]:
    return {at.folder + path: count for path, count in stale.items()}


def merge_drafts(
    product: Product,
    pages: Iterable[Page],
    drafts: OpenDrafts | None,
    folder: str = "",
    *,
    to_url: ToUrl | None = None,
    are_preferred: bool = False,
) -> list[ListedPage]:
    """Return published pages and those of the version that is being written.

    to_url: of a published page's address. are_preferred: a page that is in both leads
    to its draft.
    """
    to_url = to_url or partial(wiki_url, product.name)
    urls = drafts.urls(product.name, folder) if drafts else {}
    listed = [
        ListedPage(
            page.path,
            page.parent_path,
            page.ordinal,
            short_title(page),
            (are_preferred and urls.get(page.path)) or to_url(page.path),
            urls.get(page.path, ""),
            page.kind == Page.NOTE,
            _group(page),
        )
        for page in pages
    ]
    published = {page.path for page in listed}
    new = [
        ListedPage(
            folder + page.path,
            folder + page.parent_path if page.parent_path else "",
            page.ordinal,
            short_title(page),
            urls[folder + page.path],
            urls[folder + page.path],
            group=_group(page),
        )
        for page in (drafts.version.pages if drafts else ())
        if folder + page.path not in published
    ]
    return sorted([*listed, *new], key=lambda page: page.ordinal)


def build_page_tree(
    pages: Sequence[ListedPage],
    current: str,
    stale: Mapping[str, int] | None = None,
    *,
    later_url: str = "",
    poll_seconds: int = 0,
) -> PageTree:
    """Nest the pages that runs write, and list saved answers apart."""
    notes = [page for page in pages if page.is_note]
    written = [page for page in pages if not page.is_note]
    return PageTree(
        build_groups(written, current, stale),
        build_tree(notes, current, stale),
        later_url,
        poll_seconds,
    )


def build_groups(
    pages: Sequence[ListedPage], current: str, stale: Mapping[str, int] | None = None
) -> tuple[TreeGroup, ...]:
    """Nest pages below the titles of their groups, the front page beside the others.

    Documents without code have no groups: everything would be in one.
    """
    if not any(page.group == CODE_GROUP for page in pages):
        return (TreeGroup("", build_tree(pages, current, stale)),)
    fronts = {page.path for page in pages if not page.parent_path}
    at_top = [
        replace(page, parent_path="") if page.parent_path in fronts else page
        for page in pages
    ]
    group_of_path = {page.path: page.group for page in pages}
    nodes = build_tree(at_top, current, stale)
    found = (
        TreeGroup(
            gettext(_GROUP_TITLES[group]),
            tuple(node for node in nodes if group_of_path[node.path] == group),
        )
        for group in PAGE_GROUPS
    )
    return tuple(group for group in found if group.nodes)


def build_tree(
    pages: Sequence[ListedPage], current: str, stale: Mapping[str, int] | None = None
) -> tuple[TreeNode, ...]:
    """Nest pages under their parents; one whose parent is missing stands at the top."""
    known = {page.path for page in pages}
    by_parent: dict[str, list[ListedPage]] = {}
    for page in pages:
        parent = page.parent_path if page.parent_path in known else ""
        by_parent.setdefault("" if parent == page.path else parent, []).append(page)

    is_short = len(pages) <= _SHORT_TREE

    def node(page: ListedPage) -> TreeNode:
        children = tuple(map(node, by_parent.get(page.path, ())))
        has_current = any(each.is_current or each.has_current for each in children)
        return TreeNode(
            path=page.path,
            title=page.title,
            url=page.url,
            is_current=page.path == current,
            children=children,
            stale=(stale or {}).get(page.path, 0),
            draft_url=page.draft_url,
            is_open=is_short or has_current or page.path == current,
            has_current=has_current,
        )

    return tuple(map(node, by_parent.get("", ())))


def list_kept_pages(to_url: ToUrl, pages: Iterable[Page]) -> list[ListedPage]:
    """Return the pages of one version, each with its address."""
    return [
        ListedPage(
            page.path,
            page.parent_path,
            page.ordinal,
            short_title(page),
            to_url(page.path),
            group=_group(page),
        )
        for page in pages
    ]


def _group(page: Page | DraftEntry) -> str:
    """Return the group of a page; a topic of documents alone is none of the code."""
    first = page.first_file
    has_code = first is not None and detect_language(first).kind != "doc"
    return group_of(page.kind, page.title, has_files=has_code)


def short_title(page: Page | DraftEntry) -> str:
    """The first page bears the product's name, which stands above it already."""
    return gettext("Overview") if page.kind == "index" else without_ticks(page.title)
