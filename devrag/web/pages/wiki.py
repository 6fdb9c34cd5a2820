"""A wiki page with its place in the tree, its citations and its freshness."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from devrag.core.markdown import RenderedPage, render_markdown
from devrag.core.page_urls import old_wiki_url, wiki_markdown_url
from devrag.jobs.models import Job
from devrag.labels.api import labels_of_page
from devrag.labels.types import LabelView
from devrag.products.models import Product
from devrag.web.pages.diagram_nodes import resolve_nodes
from devrag.web.pages.freshness import Freshness, sum_up
from devrag.web.pages.paths import ToUrl, resolve_wiki_link
from devrag.web.pages.wiki_claims import SourceLine, cite, row_label, sources_of
from devrag.web.pages.wiki_drafts import find_drafts
from devrag.web.pages.wiki_kinds import (
    KIND_ICONS,
    KIND_LABELS,
    KindToggle,
    hidden_kinds,
    kind_toggles,
    kinds_of_blocks,
    runs_of,
)
from devrag.web.pages.wiki_notes import NoteView, place_of, see_notes
from devrag.web.pages.wiki_tree import (
    PageTree,
    get_tree,
    list_pages,
    locate,
    short_title,
    url_among,
)
from devrag.wiki.api import (
    TICKETS,
    WORDINGS,
    ClaimFreshness,
    current_versions,
    get_page,
    kinds_of_claims,
    notes_of_page,
    prefix_of,
    states_at,
)
from devrag.wiki.models import Page, Version, Wiki


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
class KindRun:
    """Blocks that stand behind each other and cite one kind of source alone.

    kind: '' where they are of several, or the product has but one. has_label: a section
    begins here, so that the kind stands above it. tickets_url: a search for the
    product's open tickets, '' elsewhere.
    """

    kind: str
    blocks: tuple[ArticleBlock, ...]
    has_label: bool = False
    tickets_url: str = ""

    @property
    def label(self) -> str:
        return str(KIND_LABELS[self.kind])

    @property
    def icon(self) -> str:
        return KIND_ICONS[self.kind]


@dataclass(frozen=True, slots=True)
class TocLine:
    """A heading of the table of contents. kind: of its section's source, or ''."""

    level: int
    text: str
    anchor: str
    kind: str


@dataclass(frozen=True, slots=True)
class WikiPage:
    product: Product
    version: Version
    page: Page
    rendered: RenderedPage
    tree: PageTree
    parent: PageLink | None
    previous: PageLink | None
    next: PageLink | None
    languages: tuple[LanguageLink, ...]
    freshness: Freshness
    sources: tuple[SourceLine, ...]
    runs: tuple[KindRun, ...]
    toc: tuple[TocLine, ...]
    markdown_url: str
    labels: tuple[LabelView, ...] = ()
    kinds: tuple[KindToggle, ...] = ()
    hidden: tuple[str, ...] = ()

    @property
    def language(self) -> str:
        return self.version.wiki.language

    def url_in(self, language: str) -> str:
        """Return where the page is in another language, '' without one."""
        urls = {each.code: each.url for each in self.languages}
        return "" if language == self.language else urls.get(language, "")

    @property
    def title_block(self) -> ArticleBlock:
        """The block with the title; it stands above what is said of the page."""
        return self.runs[0].blocks[0]

    @property
    def permalink(self) -> str:
        """The address that goes on showing this version of the page."""
        number, language = self.version.number, self.language
        return old_wiki_url(self.product.name, number, language, self.page.path)

    @property
    def outdated(self) -> list[SourceLine]:
        """The cited places that changed or are gone since it was written."""
        return [each for each in self.sources if each.state == ClaimFreshness.STALE]

    @property
    def moved(self) -> list[SourceLine]:
        """The cited places that only stand at other lines now."""
        return [each for each in self.sources if each.state == ClaimFreshness.MOVED]


def get_wiki_page(
    product: Product, address: str, job: Job | None = None, hide: Iterable[str] = ()
) -> WikiPage | None:
    """Return a page by its address (`features/search.md`), None without a wiki.

    job: the one that writes the wiki now. hide: kinds of sources. Queries: 7, more at
    first, 2 for a job, 1 for other languages, 1 for several kinds of sources.
    """
    at = locate(product, address)
    if at is None:
        return None
    page, pages = get_page(at.version, at.path), list_pages(at)
    claims = list(page.claims.all())
    now = tuple(current_versions(product.pk))
    states = states_at(page.pk, now)
    to_url = url_among(product, at.wikis)
    kinds = kinds_of_claims(at.version, product.pk, claims)
    is_topic = page.kind == "feature"
    hidden = hidden_kinds(hide) if is_topic else ()
    others = [each for each in pages if each.pk != page.pk]
    rendered = render_markdown(
        page.markdown,
        resolve_link=resolve_wiki_link(to_url, address, {p.path for p in pages}),
        resolve_citation=cite(product.name, claims, states, kinds=kinds),
        row_label=row_label(),
        resolve_node=resolve_nodes(product, claims, others, to_url),
    )
    of_blocks = kinds_of_blocks(rendered, kinds if is_topic else {})
    position = next(i for i, each in enumerate(pages) if each.pk == page.pk)
    notes = see_notes(notes_of_page(at.wiki, at.path))
    drafts = find_drafts(product, job, at.wiki.language)
    return WikiPage(
        product=product,
        version=at.version,
        page=page,
        rendered=rendered,
        tree=get_tree(product, at, pages, now, drafts),
        parent=_find_parent(to_url, pages, pages[position]),
        previous=_link(to_url, pages[position - 1]) if position else None,
        next=_link(to_url, pages[position + 1]) if position + 1 < len(pages) else None,
        languages=_languages(to_url, at.wikis, at.path),
        freshness=sum_up(states),
        sources=sources_of(product.name, claims, states),
        runs=_runs(product, _blocks(rendered, at.path, notes), of_blocks),
        toc=_toc(rendered, of_blocks),
        markdown_url=wiki_markdown_url(product.name, address),
        labels=labels_of_page(product.pk, at.wiki.language, at.path),
        kinds=kind_toggles(kinds, hidden) if is_topic else (),
        hidden=hidden,
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


def _runs(
    product: Product, blocks: Sequence[ArticleBlock], kinds: Sequence[str]
) -> tuple[KindRun, ...]:
    """Return the blocks in runs of one kind."""
    return tuple(
        KindRun(
            kind,
            tuple(blocks[place] for place in places),
            has_label=bool(kind and blocks[places[0]].anchor),
            tickets_url=_tickets_url(product) if kind == TICKETS else "",
        )
        for kind, places in runs_of(kinds)
    )


def _tickets_url(product: Product) -> str:
    """Return a search for open tickets; words of a title would leave most out."""
    asked = {"q": "kind:ticket status:open", "product": product.name}
    return f"{reverse('web:search')}?{urlencode(asked)}"


def _toc(rendered: RenderedPage, kinds: Sequence[str]) -> tuple[TocLine, ...]:
    of_anchors = {
        block.anchor: kind
        for block, kind in zip(rendered.blocks, kinds, strict=True)
        if block.anchor
    }
    return tuple(
        TocLine(each.level, each.text, each.anchor, of_anchors.get(each.anchor, ""))
        for each in rendered.toc
        if each.level in {2, 3}
    )


def _languages(
    to_url: ToUrl, wikis: Sequence[Wiki], path: str
) -> tuple[LanguageLink, ...]:
    """Return the page in each language, where there are several. Queries: 1 then.

    Where a language lacks the page, its front page.
    """
    if len(wikis) < 2:
        return ()
    versions = [wiki.current_id for wiki in wikis]
    there = Page.objects.filter(version__in=versions, path=path)
    have = set(there.values_list("version", flat=True))
    return tuple(
        LanguageLink(
            wiki.language,
            WORDINGS[wiki.language].name,
            to_url(
                prefix_of(wiki, wikis)
                + (path if wiki.current_id in have else "index.md")
            ),
        )
        for wiki in wikis
    )


def _link(to_url: ToUrl, page: Page) -> PageLink:
    return PageLink(short_title(page), to_url(page.path))


def _find_parent(to_url: ToUrl, pages: Iterable[Page], page: Page) -> PageLink | None:
    parent = next((each for each in pages if each.path == page.parent_path), None)
    return _link(to_url, parent) if parent and parent.pk != page.pk else None
