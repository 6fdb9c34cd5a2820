"""LaTeX by lines: sectioning commands outside comments and verbatim text, inputs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.parsing.documents.links import resolve_link
from devrag.parsing.documents.sections import (
    HEADING_LIMIT,
    Heading,
    Outline,
    parse_outline,
)
from devrag.parsing.source import Parsed, SourceText
from devrag.parsing.types import ReferenceFacts

_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection")
_GROUP = r"(?:[^{}\n]|\\[{}]|\{(?:[^{}\n]|\{[^{}\n]*\})*\})*"
_HEADING = re.compile(
    rf"\s*\\(?P<level>{'|'.join(_LEVELS)})\*?\s*(?:\[[^\]\n]*\])?\s*\{{(?P<text>{_GROUP})\}}"
)
_TITLE = re.compile(rf"\s*\\title\s*(?:\[[^\]\n]*\])?\s*\{{(?P<text>{_GROUP})\}}")
_VERBATIM = re.compile(
    r"\s*\\(?P<which>begin|end)\{(?P<name>[Vv]erbatim\*?|lstlisting|minted|comment)\}"
)
_INPUT = re.compile(r"\\(?:input|include|subfile)\{([^{}\n]+)\}")
_COMMAND = re.compile(r"\\[A-Za-z]+\*?\s*|[{}]|\\(?=[^A-Za-z])")
_COMMENT = re.compile(r"(?<!\\)%.*")


def parse_latex(source: SourceText) -> Parsed:
    """Return a document's sections and the files it takes in."""
    outline = Outline(source.lines)
    found: list[tuple[int, str, int]] = []
    for index, line in _visible(source, outline):
        if heading := _HEADING.match(line):
            found.append((_LEVELS.index(heading["level"]), heading["text"], index))
        elif not outline.title and (title := _TITLE.match(line)):
            outline.title = _plain(title["text"])
        outline.links += _inputs(source, line, index + 1)
    top = min((level for level, _, _ in found), default=0)
    outline.headings = [
        Heading(level - top + 1, text[:HEADING_LIMIT], _plain(text), row + 1, row + 1)
        for level, text, row in found
    ]
    return parse_outline(source, outline)


def _visible(source: SourceText, outline: Outline) -> Iterator[tuple[int, str]]:
    """Yield the lines with commands outside verbatim text, which stays whole."""
    hidden, begin = "", 0
    for index, whole in enumerate(source.lines):
        if "\\" not in whole:
            continue
        line = _COMMENT.sub("", whole)
        block = _VERBATIM.match(line)
        if block is None:
            if not hidden:
                yield index, line
        elif block["which"] == "begin" and not hidden:
            hidden, begin = block["name"], index
        elif block["which"] == "end" and block["name"] == hidden:
            outline.solid.append((begin + 1, index + 1))
            hidden = ""


def _plain(text: str) -> str:
    """Return a title's words without commands."""
    return " ".join(_COMMAND.sub("", text[:HEADING_LIMIT]).split()) or text


def _inputs(source: SourceText, line: str, number: int) -> Iterator[ReferenceFacts]:
    for found in _INPUT.finditer(line):
        target = found[1].strip()
        target = target if "." in target.rpartition("/")[2] else f"{target}.tex"
        if name := resolve_link(source.path, target):
            yield ReferenceFacts("link", name, number)
