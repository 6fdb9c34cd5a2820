"""Typst by lines: headings outside raw text, and included files."""

from __future__ import annotations

import re

from devrag.parsing.documents.links import resolve_link
from devrag.parsing.documents.sections import (
    HEADING_LIMIT,
    Heading,
    Outline,
    parse_outline,
)
from devrag.parsing.source import Parsed, SourceText
from devrag.parsing.types import ReferenceFacts

_HEADING = re.compile(r"[ \t]*(=+)[ \t]+(\S.*)")
_LABEL = re.compile(r"\s*<[\w:.-]+>\s*$")
_INCLUDE = re.compile(r'\s*#(?:include|import)\s+"([^"@]+)"')


def parse_typst(source: SourceText) -> Parsed:
    """Return a document's sections and the files it takes in."""
    outline = Outline(source.lines)
    begin: int | None = None
    for index, line in enumerate(source.lines):
        if line.count("```") % 2:
            if begin is not None:
                outline.solid.append((begin + 1, index + 1))
            begin = index if begin is None else None
        elif begin is None:
            if found := _HEADING.match(line):
                text = _LABEL.sub("", found[2])[:HEADING_LIMIT]
                number = index + 1
                outline.headings.append(
                    Heading(len(found[1]), text, text.strip(), number, number)
                )
            elif (taken := _INCLUDE.match(line)) and (
                name := resolve_link(source.path, taken[1])
            ):
                outline.links.append(ReferenceFacts("link", name, index + 1))
    return parse_outline(source, outline)
