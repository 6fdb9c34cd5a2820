"""Sections of a product's published wiki, with the lines of the sources they cite.

A section is told only while all that it cites stands in sources that the asker sees.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from devrag.ask.trace.citations import Citations
from devrag.ask.types import PassageKind
from devrag.core.page_urls import wiki_url
from devrag.products.models import Product
from devrag.search.models import WikiSection
from devrag.sources.models import File, RefFile
from devrag.wiki.api import ClaimFreshness, prefix_of, readable_wikis, states_of_page
from devrag.wiki.models import Page, Wiki

_CITED = re.compile(r"\s*\[(\d+)\]\(cite:\1\)")
_LINK = re.compile(r"\]\((?!cite:|[a-z][a-z0-9+.-]*:|/)([^)\s]*)\)", re.IGNORECASE)
_FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
_RULE = re.compile(r"^\|[\s|:-]+$")
_HEADING = re.compile(r"^#{1,6}\s+(.*)$")
_KINDS: Mapping[str, PassageKind] = {
    File.Kind.DOC: "documentation",
    File.Kind.DATA: "data",
    File.Kind.CONFIG: "configuration",
}


@dataclass(frozen=True, slots=True)
class FoundSection:
    """A section of a page. level: of its heading. lines: the Markdown below that.

    heading: as plain text; shown: as Markdown.
    """

    page: Page
    heading: str
    shown: str
    level: int
    url: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Evidence:
    """Where the lines stand now that a claim cites."""

    file: int
    kind: PassageKind
    lines: tuple[int, int]


class WikiOfProduct:
    """The wiki of a product in a language, as its readers see it. Queries: 1."""

    def __init__(self, product: Product, language: str) -> None:
        wikis = readable_wikis(product)
        own = [each for each in wikis if each.language == language] or wikis
        self._product = product
        self._wiki: Wiki | None = own[0] if own else None
        self._folder = prefix_of(own[0], wikis) if own else ""
        self.language = own[0].language if own else language

    def sections(
        self,
        *,
        page: str = "",
        begin: str = "",
        within: str = "",
        headings: Collection[str] = (),
    ) -> list[FoundSection]:
        """Return sections in their order. Queries: 2 where there are any.

        page: the path of their page. begin: how their heading begins, without marks.
        within: what it has. headings: whole ones. A page that was just withdrawn is
        left out.
        """
        if self._wiki is None:
            return []
        rows = WikiSection.objects.filter(
            product=self._product,
            language=self.language,
            version=self._wiki.current_id or 0,
        ).defer("tokens", "text")
        if page:
            rows = rows.filter(page_path=page)
        if begin:
            rows = rows.filter(heading__startswith=begin)
        if within:
            rows = rows.filter(heading__contains=within)
        if headings:
            rows = rows.filter(heading__in=headings)
        found = list(rows.order_by("ordinal"))
        pages = Page.objects.filter(
            version=self._wiki.current_id, path__in={each.page_path for each in found}
        )
        by_path = {each.path: each for each in pages} if found else {}
        return [
            self._section(row, by_path[row.page_path])
            for row in found
            if row.page_path in by_path
        ]

    def _section(self, row: WikiSection, page: Page) -> FoundSection:
        lines = page.markdown.split("\n")[row.start_line - 1 : row.end_line]
        url = wiki_url(self._product.name, self._folder + row.page_path)
        below = lines[1:] if row.level else lines
        return FoundSection(
            page=page,
            heading=row.heading or row.page_title,
            shown=lines[0].lstrip("# ") if row.level else page.title,
            level=row.level,
            url=f"{url}#{row.anchor}" if row.anchor and row.level > 1 else url,
            lines=tuple(below),
        )


class CitedSections:
    """Tells sections with their citations numbered as those of one answer."""

    def __init__(
        self, product: Product, source_ids: Collection[int], citations: Citations
    ) -> None:
        self._product, self._sources = product, source_ids
        self._citations = citations
        self._evidence: dict[int, Mapping[int, _Evidence]] = {}

    def markdown(self, section: FoundSection, *, most: int) -> str:
        """Return what a section says with evidence, "" where some of it is stale.

        most: lines of lists, tables and text.
        """
        evidence = self._of_page(section.page)
        cited = {int(number) for number in _CITED.findall("\n".join(section.lines))}
        if not cited or not cited <= evidence.keys():
            return ""
        told = _Told(section, evidence, self._citations, _folder_url(section))
        return told.markdown(most)

    def _of_page(self, page: Page) -> Mapping[int, _Evidence]:
        """Return what the claims of a page cite that the asker sees and that stands."""
        if page.pk in self._evidence:
            return self._evidence[page.pk]
        states = [
            each
            for each in states_of_page(page, self._product.pk)
            if each.state != ClaimFreshness.STALE
        ]
        rows = RefFile.objects.filter(
            until=None, ref__is_current=True, file__source__in=self._sources
        ).values_list("file__source__name", "file__path", "file", "file__kind")
        names = [each.file.partition("/")[2] for each in states]
        files = {
            f"{source}/{path}": (file, _KINDS.get(kind, "definition"))
            for source, path, file, kind in rows.filter(file__path__in=set(names))
        }
        self._evidence[page.pk] = {
            each.ordinal: _Evidence(*files[each.file], (each.start_line, each.end_line))
            for each in states
            if each.file in files
        }
        return self._evidence[page.pk]


def _folder_url(section: FoundSection) -> str:
    """Return the address that links of a page are relative to.

    That of the front page of a wiki is a folder itself.
    """
    return posixpath.dirname(section.url.partition("#")[0]) + "/"


class _Told:
    """The lines of one section that have evidence."""

    def __init__(
        self,
        section: FoundSection,
        evidence: Mapping[int, _Evidence],
        citations: Citations,
        folder: str,
    ) -> None:
        self._section, self._evidence = section, evidence
        self._citations, self._folder = citations, folder
        self._is_full = False

    def markdown(self, most: int) -> str:
        kept = list(self._kept(self._section.lines, most))
        while kept and (not kept[-1].strip() or kept[-1].startswith("**")):
            kept.pop()  # a heading with nothing below
        text = "\n".join(kept).strip()
        return re.sub(r"\n{3,}", "\n\n", text)

    def _kept(self, lines: Sequence[str], most: int) -> Iterator[str]:
        """Yield the lines that cite something, and the code that they introduce."""
        at, said, introduces = 0, 0, False
        while at < len(lines) and said < most and not self._is_full:
            line = lines[at]
            end = _end_of_fence(lines, at)
            if end:
                if introduces:
                    yield from ("", *lines[at:end], "")
                at = end
                continue
            at += 1
            if heading := _HEADING.match(line):
                yield from ("", f"**{_CITED.sub('', heading[1])}**", "")
                introduces = False
            elif not line.strip() or _is_table_head(lines, at - 1):
                yield line
            elif told := self._cited(line):
                yield told
                said, introduces = said + 1, True
            else:
                introduces = False

    def _cited(self, line: str) -> str:
        """Return a line with the numbers of this answer, "" for one without any."""
        numbers = [int(number) for number in _CITED.findall(line)]
        if not numbers:
            return ""
        marks: dict[int, str] = {}
        for number in numbers:
            place = self._evidence[number]
            mark = self._citations.cite(place.file, place.lines, place.kind)
            self._is_full |= not mark
            marks[number] = mark
        if self._is_full:
            return ""
        text = _CITED.sub(lambda found: marks[int(found[1])], line)
        return _LINK.sub(self._linked, text)

    def _linked(self, link: re.Match[str]) -> str:
        """Return a link of a wiki page as one that holds elsewhere."""
        path, _, anchor = link[1].partition("#")
        if not path:
            return f"]({self._section.url.partition('#')[0]}#{anchor})"
        url = posixpath.normpath(self._folder + path.removesuffix(".md"))
        return f"]({url}#{anchor})" if anchor else f"]({url})"


def _end_of_fence(lines: Sequence[str], at: int) -> int:
    """Return the line after a block of code that begins here, 0 where none does."""
    opened = _FENCE.match(lines[at])
    if opened is None:
        return 0
    for number in range(at + 1, len(lines)):
        if lines[number].strip().startswith(opened[1]):
            return number + 1
    return len(lines)


def _is_table_head(lines: Sequence[str], at: int) -> bool:
    return bool(_RULE.match(lines[at])) or (
        lines[at].startswith("|")
        and at + 1 < len(lines)
        and bool(_RULE.match(lines[at + 1]))
    )
