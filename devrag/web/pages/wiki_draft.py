"""A page of the version that is being written: to read, not to change."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from django.urls import reverse
from django.utils.translation import gettext

from devrag.core.errors import NotFound
from devrag.core.markdown import RenderedPage, TocEntry, render_markdown
from devrag.core.page_urls import draft_wiki_url, wiki_url
from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.web.pages.paths import resolve_wiki_link
from devrag.web.pages.wiki_claims import (
    ClaimPreview,
    cite,
    row_label,
    show_claim,
)
from devrag.web.pages.wiki_drafts import OpenDrafts, find_drafts
from devrag.web.pages.wiki_tree import (
    LocatedPage,
    PageTree,
    build_page_tree,
    list_pages,
    merge_drafts,
)
from devrag.wiki.api import (
    ClaimFreshness,
    ClaimState,
    claim_row,
    get_draft_page,
    prefix_of,
    readable_wikis,
)
from devrag.wiki.models import Claim, Page


@dataclass(frozen=True, slots=True)
class DraftPage:
    """number: of the version. published_url: of what readers see, '' without it."""

    number: int
    language: str
    title: str
    rendered: RenderedPage
    tree: PageTree
    published_url: str

    @property
    def toc(self) -> list[TocEntry]:
        return [heading for heading in self.rendered.toc if heading.level in {2, 3}]


@dataclass(frozen=True, slots=True)
class _Published:
    """The pages that readers see in a language, with addresses as their paths.

    paths: those in the wiki itself. folder: what stands before them in an address.
    """

    pages: tuple[Page, ...] = ()
    paths: frozenset[str] = frozenset()
    folder: str = ""


def get_draft(product: Product, job: Job, language: str, path: str) -> DraftPage:
    """Return a page that the job has finished. Queries: 5."""
    draft = get_draft_page(job.pk, language, path)
    drafts, published = _open(product, job, language), _published(product, language)
    finished = drafts.version.paths

    def to_url(address: str) -> str:
        if address in finished:
            return draft_wiki_url(product.name, language, address)
        return wiki_url(product.name, published.folder + address)

    claims = [claim_row(claim) for claim in draft.claims]
    return DraftPage(
        number=drafts.version.number,
        language=language,
        title=draft.title,
        rendered=render_markdown(
            draft.markdown,
            resolve_link=resolve_wiki_link(to_url, path, published.paths | finished),
            resolve_citation=cite(
                product.name,
                claims,
                preview_url=partial(_preview_url, product.name, language, path),
            ),
            row_label=row_label(),
        ),
        tree=_tree(product, drafts, published, path),
        published_url=(
            wiki_url(product.name, published.folder + path)
            if path in published.paths
            else ""
        ),
    )


def get_draft_tree(product: Product, job: Job, language: str, path: str) -> PageTree:
    """Return the tree around a draft. Queries: 4."""
    published = _published(product, language)
    return _tree(product, _open(product, job, language), published, path)


def get_draft_preview(
    product: Product, job: Job, language: str, path: str, ordinal: int
) -> ClaimPreview:
    """Return the lines of a citation of a draft. Queries: 2."""
    draft = get_draft_page(job.pk, language, path)
    for claim in draft.claims:
        if claim.ordinal == ordinal:
            file = f"{claim.source}/{claim.path}"
            lines = (claim.start_line, claim.end_line)
            state = ClaimState(path, ordinal, file, ClaimFreshness.FRESH, *lines)
            return show_claim(product, claim_row(claim), state)
    raise NotFound(gettext("This citation belongs to a version that was deleted."))


def find_published_url(product: Product, language: str, path: str) -> str:
    """Return where a page is read once it is published. Queries: 2."""
    published = _published(product, language)
    is_there = path in published.paths
    return wiki_url(product.name, published.folder + path if is_there else "index.md")


def _open(product: Product, job: Job, language: str) -> OpenDrafts:
    drafts = find_drafts(product, job, language)
    assert drafts is not None  # noqa: S101 - there is a job
    return drafts


def _published(product: Product, language: str) -> _Published:
    wikis = readable_wikis(product)
    wiki = next((each for each in wikis if each.language == language), None)
    if wiki is None or wiki.current is None:
        return _Published()
    folder = prefix_of(wiki, wikis)
    at = LocatedPage(wikis, wiki, wiki.current, folder, "")
    pages = list_pages(at)
    paths = frozenset(page.path.removeprefix(folder) for page in pages)
    return _Published(tuple(pages), paths, folder)


def _tree(
    product: Product, drafts: OpenDrafts, published: _Published, path: str
) -> PageTree:
    merged = merge_drafts(
        product, published.pages, drafts, published.folder, are_preferred=True
    )
    return build_page_tree(
        merged,
        published.folder + path,
        later_url=draft_wiki_url(product.name, drafts.version.language, path),
        poll_seconds=drafts.poll_seconds,
    )


def _preview_url(product: str, language: str, path: str, claim: Claim) -> str:
    names = [product, language, claim.ordinal, path.removesuffix(".md")]
    return reverse("web:wiki_draft_claim", args=names)
