"""Named blocks of a file (declarations, statements, keys) become chunks.

A block with a symbol is a chunk of its own; what it holds of such blocks stands in
theirs, and with its first line in its own. Other blocks share windows while they fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from devrag.parsing.code.chunks import window_chunks
from devrag.parsing.documents.units import span_weight
from devrag.parsing.source import SourceText
from devrag.parsing.tokens import estimate_tokens, text_language
from devrag.parsing.types import ChunkFacts
from devrag.parsing.windows import Window, text_windows

_HEADING_LIMIT = 200
# Lines between two blocks that say too little for a chunk: `paths:`, `---`.
_TINY_TOKENS = 20


def _no_parts() -> list[NamedLines]:
    return []


@dataclass(eq=False, slots=True)
class NamedLines:
    """Lines (1-based, inclusive) under a name.

    symbol: the ordinal of what the block defines, with the label its header shows.
    own_line: where the block's own first line is, below its comments.
    """

    name: str
    start_line: int
    end_line: int
    parts: Callable[[], list[NamedLines]] = _no_parts
    symbol: int | None = None
    label: str = ""
    own_line: int = 0


@dataclass(slots=True)
class _Span:
    """The lines that a block takes: its own and those between that say little."""

    start: int
    end: int
    block: NamedLines | None


def block_chunks(source: SourceText, blocks: list[NamedLines]) -> list[ChunkFacts]:
    """Cut a file along its blocks; every line with text is in a chunk."""
    if not blocks:
        return window_chunks(source)
    cutter = _Cutter(source)
    cutter.cut(blocks, (1, len(source.lines)), (), None)
    return cutter.chunks


@dataclass
class _Cutter:
    source: SourceText
    chunks: list[ChunkFacts] = field(default_factory=list)

    def cut(
        self,
        blocks: Iterable[NamedLines],
        lines: tuple[int, int],
        trail: tuple[str, ...],
        parent: int | None,
    ) -> None:
        """Add the chunks of blocks that stand side by side within the lines."""
        held: list[_Span] = []
        weight = 0.0
        most = self.source.chunking.tokens
        for span in _spans(self.source.lines, blocks, *lines):
            self.source.check_deadline()
            size = span_weight(self.source.lines[span.start - 1 : span.end])
            is_alone = span.block is not None and span.block.symbol is not None
            if held and (is_alone or weight + size > most):
                self._add_held(held, trail, parent)
                held, weight = [], 0.0
            if is_alone or size > most:
                self._add_alone(span, trail, parent)
            else:
                held.append(span)
                weight += size
        self._add_held(held, trail, parent)

    def _add_held(
        self, held: list[_Span], trail: tuple[str, ...], parent: int | None
    ) -> None:
        if held:
            names = [span.block.name for span in held if span.block]
            heading = ", ".join(name for name in names if name)[:_HEADING_LIMIT]
            start, end = held[0].start, held[-1].end
            for piece in self._windows(start, end):
                self._add(piece, trail, parent, heading)

    def _windows(self, start: int, end: int) -> list[Window]:
        lines = self.source.lines[start - 1 : end]
        return text_windows(lines, start, self.source.chunking)

    def _add_alone(
        self, span: _Span, trail: tuple[str, ...], parent: int | None
    ) -> None:
        block = span.block or NamedLines("", span.start, span.end)
        below = (*trail, block.label or block.name) if block.name else trail
        parts = block.parts()
        if block.symbol is not None:
            self._add_symbol(span, block, parts, below, parent)
        elif parts:
            self.cut(parts, (span.start, span.end), below, parent)
        else:
            for piece in self._windows(span.start, span.end):
                self._add(piece, below, parent, block.name)

    def _add_symbol(
        self,
        span: _Span,
        block: NamedLines,
        parts: list[NamedLines],
        trail: tuple[str, ...],
        parent: int | None,
    ) -> None:
        first = len(self.chunks)
        inner = [part for part in parts if part.symbol is not None]
        for piece in _skeleton(self.source, span, inner):
            self._add(piece, trail, parent, block.name, block.symbol)
        last = span.start - 1
        for part in inner:
            start = max(part.start_line, last + 1)
            if start <= part.end_line:
                last = part.end_line
                self._add_alone(_Span(start, last, part), trail, first)

    def _add(
        self,
        piece: Window,
        trail: tuple[str, ...],
        parent: int | None,
        heading: str,
        symbol: int | None = None,
    ) -> None:
        is_japanese = text_language(piece.text) == "ja"
        self.chunks.append(
            ChunkFacts(
                ordinal=len(self.chunks),
                kind="window" if symbol is None else "symbol",
                start_line=piece.start_line,
                end_line=piece.end_line,
                text=piece.text,
                tokens=estimate_tokens(piece.text),
                header=" > ".join((self.source.path, *trail)),
                heading=heading,
                parent=parent,
                symbol=symbol,
                language="ja" if is_japanese else "code",
            )
        )


def _spans(
    lines: list[str], blocks: Iterable[NamedLines], first: int, last: int
) -> Iterator[_Span]:
    """Yield spans that cover the lines; blocks on lines already taken have none."""
    held: _Span | None = None
    line = first
    for block in blocks:
        end = min(block.end_line, last)
        if end < line:
            continue
        start = max(block.start_line, line)
        between = _between(lines, line, start - 1, held)
        if held:
            yield held
        if between and _is_tiny(lines, between):
            start = between.start
        elif between:
            yield between
        held = _Span(start, end, block)
        line = end + 1
    rest = _between(lines, line, last, held)
    if held and rest and _is_tiny(lines, rest):
        held.end, rest = rest.end, None
    yield from (span for span in (held, rest) if span)


def _between(
    lines: list[str], start: int, end: int, above: _Span | None
) -> _Span | None:
    """Return the lines between two blocks, closing brackets left to the one above."""
    while start <= end and not any(map(str.isalnum, lines[start - 1])):
        if lines[start - 1].strip():
            if above is None:
                break
            above.end = start
        start += 1
    return _Span(start, end, None) if start <= end else None


def _is_tiny(lines: list[str], span: _Span) -> bool:
    return span_weight(lines[span.start - 1 : span.end]) <= _TINY_TOKENS


def _skeleton(
    source: SourceText, span: _Span, parts: list[NamedLines]
) -> Iterator[Window]:
    """Yield a block without the blocks in it, whose first lines are kept."""
    hidden: set[int] = set()
    for part in parts:
        hidden.update(range(part.start_line, part.end_line + 1))
        hidden.discard(part.own_line)
    kept = [n for n in range(span.start, span.end + 1) if n not in hidden]
    shown = [source.lines[number - 1] for number in kept]
    if span_weight(shown) <= source.chunking.long_tokens:
        text = "\n".join(shown).strip("\n")
        if text.strip():
            yield Window(span.start, span.end, text)
        return
    for piece in text_windows(shown, options=source.chunking.without_overlap()):
        start, end = kept[piece.start_line - 1], kept[piece.end_line - 1]
        yield Window(start, end, piece.text)
