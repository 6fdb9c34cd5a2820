"""A wiki page with its place in the tree, its citations and its freshness."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from devrag.core.markdown import Citation, RenderedPage, render_markdown
from devrag.products.models import Product
from devrag.web.links import file_url, wiki_markdown_url, wiki_url
from devrag.web.pages.freshness import Freshness, states_of_page, sum_up
from devrag.web.pages.paths import resolve_wiki_link
from devrag.wiki.addresses import find_wiki, get_page
from devrag.wiki.freshness import ClaimState, State
from devrag.wiki.models import Claim, Page, Version, Wiki
from devrag.wiki.versions import prefix_of, readable_wikis
from devrag.wiki.wording import WORDINGS

_CITATION = re.compile(r"\]\(cite:(\d+)\)")


@dataclass(frozen=True, slots=True)
class TreeNode:
    title: str
    url: str
    is_current: bool
    children: tuple[TreeNode, ...]


@dataclass(frozen=True, slots=True)
class PageLink:
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class LanguageLink:
    code: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One entry of the list of sources under an article."""

    ordinal: int
    label: str
    url: str
    state: str = State.FRESH
    note: str = ""


@dataclass(frozen=True, slots=True)
class WikiPage:
    product: Product
    version: Version
    page: Page
    rendered: RenderedPage
    tree: tuple[TreeNode, ...]
    parent: PageLink | None
    previous: PageLink | None
    next: PageLink | None
    languages: tuple[LanguageLink, ...]
    freshness: Freshness
    sources: tuple[SourceLine, ...]
    markdown_url: str

    @property
    def toc(self) -> list[object]:
        return [heading for heading in self.rendered.toc if heading.level in {2, 3}]


def get_wiki_page(product: Product, address: str) -> WikiPage | None:
    """Return a page by its address (`features/search.md`), None without a wiki.

    Queries: 5, more at first.
    """
    wikis = readable_wikis(product)
    if not wikis:
        return None
    wiki, path = find_wiki(wikis, address)
    folder = prefix_of(wiki, wikis)
    version = wiki.current
    assert version is not None  # noqa: S101 - only such wikis are readable
    page = get_page(version, path)
    pages = list(
        version.pages.only("path", "parent_path", "title", "kind", "ordinal", "version")
    )
    for each in (page, *pages):
        each.path = folder + each.path
        each.parent_path = folder + each.parent_path if each.parent_path else ""
    claims = list(page.claims.all())
    states = states_of_page(page, product.pk)
    by_claim = {state.ordinal: state for state in states}
    position = next(i for i, each in enumerate(pages) if each.pk == page.pk)
    return WikiPage(
        product=product,
        version=version,
        page=page,
        rendered=render_markdown(
            page.markdown,
            resolve_link=resolve_wiki_link(
                product.name, page.path, {each.path for each in pages}
            ),
            resolve_citation=_Citations(product.name, claims),
        ),
        tree=build_tree(product.name, pages, page.path),
        parent=_find_parent(product.name, pages, page),
        previous=_link(product.name, pages[position - 1]) if position else None,
        next=_link(product.name, pages[position + 1])
        if position + 1 < len(pages)
        else None,
        languages=_languages(product, wikis, path),
        freshness=sum_up(states),
        sources=tuple(
            _to_source(product.name, claim, by_claim[claim.ordinal]) for claim in claims
        ),
        markdown_url=wiki_markdown_url(product.name, page.path),
    )


def _languages(
    product: Product, wikis: Sequence[Wiki], path: str
) -> tuple[LanguageLink, ...]:
    """Return the page in each language, where there are several."""
    return tuple(
        LanguageLink(
            wiki.language,
            WORDINGS[wiki.language].name,
            wiki_url(product.name, prefix_of(wiki, wikis) + path),
        )
        for wiki in wikis
        if len(wikis) > 1
    )


def export_markdown(product: Product, page: Page, base: str) -> str:
    """Return a page's Markdown with citations as links to files under `base`."""
    urls = {
        claim.ordinal: base + _claim_url(product.name, claim)
        for claim in page.claims.all()
    }

    def replace(match: re.Match[str]) -> str:
        url = urls.get(int(match[1]))
        return f"](<{url}>)" if url else match[0]

    return _CITATION.sub(replace, page.markdown)


def build_tree(
    product: str, pages: Iterable[Page], current: str
) -> tuple[TreeNode, ...]:
    """Nest pages under their parents; one whose parent is missing stands at the top."""
    wanted = list(pages)
    known = {page.path for page in wanted}
    by_parent: dict[str, list[Page]] = {}
    for page in wanted:
        parent = page.parent_path if page.parent_path in known else ""
        by_parent.setdefault("" if parent == page.path else parent, []).append(page)
    return _nodes(product, by_parent, "", current)


def _nodes(
    product: str, by_parent: Mapping[str, Sequence[Page]], parent: str, current: str
) -> tuple[TreeNode, ...]:
    return tuple(
        TreeNode(
            title=_short_title(page),
            url=wiki_url(product, page.path),
            is_current=page.path == current,
            children=_nodes(product, by_parent, page.path, current),
        )
        for page in by_parent.get(parent, ())
    )


class _Citations:
    """Resolve `cite:7` to the seventh claim of the page."""

    def __init__(self, product: str, claims: Iterable[Claim]) -> None:
        self._product = product
        self._claims = {str(claim.ordinal): claim for claim in claims}

    def __call__(self, key: str) -> Citation | None:
        claim = self._claims.get(key)
        if claim is None:
            return None
        return Citation(url=_claim_url(self._product, claim), title=_label(claim))


def _claim_url(product: str, claim: Claim) -> str:
    return file_url(
        product,
        claim.source_name,
        claim.version_identifier,
        claim.path,
        claim.start_line,
        claim.end_line,
    )


def _label(claim: Claim) -> str:
    return _place(claim.path, claim.start_line, claim.end_line)


def _place(path: str, start_line: int, end_line: int) -> str:
    if end_line <= start_line:
        return f"{path}:{start_line}"
    return f"{path}:{start_line}–{end_line}"


def _to_source(product: str, claim: Claim, state: ClaimState) -> SourceLine:
    """Name a cited place; of one that is elsewhere now also where."""
    note = gettext(state.reason) if state.reason else ""
    if state.state == State.MOVED:
        path = state.file.removeprefix(f"{claim.source_name}/")
        place = _place(path, state.start_line, state.end_line)
        note = gettext("now %(place)s") % {"place": place}
    url = _claim_url(product, claim)
    return SourceLine(claim.ordinal, _label(claim), url, state.state, note)


def _link(product: str, page: Page) -> PageLink:
    return PageLink(_short_title(page), wiki_url(product, page.path))


def _short_title(page: Page) -> str:
    """The first page bears the product's name, which stands above it already."""
    return gettext("Overview") if page.kind == "index" else page.title


def _find_parent(product: str, pages: Iterable[Page], page: Page) -> PageLink | None:
    parent = next((each for each in pages if each.path == page.parent_path), None)
    return _link(product, parent) if parent and parent.pk != page.pk else None
