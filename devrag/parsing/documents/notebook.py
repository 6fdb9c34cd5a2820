"""Jupyter notebooks: Markdown cells as sections, code cells as code.

Lines are those of the .ipynb file, so that links into the file view work: the grammar
of JSON says where the strings of a cell stand.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import replace

from tree_sitter import Node

from devrag.parsing.code.chunks import window_chunks
from devrag.parsing.code.tree import parse_tree
from devrag.parsing.documents.data import member, members, scalar
from devrag.parsing.documents.mapped import MappedText
from devrag.parsing.documents.markdown import parse_markdown
from devrag.parsing.source import Parsed, SourceText
from devrag.parsing.tokens import estimate_tokens, text_language
from devrag.parsing.types import ChunkFacts
from devrag.parsing.windows import Window, text_windows


def parse_notebook(source: SourceText) -> Parsed:
    """Return sections of the Markdown cells, and windows of each code cell."""
    tree = parse_tree(source, "json")
    root = next((n for n in tree.root_node.named_children if n.type == "object"), None)
    prose, code = MappedText(), []
    for cell in members(source, member(source, root, "cells")):
        source.check_deadline()
        written = member(source, cell.value, "source")
        if written is None:
            continue
        text = _text(source, written)
        if scalar(source, member(source, cell.value, "cell_type")) == "markdown":
            prose.extend(text)
            prose.add("", cell.end_line)
        else:
            code.append(text)
    if not prose.lines and not code:
        return Parsed(chunks=window_chunks(source))
    inner = source.with_text("\n".join(prose.lines))
    parsed = parse_markdown(inner)
    prose.restore_lines(parsed)
    _add_code(source, code, parsed)
    return parsed


def _text(source: SourceText, written: Node) -> MappedText:
    """Return a cell's text, written as one string or as one for each line."""
    text = MappedText()
    for node in [written] if written.type == "string" else written.named_children:
        if node.type == "string":
            line = _decoded(source.data[node.start_byte : node.end_byte].decode())
            text.add(line.removesuffix("\n"), node.start_point.row + 1)
    return text


def _decoded(written: str) -> str:
    try:
        return str(json.loads(written, strict=False))
    except ValueError:
        return written.strip('"')


def _add_code(source: SourceText, code: list[MappedText], parsed: Parsed) -> None:
    """Append the windows of code cells under the section they stand in."""
    parts = (c for c in parsed.chunks if c.kind in {"section", "entry"})
    sections = sorted(parts, key=lambda chunk: chunk.start_line)
    starts = [section.start_line for section in sections]
    for cell in code:
        for piece in text_windows(cell.lines, options=source.chunking):
            lines = cell.numbers[piece.start_line - 1], cell.numbers[piece.end_line - 1]
            at = bisect_right(starts, lines[0]) - 1
            above = sections[at] if at >= 0 else None
            chunk = _code_chunk(source.path, Window(*lines, piece.text), above)
            parsed.chunks.append(replace(chunk, ordinal=len(parsed.chunks)))


def _code_chunk(path: str, piece: Window, section: ChunkFacts | None) -> ChunkFacts:
    return ChunkFacts(
        ordinal=0,
        kind="window",
        start_line=piece.start_line,
        end_line=piece.end_line,
        text=piece.text,
        tokens=estimate_tokens(piece.text),
        header=section.header if section else path,
        heading=section.heading if section else "",
        title=section.title if section else "",
        language="ja" if text_language(piece.text) == "ja" else "code",
    )
