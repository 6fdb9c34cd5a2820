"""Hand what readers see to search, which finds it as `kind:wiki`."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction

from devrag.core.markdown import split_sections
from devrag.labels.api import label_pages
from devrag.search.api import (
    SectionText,
    WikiEdition,
    indexed_editions,
    replace_wiki_sections,
)
from devrag.wiki.models import Claim, Page, Version, Wiki


def index_shown_version(version: Version) -> int:
    """Let search find a version's pages from the commit of this transaction on.

    version: the one that readers see. Returns how many sections it has.
    """
    _label_pages(version)
    return replace_wiki_sections(_edition(version), _sections(version))


@transaction.atomic
def label_shown_pages(product_id: int) -> None:
    """Label the pages that readers of a product see, by the files that they cite.

    Locks the wikis, so that none is published meanwhile.
    """
    wikis = Wiki.objects.select_for_update().filter(product=product_id)
    for wiki in wikis.order_by("pk"):
        if wiki.current is not None:
            _label_pages(wiki.current)


def _label_pages(version: Version) -> None:
    cited: dict[str, set[tuple[str, str]]] = {}
    claims = Claim.objects.filter(page__version=version)
    for page, source, path in claims.values_list(
        "page__path", "source_name", "path"
    ).distinct():
        cited.setdefault(page, set()).add((source, path))
    label_pages(version.wiki.product_id, version.wiki.language, cited)


def unindexed_versions() -> list[Version]:
    """Return versions that readers see and search does not find, or not as they are.

    They were published by an older release, or analysed by an older analyser.
    """
    wikis = Wiki.objects.filter(current__isnull=False).select_related("current")
    versions = [wiki.current for wiki in wikis if wiki.current is not None]
    known = indexed_editions()
    return [each for each in versions if _edition(each) not in known]


def index_unindexed_versions() -> Iterator[int]:
    """Let search find those versions, one with each step."""
    for version in unindexed_versions():
        with transaction.atomic():
            wiki = Wiki.objects.select_for_update().get(pk=version.wiki_id)
            # Another may have been shown until the lock was there.
            if wiki.current_id == version.pk:
                index_shown_version(version)
        yield 1


def _edition(version: Version) -> WikiEdition:
    wiki = version.wiki
    return WikiEdition(wiki.product_id, wiki.language, version.pk, version.number)


def _sections(version: Version) -> Iterator[SectionText]:
    for page in version.pages.only("path", "title", "markdown"):
        yield from _sections_of(page)


def _sections_of(page: Page) -> Iterator[SectionText]:
    """Yield the sections that say something; a bare heading is that of the next."""
    for section in split_sections(page.markdown):
        if section.text:
            yield SectionText(
                page_path=page.path,
                page_title=page.title,
                level=section.level,
                heading=section.heading,
                anchor=section.anchor,
                start_line=section.start_line,
                end_line=section.end_line,
                text=section.text,
            )
