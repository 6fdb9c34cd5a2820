"""Plain text: dated memo entries where it has them, else paragraphs."""

from __future__ import annotations

from collections.abc import Iterator

from devrag.parsing.documents.memo import entry_chunks, find_entries
from devrag.parsing.documents.units import paragraph_spans, span_weight
from devrag.parsing.source import Parsed, SourceText
from devrag.parsing.tokens import (
    CHARACTERS_PER_TOKEN,
    estimate_tokens,
    text_language,
)
from devrag.parsing.types import ChunkFacts
from devrag.parsing.windows import Window, text_windows

_LINE_END = 1 / CHARACTERS_PER_TOKEN


def parse_text(source: SourceText) -> Parsed:
    """Return a text's entries, and what stands outside them by paragraphs."""
    entries = find_entries(source.lines)
    chunks = list(entry_chunks(source.path, entries, first=0))
    end = entries[0].start_line - 1 if entries else len(source.lines)
    pieces = enumerate(paragraphs(source, end), start=len(chunks))
    chunks += [_chunk(source.path, piece, ordinal) for ordinal, piece in pieces]
    return Parsed(chunks=chunks)


def paragraphs(source: SourceText, until: int) -> Iterator[Window]:
    """Yield whole paragraphs, as many at a time as fit into max_chars.

    Wide characters count as tokens do. A longer paragraph becomes windows.
    """
    lines, options = source.lines[:until], source.chunking
    start = end = 0
    size = 0.0
    for first, last in paragraph_spans(lines):
        length = span_weight(lines[first:last])
        if size and size + length > options.max_weight:
            yield from text_windows(lines[start:end], start + 1, options)
            size = 0.0
        start = start if size else first
        size += length + _LINE_END
        end = last
    yield from text_windows(lines[start:end], start + 1, options)


def _chunk(path: str, piece: Window, ordinal: int) -> ChunkFacts:
    return ChunkFacts(
        ordinal=ordinal,
        kind="window",
        start_line=piece.start_line,
        end_line=piece.end_line,
        text=piece.text,
        tokens=estimate_tokens(piece.text),
        header=path,
        language=text_language(piece.text),
    )
