"""list_wiki_pages, read_wiki, ask_wiki: what is written about a product."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from devrag.core.errors import InvalidInput, NotFound
from devrag.core.markdown import MarkdownSection, split_sections
from devrag.core.text import shorten
from devrag.mcp.arguments import Limit, ProductName, Tokens
from devrag.mcp.budget import Budget, fit_lines
from devrag.mcp.caller import Ctx, caller
from devrag.mcp.collections import find_product
from devrag.products.models import Product
from devrag.search.types import MAX_QUERY_CHARS
from devrag.wiki.answers import Evidence, find_evidence
from devrag.wiki.api import (
    CITATION,
    claim_draft,
    find_page,
    place,
    prefix_of,
    readable_wikis,
)
from devrag.wiki.models import Page, Version

_DEFAULT_BUDGET, _SUMMARY, _EXCERPT = 3_000, 160, 12
_DEEPEST_HEADING = 6
_NUMBER = re.compile(r"\[(\d+)\]")
_NO_WIKI = "'{}' has no wiki yet: `devrag wiki generate --product {}` writes one."

_OUTDATED = (
    "{} places were left out: their lines changed since the wiki was written. Ask "
    "search for what stands there now."
)


class PageOut(TypedDict):
    """A page. kind: index, architecture, feature, …"""

    page: str
    title: str
    kind: str
    summary: NotRequired[str]


class WikiPages(TypedDict):
    """Pages in reading order. sources: name → commit that they are about."""

    product: str
    version: int
    written_at: str
    sources: dict[str, str]
    pages: list[PageOut]


class WikiText(TypedDict):
    """Markdown; [n] is a source: `n path:lines`. headings: of the page, when cut."""

    product: str
    page: str
    title: str
    text: str
    sources: list[str]
    headings: NotRequired[list[str]]
    next: NotRequired[str]


class EvidenceOut(TypedDict):
    """Lines that a page of the wiki cites, where they stand now."""

    page: str
    source: str
    path: str
    start_line: int
    end_line: int
    score: float
    excerpt: NotRequired[str]


class WikiAnswer(TypedDict):
    """Evidence, best first. pages: where to read on."""

    evidence: list[EvidenceOut]
    pages: list[PageOut]
    next: NotRequired[str]


def list_wiki_pages(ctx: Ctx, product: ProductName) -> WikiPages:
    """List the pages of a product's wiki: the quickest way to an overview."""
    held = find_product(caller(ctx, "read"), product)
    version = _current(held)
    pages: list[PageOut] = []
    for wiki in (wikis := readable_wikis(held)):
        assert wiki.current is not None  # noqa: S101 - only such wikis are readable
        folder = prefix_of(wiki, wikis)
        pages += [_to_page(page, folder) for page in wiki.current.pages.all()]
    return WikiPages(
        product=held.name,
        version=version.number,
        written_at=version.created_at.isoformat(timespec="seconds"),
        sources={name: at["commit"] for name, at in version.sources.items()},
        pages=pages,
    )


def _current(product: Product) -> Version:
    wikis = readable_wikis(product)
    version = wikis[0].current if wikis else None
    if version is None:
        raise NotFound(_NO_WIKI.format(product.name, product.name))
    return version


def _to_page(page: Page, folder: str = "") -> PageOut:
    found = PageOut(page=folder + page.path, title=page.title, kind=page.kind)
    if page.summary:
        found["summary"] = shorten(page.summary, _SUMMARY)
    return found


def read_wiki(
    ctx: Ctx,
    product: ProductName,
    page: Annotated[
        str, Field(max_length=300, description="As list_wiki_pages names it.")
    ] = "index.md",
    section: Annotated[
        str, Field(max_length=300, description="A heading; '' is all of the page.")
    ] = "",
    budget: Tokens = _DEFAULT_BUDGET,
) -> WikiText:
    """Read a page of a product's wiki, or one section; every claim names its source.

    A page that does not fit into the budget comes with its headings to choose from.
    """
    held = find_product(caller(ctx, "read"), product)
    found = get_wiki_page(held, page)
    lines = CITATION.sub(r" [\1]", found.markdown).split("\n")
    wanted = _lines_of(section, found, lines) if section else lines
    shown = fit_lines(wanted, budget)
    text = WikiText(
        product=held.name,
        page=page,
        title=found.title,
        text="\n".join(shown).strip(),
        sources=list(_sources(found, "\n".join(shown))),
    )
    if len(shown) < len(wanted):
        text["headings"] = [each.heading for each in _sections(found)]
        text["next"] = "The page is cut: ask for a section, or a bigger budget."
    return text


def get_wiki_page(product: Product, address: str) -> Page:
    """Return a page by its address, with or without `.md`. Raises NotFound."""
    name = address.strip("/") or "index"
    page = find_page(product, f"{name.removesuffix('.md')}.md")
    if page is None:
        raise NotFound(_NO_WIKI.format(product.name, product.name))
    return page


def _sections(page: Page) -> list[MarkdownSection]:
    """Return the sections that have a heading, named as search names them."""
    found = split_sections(page.markdown, deepest=_DEEPEST_HEADING)
    return [section for section in found if section.level]


def _lines_of(wanted: str, page: Page, lines: list[str]) -> list[str]:
    """Return the lines of a section with those below it."""
    heading = wanted.replace("`", "").lstrip("# ").strip().casefold()
    sections = _sections(page)
    for at, section in enumerate(sections):
        if section.heading.casefold() == heading:
            after = (
                each.start_line - 1
                for each in sections[at + 1 :]
                if each.level <= section.level
            )
            return lines[section.start_line - 1 : next(after, len(lines))]
    names = ", ".join(section.heading for section in sections)
    raise InvalidInput(
        f"{page.path} has no section '{shorten(wanted, 80)}'. It has: {names}."
    )


def _sources(page: Page, text: str) -> Iterable[str]:
    """Yield the places behind the numbers in a text."""
    used = {int(number) for number in _NUMBER.findall(text)}
    for claim in page.claims.all():
        if claim.ordinal in used:
            yield f"{claim.ordinal} {claim.source_name}:{place(claim_draft(claim))}"


def ask_wiki(
    ctx: Ctx,
    question: Annotated[
        str,
        Field(min_length=1, max_length=MAX_QUERY_CHARS, description="In words."),
    ],
    product: ProductName,
    limit: Limit = 8,
    budget: Tokens = 2_000,
) -> WikiAnswer:
    """Return source lines that a product's wiki cites on what a question is about.

    No model writes an answer: you do, from the lines. The pages say more in words.
    """
    principal = caller(ctx, "read")
    version = _current(find_product(principal, product))
    found = find_evidence(version, question, principal=principal, limit=limit)
    shares = Budget(budget, len(found.claims))
    answer = WikiAnswer(
        evidence=[_to_evidence(each, shares) for each in found.claims],
        pages=[_to_page(page) for page in found.pages],
    )
    if found.stale:
        answer["next"] = _OUTDATED.format(found.stale)
    elif not found.claims:
        answer["next"] = "The wiki says nothing of it. Ask search, which sees all text."
    return answer


def _to_evidence(each: Evidence, budget: Budget) -> EvidenceOut:
    source = each.claim.source_name
    found = EvidenceOut(
        page=each.claim.page.path,
        source=source,
        path=each.state.file.removeprefix(f"{source}/"),
        start_line=each.state.start_line,
        end_line=each.state.end_line,
        score=round(each.score, 3),
    )
    excerpt, _ = budget.take("\n".join(each.claim.excerpt.split("\n")[:_EXCERPT]))
    if excerpt:
        found["excerpt"] = excerpt
    return found
