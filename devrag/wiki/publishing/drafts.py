"""Pages of a run that goes on, for people to read before they are published."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import F, Max
from django.utils.translation import gettext

from devrag.core.errors import NotFound
from devrag.products.models import Product
from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.evidence.citations import after_punctuation
from devrag.wiki.models import PageDraft, Version


@dataclass(frozen=True, slots=True)
class DraftEntry:
    """A finished page of a run, as lists of pages need it.

    first_file: the first path that it covers, None without any.
    """

    path: str
    parent_path: str
    ordinal: int
    kind: str
    title: str
    first_file: str | None = None


@dataclass(frozen=True, slots=True)
class DraftVersion:
    """The version that a run writes. number: the one it will have if it is published.

    pages: those that are finished, in reading order; none that was taken over as it is.
    """

    run: UUID
    language: str
    number: int
    pages: tuple[DraftEntry, ...]

    @property
    def paths(self) -> frozenset[str]:
        return frozenset(page.path for page in self.pages)


def get_draft_version(product: Product, run: UUID, language: str) -> DraftVersion:
    """Return what a run has finished of a product's wiki in a language. Queries: 2."""
    rows = PageDraft.objects.filter(
        run=run, language=language, content__is_reused=False
    )
    fields = ("parent", "ordinal", "kind", "title")
    found = rows.annotate(
        **{name: F(f"content__{name}") for name in fields},
        first_file=F("content__files__0"),
    )
    listed = found.values_list("path", *fields, "first_file")
    pages = [DraftEntry(*row) for row in listed]
    versions = Version.objects.filter(wiki__product=product, wiki__language=language)
    last = versions.aggregate(last=Max("number"))["last"] or 0
    pages.sort(key=lambda page: page.ordinal)
    return DraftVersion(run, language, last + 1, tuple(pages))


def get_draft_page(run: UUID, language: str, path: str) -> DraftedPage:
    """Return a finished page as it will be published. Queries: 1."""
    row = PageDraft.objects.filter(run=run, language=language, path=path).first()
    if row is None:
        raise NotFound(
            gettext("The page “%(page)s” has not been written yet.")
            % {"page": path.removesuffix(".md")}
        )
    draft = DraftedPage.from_json(row.content)
    return replace(draft, markdown=after_punctuation(draft.markdown))
