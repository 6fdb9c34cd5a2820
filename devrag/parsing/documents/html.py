"""HTML: its main text by headings; scripts, styles and navigation as windows.

A template is no document but code: its tags and attributes are what people look for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape

from tree_sitter import Node

from devrag.parsing.code.chunks import window_chunks
from devrag.parsing.code.text import first_named
from devrag.parsing.code.tree import parse_tree, run_query
from devrag.parsing.documents.links import resolve_link
from devrag.parsing.documents.mapped import MappedText
from devrag.parsing.documents.sections import (
    MAX_DEPTH,
    Heading,
    Outline,
    parse_outline,
)
from devrag.parsing.source import Parsed, SourceText
from devrag.parsing.tokens import estimate_tokens
from devrag.parsing.types import ChunkFacts, ReferenceFacts
from devrag.parsing.windows import text_windows

_QUERY = """
[(text) (entity) (start_tag) (end_tag) (self_closing_tag) (raw_text)
 (erroneous_end_tag) (comment)] @event
"""
_TEMPLATE = re.compile(r"\{%|\{\{|<%|<\?php|\s(?:v-\w+|\*ng\w+|hx-\w+|x-\w+)=")
_HEADINGS = {f"h{depth}": depth for depth in range(1, MAX_DEPTH + 1)}
# Elements that stand beside the text.
_ASIDE = {"script", "style", "nav", "footer", "svg", "template", "head"}
_BLOCK_NAMES = (
    "address article aside blockquote body br caption center dd details div dl dt "
    "fieldset figcaption figure form h1 h2 h3 h4 h5 h6 header hr html li main ol "
    "option p pre section summary table tbody td tfoot th thead tr ul"
)
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_SPACED = {"p", "pre", "ul", "ol", "table", "div", "section", "blockquote", "dl"}
_BULLET = "- "
_TEXT_SHARE = 0.1
_EVENTS_PER_CHECK = 1000
_WORD = re.compile(rb"\w")
_STRAY = re.compile(r"<(?![A-Za-z/!?])")
_LONGEST = 4_000_000
_MOST_BROKEN = 50_000


def parse_html(source: SourceText) -> Parsed:
    """Return the sections of a page; of templates and empty shells windows."""
    if not (_TEMPLATE.search(source.text) or _is_endless(source.text)):
        reader = _TextExtractor(source)
        reader.read()
        if reader.outline.headings and reader.weight > _TEXT_SHARE * len(source.data):
            return reader.parsed()
    return Parsed(chunks=window_chunks(source))


def _is_endless(text: str) -> bool:
    """Return whether reading the tags might take for ever: the parser does not look up.

    Each `<` that opens no tag, and each tag that nothing closes or opens, costs it
    some 7 µs.
    """
    if len(text) > _LONGEST:
        return True
    opened, closing = text.count("<"), text.count("</")
    unclosed, unopened = opened - text.count(">"), 2 * closing - opened
    if max(unclosed, unopened) > _MOST_BROKEN:
        return True
    return sum(1 for _ in _STRAY.finditer(text)) > _MOST_BROKEN


class _TextExtractor:
    """Walks over tags and texts in their order and keeps what people read."""

    def __init__(self, source: SourceText) -> None:
        self.outline = Outline([])
        self.weight = 0
        self._source = source
        self._text = MappedText(self.outline.lines)
        self._line: list[str] = []
        self._line_number = 1
        self._aside: list[str] = []
        self._aside_start = 0
        self._asides: list[tuple[int, int]] = []
        self._heading: int | None = None
        self._pre = 0
        self._end_byte = 0
        self._row = 0
        self._links: list[ReferenceFacts] = []

    def read(self) -> None:
        tree = parse_tree(self._source, "html")
        events = run_query(self._source, tree, "html", _QUERY).get("event", [])
        for number, node in enumerate(events):
            if number % _EVENTS_PER_CHECK == 0:
                self._source.check_deadline()
            self._event(node)
        self._flush()
        if self._aside:
            self._asides.append((self._aside_start, len(self._source.lines)))

    def parsed(self) -> Parsed:
        """Return the sections with the lines of the file, and windows of the rest."""
        parsed = parse_outline(self._source, self.outline)
        self._text.restore_lines(parsed)
        # The whole page, also where nothing but tags stands before and after its text.
        parsed.chunks[0] = replace(
            parsed.chunks[0], start_line=1, end_line=len(self._source.lines)
        )
        parsed.references = list(dict.fromkeys(self._links))
        last = 0
        for start, end in self._asides:
            first = max(start, last + 1)
            last = max(last, end)
            parsed.chunks += _windows(self._source, first, end, len(parsed.chunks))
        return parsed

    def _event(self, node: Node) -> None:
        if node.type in {"text", "entity"}:
            if not self._aside:
                self._add(node)
        elif node.type == "comment":
            self._comment(node)
        elif node.type != "raw_text":
            name = _tag_name(self._source, node)
            if node.type == "end_tag":
                self._end(name, node)
            elif node.type != "erroneous_end_tag":
                self._begin(name, node)

    def _add(self, node: Node) -> None:
        """Append a text; the grammar leaves out the spaces around it."""
        text = unescape(_decode(self._source, node))
        self.weight += len(text)
        data, row = self._source.data, node.start_point.row + 1
        before = data[self._end_byte : self._end_byte + 1]
        is_apart = (
            before.isspace() or data[node.start_byte - 1 : node.start_byte].isspace()
        )
        for offset, piece in enumerate(text.split("\n")):
            if offset or (row > self._row and self._line not in ([], [_BULLET])):
                self._flush()
            if not self._line:
                self._line_number = row + offset
            self._line.append(
                f" {piece}" if is_apart and self._line and not offset else piece
            )
        self._end_byte, self._row = node.end_byte, node.end_point.row + 1

    def _comment(self, node: Node) -> None:
        """Keep a comment's words apart from the text, as windows."""
        first, last = node.start_point.row + 1, node.end_point.row + 1
        text = self._source.data[node.start_byte : node.end_byte]
        if not self._aside and (not text.isascii() or _WORD.search(text)):
            self._asides.append((first, last))

    def _begin(self, name: str, node: Node) -> None:
        if name in _ASIDE and node.type == "start_tag":
            if not self._aside:
                self._flush()
                self._aside_start = node.start_point.row + 1
            self._aside.append(name)
        elif not self._aside:
            self._link(node)
            if name in _BLOCKS:
                self._flush(name in _SPACED)
            if name in _HEADINGS:
                self._heading = len(self.outline.lines)
            elif name == "li":
                self._line, self._line_number = [_BULLET], node.start_point.row + 1
            self._pre += name == "pre" and node.type == "start_tag"

    def _end(self, name: str, node: Node) -> None:
        if self._aside:
            if name in self._aside:
                while self._aside.pop() != name:
                    pass
                if not self._aside:
                    line = node.end_point.row + 1
                    self._asides.append((self._aside_start, line))
            return
        if name in _BLOCKS:
            self._flush(name in _SPACED)
        self._pre -= name == "pre" and self._pre > 0
        if name in _HEADINGS and self._heading is not None:
            self._close_heading(_HEADINGS[name])

    def _close_heading(self, depth: int) -> None:
        """Make one line of a heading's text."""
        first, self._heading = self._heading or 0, None
        lines, numbers = self.outline.lines, self._text.numbers
        if text := " ".join(" ".join(lines[first:]).split()):
            last, number = numbers[-1], numbers[first]
            del lines[first:], numbers[first:]
            self._text.add(text, number)
            # The blank line keeps the last line of the heading in the section.
            self._text.add("", last)
            line = len(lines) - 1
            self.outline.headings.append(Heading(depth, text, text, line, line))

    def _flush(self, is_spaced: bool = False) -> None:
        """End the line; one blank line follows what stands apart."""
        text = "".join(self._line)
        self._line = []
        text = text.rstrip() if self._pre else " ".join(text.split())
        if text.strip(" -"):
            self._text.add(text, self._line_number)
        lines = self.outline.lines
        if lines and lines[-1] and (is_spaced or (self._pre and not text)):
            self._text.add("", self._text.numbers[-1])

    def _link(self, node: Node) -> None:
        for name, value in _attributes(self._source, node):
            target = resolve_link(self._source.path, unescape(value))
            if name in {"href", "src"} and target:
                line = node.start_point.row + 1
                self._links.append(ReferenceFacts("link", target, line))


def _tag_name(source: SourceText, node: Node) -> str:
    child = first_named(node)
    return _decode(source, child).lower() if child is not None else ""


def _attributes(source: SourceText, node: Node) -> Iterator[tuple[str, str]]:
    for child in node.named_children[1:]:
        if child.type == "attribute" and child.named_child_count > 1:
            name, value = child.named_children[:2]
            yield _decode(source, name).lower(), _decode(source, value).strip("\"'")


def _windows(
    source: SourceText, first: int, last: int, ordinal: int
) -> Iterator[ChunkFacts]:
    pieces = text_windows(source.lines[first - 1 : last], first, source.chunking)
    for number, piece in enumerate(pieces, start=ordinal):
        yield ChunkFacts(
            ordinal=number,
            kind="window",
            start_line=piece.start_line,
            end_line=piece.end_line,
            text=piece.text,
            tokens=estimate_tokens(piece.text),
            header=source.path,
        )


def _decode(source: SourceText, node: Node) -> str:
    return source.data[node.start_byte : node.end_byte].decode("utf-8", "replace")
