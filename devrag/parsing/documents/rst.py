"""reStructuredText by lines: adorned titles, directives' and roles' links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import splitext

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
from devrag.parsing.documents.units import LineRange
from devrag.parsing.source import Parsed, SourceText
from devrag.parsing.tokens import count_cjk
from devrag.parsing.types import ReferenceFacts

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*\s*")
# docutils takes a shorter line under a title for text.
_SURE_LENGTH = 4
_DIRECTIVE = re.compile(
    r"\s*\.\. (?:\|[^|]+\| )?(?:image|figure|include|literalinclude):: *(\S+)"
)
_LINK = re.compile(r"`[^`<>]*<([^<>`\s]+)>`_{1,2}|:doc:`(?:[^`<>]*<)?([^<>`\s]+)>?`")
_TOCTREE = re.compile(r"( *)\.\. toctree::")
_MARKUP = re.compile(
    r"(?::[\w:+.-]+:)?(?P<tick>`{1,2})(?P<text>.+?)(?: <[^<>]*>)?(?P=tick)_{0,2}"
    r"|(?P<star>\*{1,2})(?P<words>\S.*?)(?P=star)"
)
# `.. code:: python`, or a paragraph that ends in `::` and is no other directive.
_CODE = re.compile(
    r"\s*\.\. (?:code|code-block|sourcecode|parsed-literal|prompt|testcode|doctest)::"
    r"|(?!\s*\.\. ).*::\s*$"
)
# Pelican's `:date: 2024-05-01` and Nikola's `.. date: 2024-05-01`. Manuals have a
# `:Date:` that says when they were last changed.
_FIELD = re.compile(r"(?::(title|date|tags):|\.\. (title|date|tags):)\s+(\S.*)")
_MOST_FIELD_LINES = 20
_LINES_PER_CHECK = 1000


def parse_rst(source: SourceText) -> Parsed:
    """Return a document's sections and its links to other files."""
    outline = Outline(source.lines, may_be_memo=True)
    outline.meta = _fields(source.lines)
    outline.headings = list(_headings(source))
    outline.solid = list(_code_blocks(source.lines))
    outline.links = [*_links(source), *_toctree_links(source)]
    outline.links.sort(key=lambda link: link.line)
    return parse_outline(source, outline)


def _fields(lines: list[str]) -> FrontMatter:
    """Return what the fields at the top of a note say."""
    found: dict[str, str] = {}
    for line in lines[:_MOST_FIELD_LINES]:
        if field := _FIELD.match(line):
            found.setdefault(field[1] or field[2], field[3].strip())
    return FrontMatter(
        title=found.get("title", ""),
        date=read_date(found.get("date", "")),
        tags=split_tags(found.get("tags", "")),
    )


def _headings(source: SourceText) -> Iterator[Heading]:
    """Yield titles; an adornment's depth is the order in which it first comes."""
    lines = source.lines
    styles: list[tuple[str, bool]] = []
    for index in range(1, len(lines)):
        if index % _LINES_PER_CHECK == 0:
            source.check_deadline()
        if not _is_under_title(lines, index):
            continue
        mark, title = lines[index][0], lines[index - 1]
        first = index - 1
        if first and lines[first - 1].rstrip() == lines[index].rstrip():
            first -= 1
        elif title[0].isspace() or not _may_follow(lines, first):
            continue
        style = (mark, first < index - 1)
        if style not in styles:
            styles.append(style)
        text = " ".join(title.split())
        depth = styles.index(style) + 1
        yield Heading(depth, text, _plain(text[:HEADING_LIMIT]), first + 1, index + 1)


def _code_blocks(lines: list[str]) -> Iterator[LineRange]:
    """Yield the literal blocks and code directives, each with what announces it."""
    index = 0
    while index < len(lines):
        last = index
        if _CODE.match(lines[index]):
            last = _last_below(lines, index)
            if last > index:
                yield index + 1, last + 1
        index = last + 1


def _last_below(lines: list[str], first: int) -> int:
    """Return the last of the lines that are indented more than the first."""
    indent = len(lines[first]) - len(lines[first].lstrip())
    last = first
    for index in range(first + 1, len(lines)):
        line = lines[index]
        if line.strip():
            if len(line) - len(line.lstrip()) <= indent:
                break
            last = index
    return last


def _is_under_title(lines: list[str], index: int) -> bool:
    line, title = lines[index], lines[index - 1]
    if line[:1].isalnum() or not line.strip() or not title.strip():
        return False
    if not _ADORNMENT.fullmatch(line) or _ADORNMENT.fullmatch(title):
        return False
    length = len(line.rstrip())
    return length >= min(_SURE_LENGTH, _width(title.strip()))


def _width(text: str) -> int:
    """Return the columns that a text takes: two for each wide character."""
    return len(text) + count_cjk(text)


def _may_follow(lines: list[str], first: int) -> bool:
    """Return whether a title may begin there: after a blank line or a directive."""
    above = lines[first - 1] if first else ""
    return not above.strip() or above.startswith(".. ")


def _plain(text: str) -> str:
    """Return a title's words without markup."""
    return _MARKUP.sub(lambda found: found["text"] or found["words"], text)


def _links(source: SourceText) -> Iterator[ReferenceFacts]:
    for number, line in enumerate(source.lines, start=1):
        directive = _DIRECTIVE.match(line) if ".. " in line else None
        if directive and not directive[1].startswith("/"):
            yield from _reference(source, directive[1], number)
        for found in _LINK.finditer(line) if "`" in line else ():
            if found[1]:
                yield from _reference(source, found[1], number)
            elif not found[2].startswith("/"):
                yield from _document(source, found[2], number)


def _toctree_links(source: SourceText) -> Iterator[ReferenceFacts]:
    """Yield the documents of toctree directives; absolute ones hang on a setting."""
    indent = -1
    for number, line in enumerate(source.lines, start=1):
        if found := _TOCTREE.match(line):
            indent = len(found[1])
        elif indent >= 0 and (entry := line.strip()):
            if len(line) - len(line.lstrip()) <= indent:
                indent = -1
            elif entry[0] not in ":/" and "*" not in entry:
                target = entry.rpartition("<")[2].removesuffix(">")
                yield from _document(source, target, number)


def _document(source: SourceText, name: str, line: int) -> Iterator[ReferenceFacts]:
    """Yield a link to a document named without the extension of its kind."""
    extension = splitext(source.path)[1]
    target = name if splitext(name)[1] in {extension, ".md"} else name + extension
    yield from _reference(source, target, line)


def _reference(source: SourceText, target: str, line: int) -> Iterator[ReferenceFacts]:
    if name := resolve_link(source.path, target):
        yield ReferenceFacts("link", name, line)
