"""A PDF's text (see pdf_text.py): a chunk per page, and one per bookmarked section."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from devrag.parsing.documents.pdf_text import PAGE_BREAK
from devrag.parsing.documents.sections import MAX_TOKENS_PER_SECTION
from devrag.parsing.source import Parsed, SourceText
from devrag.parsing.tokens import estimate_tokens, text_language
from devrag.parsing.types import ChunkFacts
from devrag.parsing.windows import text_windows

_HEADING = re.compile(r"(#{1,3}) (.+)")
# Before the estimate, which costs more than a length.
_MAX_CHARACTERS = 4 * MAX_TOKENS_PER_SECTION


@dataclass(eq=False, slots=True)
class _Page:
    """first: the 1-based line of its bookmarks; start: that of its words."""

    number: int
    first: int
    start: int
    end: int


@dataclass(eq=False, slots=True)
class _Section:
    """A bookmark with the lines from its title to the next one of its depth."""

    depth: int
    title: str
    start: int
    end: int = 0
    parent: _Section | None = None
    ordinal: int | None = None

    @property
    def trail(self) -> tuple[str, ...]:
        above = self.parent.trail if self.parent else ()
        return (*above, self.title)


@dataclass
class _Document:
    source: SourceText
    pages: list[_Page] = field(default_factory=list)
    sections: list[_Section] = field(default_factory=list)
    path: list[_Section] = field(default_factory=list)

    def open(self, section: _Section) -> None:
        """End the sections that a new one ends, hang it below the one it is in."""
        while self.path and self.path[-1].depth >= section.depth:
            last = self.path.pop()
            last.end = max(last.start, section.start - 1)
        section.parent = self.path[-1] if self.path else None
        self.path.append(section)
        self.sections.append(section)


def parse_pdf(source: SourceText) -> Parsed:
    """Return page chunks named `Page 3`, and sections that fit into one chunk.

    A section over the limit is left to its parts: a chapter's text in one chunk would
    store the document once more and mean nothing as one vector.
    """
    document = _read(source)
    title = next((s.title for s in document.sections if s.depth == 1), "")
    chunks: list[ChunkFacts] = []
    # At the same line the section comes first: it is the page's parent.
    parts: list[_Page | _Section] = [*document.sections, *document.pages]
    for part in sorted(parts, key=_first_line):
        source.check_deadline()
        if isinstance(part, _Page):
            chunks.extend(_page_chunks(document, part, title, len(chunks)))
        else:
            chunks.extend(_section_chunk(source, part, title, len(chunks)))
    return Parsed(chunks=chunks, title=title)


def _first_line(part: _Page | _Section) -> int:
    return part.first if isinstance(part, _Page) else part.start


def _read(source: SourceText) -> _Document:
    document = _Document(source)
    lines = source.lines
    breaks = [n for n, line in enumerate(lines) if line == PAGE_BREAK]
    starts = [0, *(n + 1 for n in breaks)]
    for number, (start, end) in enumerate(
        zip(starts, [*breaks, len(lines)], strict=True), start=1
    ):
        bookmarks = _bookmarks(lines[start:end])
        page = _Page(number, start + 1, start + len(bookmarks) + 1, end)
        for depth, title in bookmarks:
            source.check_deadline()
            document.open(_Section(depth, title, _find(document, page, title)))
        document.pages.append(page)
    for section in document.path:
        section.end = len(lines)
    return document


def _bookmarks(lines: list[str]) -> list[tuple[int, str]]:
    """Read the headings above a page's first blank line; text follows that line."""
    found = []
    for line in lines:
        match = _HEADING.fullmatch(line)
        if match is None:
            break
        found.append((len(match[1]), match[2]))
    return found


def _find(document: _Document, page: _Page, title: str) -> int:
    """Return the line that shows the title; the page's first when it opens the page."""
    lines = document.source.lines
    last = document.sections[-1].start if document.sections else 0
    wanted = _letters(title)
    has_text_above = False
    for number in range(max(page.start, last), page.end + 1):
        if wanted and wanted in _letters(lines[number - 1]):
            return number if has_text_above or last >= page.start else page.first
        has_text_above = has_text_above or bool(lines[number - 1].strip())
    return max(page.first, last)


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _section_chunk(
    source: SourceText, section: _Section, title: str, ordinal: int
) -> Iterator[ChunkFacts]:
    lines = source.lines[section.start - 1 : section.end]
    text = "\n".join(line for line in lines if line != PAGE_BREAK).strip("\n")
    if not text.strip() or len(text) > _MAX_CHARACTERS:
        return
    tokens = estimate_tokens(text)
    if tokens > MAX_TOKENS_PER_SECTION:
        return
    section.ordinal = ordinal
    yield ChunkFacts(
        ordinal=ordinal,
        kind="section",
        start_line=section.start,
        end_line=max(section.start, section.end),
        text=text,
        tokens=tokens,
        header=" > ".join((source.path, *section.trail)),
        heading=section.title,
        title=title,
        depth=section.depth,
        parent=section.parent.ordinal if section.parent else None,
        language=text_language(text),
    )


def _page_chunks(
    document: _Document, page: _Page, title: str, first: int
) -> Iterator[ChunkFacts]:
    source = document.source
    around = _innermost(document, page.first)
    trail = around.trail if around else ()
    lines = source.lines[page.first - 1 : page.end]
    windows = text_windows(lines, page.first, source.chunking)
    for ordinal, window in enumerate(windows, start=first):
        yield ChunkFacts(
            ordinal=ordinal,
            kind="window",
            start_line=window.start_line,
            end_line=window.end_line,
            text=window.text,
            tokens=estimate_tokens(window.text),
            header=" > ".join((source.path, *trail, f"Page {page.number}")),
            heading=f"Page {page.number}",
            title=title,
            parent=around.ordinal if around else None,
            language=text_language(window.text),
        )


def _innermost(document: _Document, line: int) -> _Section | None:
    """Return the deepest section that a line lies in."""
    for section in reversed(document.sections):
        if section.start <= line <= section.end:
            return section
    return None
