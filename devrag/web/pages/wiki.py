"""A wiki page with its place in the tree, its citations and its freshness."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext

from devrag.core.markdown import RenderedPage, render_markdown
from devrag.products.models import Product
from devrag.web.links import wiki_markdown_url, wiki_url
from devrag.web.pages.freshness import Freshness, states_of_page, sum_up
from devrag.web.pages.paths import ToUrl, resolve_wiki_link
from devrag.web.pages.wiki_claims import SourceLine, cite, claim_url, sources_of
from devrag.web.pages.wiki_notes import NoteView, place_of, see_notes
from devrag.wiki.addresses import find_wiki, get_page
from devrag.wiki.freshness import State
from devrag.wiki.models import Page, Version, Wiki
from devrag.wiki.notes import notes_of_page
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
class ArticleBlock:
    """A block of the article with what people said there.

    place: of a note here. may_doubt: whether it says something that may be wrong.
    """

    number: int
    html: str
    anchor: str
    place: str
    notes: tuple[NoteView, ...]
    may_doubt: bool


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
    blocks: tuple[ArticleBlock, ...]
    markdown_url: str

    @property
    def toc(self) -> list[object]:
        return [heading for heading in self.rendered.toc if heading.level in {2, 3}]

    @property
    def changes(self) -> list[SourceLine]:
        """What became of its cited places since it was written, the gone ones first."""
        changed = [each for each in self.sources if each.state != State.FRESH]
        return sorted(changed, key=lambda each: each.state != State.STALE)


def get_wiki_page(product: Product, address: str) -> WikiPage | None:
    """Return a page by its address (`features/search.md`), None without a wiki.

    Queries: 6, more at first.
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
    to_url = partial(wiki_url, product.name)
    states = states_of_page(page, product.pk)
    rendered = render_markdown(
        page.markdown,
        resolve_link=resolve_wiki_link(to_url, page.path, {p.path for p in pages}),
        resolve_citation=cite(product.name, claims),
    )
    position = next(i for i, each in enumerate(pages) if each.pk == page.pk)
    return WikiPage(
        product=product,
        version=version,
        page=page,
        rendered=rendered,
        tree=build_tree(to_url, pages, page.path),
        parent=_find_parent(product.name, pages, page),
        previous=_link(product.name, pages[position - 1]) if position else None,
        next=_link(product.name, pages[position + 1])
        if position + 1 < len(pages)
        else None,
        languages=_languages(product, wikis, path),
        freshness=sum_up(states),
        sources=sources_of(product.name, claims, states),
        blocks=_blocks(rendered, path, see_notes(notes_of_page(wiki, path))),
        markdown_url=wiki_markdown_url(product.name, page.path),
    )


def _blocks(
    rendered: RenderedPage, path: str, notes: Sequence[NoteView]
) -> tuple[ArticleBlock, ...]:
    """Put notes under their headings, those without one under the first."""
    anchors = {block.anchor for block in rendered.blocks}
    return tuple(
        ArticleBlock(
            number=number,
            html=block.html,
            anchor=block.anchor,
            place=place_of(path, block.anchor if number else ""),
            notes=tuple(
                note
                for note in notes
                if (block.anchor and note.anchor == block.anchor)
                or (number == 0 and note.anchor not in anchors - {""})
            ),
            may_doubt=block.kind not in {"heading", "hr"},
        )
        for number, block in enumerate(rendered.blocks)
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
        claim.ordinal: base + claim_url(product.name, claim)
        for claim in page.claims.all()
    }

    def replace(match: re.Match[str]) -> str:
        url = urls.get(int(match[1]))
        return f"](<{url}>)" if url else match[0]

    return _CITATION.sub(replace, page.markdown)


def build_tree(
    to_url: ToUrl, pages: Iterable[Page], current: str
) -> tuple[TreeNode, ...]:
    """Nest pages under their parents; one whose parent is missing stands at the top."""
    wanted = list(pages)
    known = {page.path for page in wanted}
    by_parent: dict[str, list[Page]] = {}
    for page in wanted:
        parent = page.parent_path if page.parent_path in known else ""
        by_parent.setdefault("" if parent == page.path else parent, []).append(page)
    return _nodes(to_url, by_parent, "", current)


def _nodes(
    to_url: ToUrl, by_parent: Mapping[str, Sequence[Page]], parent: str, current: str
) -> tuple[TreeNode, ...]:
    return tuple(
        TreeNode(
            title=_short_title(page),
            url=to_url(page.path),
            is_current=page.path == current,
            children=_nodes(to_url, by_parent, page.path, current),
        )
        for page in by_parent.get(parent, ())
    )


def _link(product: str, page: Page) -> PageLink:
    return PageLink(_short_title(page), wiki_url(product, page.path))


def _short_title(page: Page) -> str:
    """The first page bears the product's name, which stands above it already."""
    return gettext("Overview") if page.kind == "index" else page.title


def _find_parent(product: str, pages: Iterable[Page], page: Page) -> PageLink | None:
    parent = next((each for each in pages if each.path == page.parent_path), None)
    return _link(product, parent) if parent and parent.pk != page.pk else None
