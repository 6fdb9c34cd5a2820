"""The small shop beside a wiki of its documents and a tracker, for pages that join."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from devrag.sources.api import DocumentFacts, read_document
from devrag.sources.documents import write_document
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.survey import Survey
from devrag.wiki.writing.structural.pages import write_page
from tests.wiki.plans import plan_wiki
from tests.wiki.shop import SHOP, DictTexts, survey_of

Pages = Mapping[str, tuple[DocumentFacts, str]]


def ticket(number: int, title: str, *, closed: bool = False) -> DocumentFacts:
    """Return what a tracker tells of a ticket; later numbers are newer."""
    return DocumentFacts(
        title=f"Bug #{number}: {title}",
        kind="ticket",
        status="Closed" if closed else "In Progress",
        is_closed=closed,
        created=f"2026-01-{number:02}T09:00:00Z",
        changed="2026-03-01T09:00:00Z",
        url=f"https://tickets.example.com/issues/{number}",
    )


def wiki_page(title: str) -> DocumentFacts:
    return DocumentFacts(
        title=title,
        kind="page",
        created="2025-05-01T09:00:00Z",
        changed="2025-06-02T09:00:00Z",
        url=f"https://tickets.example.com/wiki/{title}",
    )


ORDERING = """# Ordering

An order begins when `place_order` reserves all books of a basket in one step.
Customers may change an order until the bill is printed by the night run.

## Late orders

Orders that arrive after midnight are billed on the following day.
"""
STOCKING = """# Counting stock

The stock is counted by `reserve`, which takes books out or leaves all of them there.
Books that are missing from a shelf are written off by hand each quarter.
"""
SPONSORS = """# Our sponsors

[Home](home.md) | [Guides](guides.md) | [Blog](blog.md) | [Chat](chat.md) | [Shop](s.md)

Become a sponsor and your logo is shown here with a link to your own site.
"""
FRONT = """# Book shop

[Home](home.md) | [Guides](guides.md) | [Blog](blog.md) | [Chat](chat.md)

[![build](https://ci.example/b.svg)](https://ci.example)

This project is sponsored by Example Corp and its many kind backers.

Everything that the people in the warehouse need to know is written here.
"""
TRACKER: Pages = {
    "project.md": (
        wiki_page("Book shop"),
        FRONT,
    ),
    "wiki/Ordering.md": (wiki_page("Ordering"), ORDERING),
    "wiki/Counting.md": (wiki_page("Counting stock"), STOCKING),
    "wiki/Sponsors.md": (wiki_page("Sponsors"), SPONSORS),
    "issues/3.md": (
        ticket(3, "Basket is emptied"),
        "- Status: In Progress\n\nSince Monday `place_order` empties the basket.\n",
    ),
    "issues/4.md": (
        ticket(4, "Shelf is counted twice"),
        "- Status: In Progress\n\nWhen `reserve` runs twice the stock is wrong.\n",
    ),
    "issues/5.md": (
        ticket(5, "Order was lost", closed=True),
        "- Status: Closed\n\nThe order was gone after `place_order`.\n",
    ),
    "issues/6.md": (
        ticket(6, "Lamp in the hall"),
        "- Status: In Progress\n\nThe lamp in the hall flickers.\n",
    ),
}


def survey_mixed(
    documents: Pages = TRACKER, code: Mapping[str, str] = SHOP
) -> tuple[Survey, DictTexts]:
    """Survey code and, as the source `shop-1`, documents."""
    written = {path: write_document(*each) for path, each in documents.items()}
    survey, texts = survey_of(code, written)
    files = []
    for file in survey.files:
        is_document = file.source == "shop-1"
        facts = read_document(texts.text(file.id)) if is_document else None
        files.append(replace(file, document_kind=facts.kind if facts else ""))
    return replace(survey, files=tuple(files)), texts


def analyse_mixed(
    documents: Pages = TRACKER, code: Mapping[str, str] = SHOP
) -> Analysis:
    return Analysis(*survey_mixed(documents, code))


def pages_of(analysis: Analysis, language: str = "en") -> dict[str, str]:
    """Return the Markdown of all pages by path."""
    plan = plan_wiki(analysis, language)
    return {page.path: write_page(analysis, plan, page)[0] for page in plan.pages}


def section(markdown: str, title: str) -> str:
    """Return what stands below a heading of the second level, '' without it."""
    _, _, rest = markdown.partition(f"\n## {title}\n")
    return rest.partition("\n## ")[0]
