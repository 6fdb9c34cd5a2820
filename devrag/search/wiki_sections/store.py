"""Keep the sections of the wiki that readers see; the wiki package hands them over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction

from devrag.search.lexical.analyser import ANALYSER_VERSION
from devrag.search.models import WikiSection
from devrag.search.wiki_sections.vectors import vector_of

# A tsvector holds 1 MB; no page that people read comes near.
_MAX_INDEXED_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True)
class SectionText:
    """A section to be found: its page and heading, its words without markup."""

    page_path: str
    page_title: str
    level: int
    heading: str
    anchor: str
    start_line: int
    end_line: int
    text: str


@dataclass(frozen=True, slots=True)
class WikiEdition:
    """A version of a product's wiki in a language, by its key and its number."""

    product_id: int
    language: str
    version: int
    number: int


@transaction.atomic
def replace_wiki_sections(edition: WikiEdition, sections: Iterable[SectionText]) -> int:
    """Let `kind:wiki` find these sections instead of what it found of the wiki before.

    They are found as soon as the caller's transaction commits. Returns how many.
    """
    product, language = edition.product_id, edition.language
    WikiSection.objects.filter(product=product, language=language).delete()
    rows = [_row(edition, n, section) for n, section in enumerate(sections)]
    WikiSection.objects.bulk_create(rows, batch_size=500)
    return len(rows)


def forget_wiki_sections(product_id: int, language: str) -> None:
    """Let `kind:wiki` find nothing of a wiki that nobody sees any more."""
    WikiSection.objects.filter(product=product_id, language=language).delete()


def indexed_editions() -> set[WikiEdition]:
    """Return what can be found, as the present analyser reads it. Queries: 1."""
    rows = WikiSection.objects.filter(analyser_version=ANALYSER_VERSION)
    fields = ("product_id", "language", "version", "number")
    return {WikiEdition(*row) for row in rows.values_list(*fields).distinct()}


def _row(edition: WikiEdition, ordinal: int, section: SectionText) -> WikiSection:
    tokens = vector_of(
        [
            (section.heading, "A"),
            (section.page_title, "B"),
            (section.page_path, "C"),
            (section.text[:_MAX_INDEXED_CHARACTERS], "D"),
        ]
    )
    return WikiSection(
        product_id=edition.product_id,
        language=edition.language,
        version=edition.version,
        number=edition.number,
        page_path=section.page_path,
        page_title=section.page_title,
        ordinal=ordinal,
        level=section.level,
        heading=section.heading,
        anchor=section.anchor,
        start_line=section.start_line,
        end_line=section.end_line,
        text=section.text,
        tokens=tokens,
        analyser_version=ANALYSER_VERSION,
    )
