"""Org mode by lines: headlines, blocks that hide them, keywords, file links."""

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
from devrag.parsing.types import ReferenceFacts

_HEADLINE = re.compile(r"(\*+)[ \t]+(\S.*)")
_STATE = re.compile(r"(?:TODO|DONE|NEXT|WAITING|CANCELLED)\s+|\[#\w\]\s*|COMMENT\s+")
_TAGS = re.compile(r"\s+:(?:[\w@#%]+:)+$")
_LABEL = re.compile(r"\[\[[^\[\]]*\]\[([^\[\]]*)\]\]")
_EMPHASIS = re.compile(r"(?<!\w)([~=*/_])(\S(?:[^~=*/_]*\S)?)\1(?!\w)")
_BLOCK = re.compile(r"\s*#\+(begin|end)_(\w+)", re.IGNORECASE)
_KEYWORD = re.compile(r"#\+(\w+):[ \t]*(.*)")
_LINK = re.compile(r"\[\[(?:file:)?([^\[\]]+)\]")
_INCLUDE = re.compile(r'\s*#\+include:\s*"?([^"\s]+)', re.IGNORECASE)
# Targets of other kinds: a headline, an id, a code reference.
_NO_FILE = ("*", "#", "(")


def parse_org(source: SourceText) -> Parsed:
    """Return a document's sections and its links to other files."""
    outline = Outline(source.lines, may_be_memo=True)
    _read_blocks(source, outline)
    keywords = _keywords(source.lines)
    outline.title = keywords.get("title", "")
    outline.meta = FrontMatter(
        date=read_date(keywords.get("date", "").lstrip("<[")),
        tags=split_tags(keywords.get("filetags", "").replace(":", ",")),
    )
    outline.links = list(_links(source))
    return parse_outline(source, outline)


def _read_blocks(source: SourceText, outline: Outline) -> None:
    """Collect headlines outside of blocks, and the blocks, which stay whole."""
    opened, begin = "", 0
    for index, line in enumerate(source.lines):
        if "#+" in line and (block := _BLOCK.match(line)):
            kind, name = block[1].lower(), block[2].lower()
            if kind == "begin" and not opened:
                opened, begin = name, index
            elif kind == "end" and name == opened:
                outline.solid.append((begin + 1, index + 1))
                opened = ""
        elif not opened and line[:1] == "*" and (found := _HEADLINE.match(line)):
            text = " ".join(found[2].split())
            depth = len(found[1])
            outline.headings.append(
                Heading(depth, text, _plain(text[:HEADING_LIMIT]), index + 1, index + 1)
            )


def _plain(text: str) -> str:
    """Return a headline's words without state, priority, tags and markup."""
    words = _TAGS.sub("", text)
    while state := _STATE.match(words):
        words = words[state.end() :]
    return _EMPHASIS.sub(r"\2", _LABEL.sub(r"\1", words)) or text


def _keywords(lines: list[str]) -> dict[str, str]:
    """Return the keywords above the first headline."""
    found: dict[str, str] = {}
    for line in lines:
        if _HEADLINE.match(line):
            break
        if keyword := _KEYWORD.match(line):
            found.setdefault(keyword[1].lower(), keyword[2].strip())
    return found


def _links(source: SourceText) -> Iterator[ReferenceFacts]:
    for number, line in enumerate(source.lines, start=1):
        targets = [found[1] for found in _LINK.finditer(line)] if "[[" in line else []
        if "#+" in line and (include := _INCLUDE.match(line)):
            targets.append(include[1])
        for target in targets:
            written = target.partition("::")[0]
            if written.startswith(_NO_FILE) or "." not in written:
                continue
            if name := resolve_link(source.path, written):
                yield ReferenceFacts("link", name, number)
