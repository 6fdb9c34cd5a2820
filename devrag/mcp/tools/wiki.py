"""list_wiki_pages, read_wiki: what is written about a product."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from devrag.core.errors import InvalidInput, NotFound
from devrag.core.markdown import MarkdownSection, split_sections
from devrag.core.text import shorten
from devrag.mcp.arguments import ProductName, Tokens
from devrag.mcp.budget import fit_lines
from devrag.mcp.caller import Ctx, caller
from devrag.mcp.collections import find_product
from devrag.products.models import Product
from devrag.wiki.api import (
    CITATION,
    claim_draft,
    find_page,
    place,
    prefix_of,
    readable_wikis,
)
from devrag.wiki.models import Page, Version

_DEFAULT_BUDGET, _SUMMARY = 3_000, 160
_DEEPEST_HEADING = 6
_NUMBER = re.compile(r"\[(\d+)\]")
_NO_WIKI = "'{}' has no wiki yet. Generate it with `devrag wiki generate --product {}`."


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
        str, Field(max_length=300, description="As listed by list_wiki_pages.")
    ] = "index.md",
    section: Annotated[
        str, Field(max_length=300, description="A heading; '' for the whole page.")
    ] = "",
    budget: Tokens = _DEFAULT_BUDGET,
) -> WikiText:
    """Read a page of a product's wiki, or one section, with citations.

    If the page does not fit into the budget, its headings are added.
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
        text["next"] = (
            "The page is truncated: request a section, or use a larger budget."
        )
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
