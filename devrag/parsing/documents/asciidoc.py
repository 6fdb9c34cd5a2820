"""AsciiDoc by lines: titles, delimited blocks that hide them, links."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.parsing.documents.dates import read_date
from devrag.parsing.documents.front_matter import FrontMatter
from devrag.parsing.documents.links import resolve_link
from devrag.parsing.documents.memo import split_tags
from devrag.parsing.documents.sections import (
    HEADING_LIMIT,
    Heading,
    Outline,
    parse_outline,
)
from devrag.parsing.source import Parsed, SourceText
from devrag.parsing.tokens import count_cjk
from devrag.parsing.types import ReferenceFacts

_TITLE = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)")
# The two-line titles of older documents, by depth.
_UNDERLINES = {"=": 1, "-": 2, "~": 3, "^": 4, "+": 5}
_UNDERLINE = re.compile(r"([=~^+-])\1+\s*")
_UNDERLINE_SLACK = 2
_DELIMITER = re.compile(r"(([-.=*_+/])\2{3,}|--|```.*|[|,:!]={3,})\s*")
_LISTING = ("----", "....", "```", "|===")
_ATTRIBUTE = re.compile(r":([\w-]+):[ \t]*(.*)")
_LINK = re.compile(
    r"(?:image|include|link|xref|video|audio)::?([^\s\[\]:]+)\["
    r"|<<([^\s<>#,]+\.\w+)(?:#[^<>,]*)?(?:,[^<>]*)?>>"
)
_MARKUP = re.compile(r"([`*_+]{1,2})(\S.*?)\1|(?:link|xref):\S*?\[([^\]]*)\]")


def parse_asciidoc(source: SourceText) -> Parsed:
    """Return a document's sections and its links to other files."""
    outline = Outline(source.lines)
    _read_blocks(source, outline)
    outline.meta = _meta(source.lines)
    outline.links = list(_links(source))
    return parse_outline(source, outline)


def _read_blocks(source: SourceText, outline: Outline) -> None:
    """Collect titles outside delimited blocks, and the listings, which stay whole."""
    opened, begin = "", 0
    for index, line in enumerate(source.lines):
        mark = line.rstrip()
        if opened:
            if mark == opened:
                if opened.startswith(_LISTING):
                    outline.solid.append((begin + 1, index + 1))
                opened = ""
        elif found := _TITLE.match(line):
            outline.headings.append(_heading(len(found[1]), found[2], index, index))
        elif depth := _underlined(source.lines, index):
            title = source.lines[index - 1].strip()
            outline.headings.append(_heading(depth, title, index - 1, index))
        elif _DELIMITER.fullmatch(line):
            opened, begin = "```" if mark.startswith("```") else mark, index


def _heading(depth: int, written: str, first: int, last: int) -> Heading:
    text = " ".join(written.split())
    plain = _MARKUP.sub(lambda found: found[2] or found[3] or "", text[:HEADING_LIMIT])
    return Heading(depth, text, plain, first + 1, last + 1)


def _underlined(lines: list[str], index: int) -> int:
    """Return the depth of a title with a line of its length below it, else 0."""
    if not index or not _UNDERLINE.fullmatch(lines[index]):
        return 0
    title = lines[index - 1]
    above = lines[index - 2] if index > 1 else ""
    if above.strip() and not above.startswith(("[", ":", "//")):
        return 0
    if not any(map(str.isalnum, title)) or title[0] in " \t.[:|*-":
        return 0
    width = len(title.strip()) + count_cjk(title)
    if abs(width - len(lines[index].rstrip())) > _UNDERLINE_SLACK:
        return 0
    return _UNDERLINES[lines[index][0]]


def _meta(lines: list[str]) -> FrontMatter:
    """Return what the attributes of the header say: `:keywords:`, `:revdate:`."""
    found: dict[str, str] = {}
    for line in lines:
        if match := _ATTRIBUTE.match(line):
            found.setdefault(match[1].lower(), match[2].strip())
        elif not line.strip() and found:
            break
    return FrontMatter(
        title=found.get("title", "") or found.get("doctitle", ""),
        date=read_date(found.get("revdate", "") or found.get("date", "")),
        tags=split_tags(found.get("keywords", "") or found.get("tags", "")),
    )


def _links(source: SourceText) -> Iterator[ReferenceFacts]:
    for number, line in enumerate(source.lines, start=1):
        if "[" not in line and "<<" not in line:
            continue
        for found in _LINK.finditer(line):
            target = (found[1] or found[2]).partition("#")[0]
            if "{" not in target and (name := resolve_link(source.path, target)):
                yield ReferenceFacts("link", name, number)
