"""Chunks of code: functions, class skeletons, and windows over what is left.

Every line that is not blank is in at least one chunk: a function's lines in its own, a
class's other lines in its skeleton, everything else in windows.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from devrag.parsing.code.definitions import CALLABLE, Definition
from devrag.parsing.code.split import split_lines, statement_lines
from devrag.parsing.source import SourceText
from devrag.parsing.tokens import estimate_tokens, text_language
from devrag.parsing.types import ChunkFacts
from devrag.parsing.windows import Window, text_windows

_HEADER_LIMIT = 300
_LINE_LIMIT = 2000


@dataclass(eq=False, slots=True)
class _Draft:
    """A chunk before ordinals are given; `owner` and `parent` tell where it hangs."""

    piece: Window
    header: str
    kind: str = "window"
    owner: Definition | None = None
    symbol: int | None = None


def code_chunks(
    source: SourceText,
    definitions: list[Definition],
    module_symbol: int | None,
    comment_lines: Sequence[int] = (),
    module_docstring: str = "",
) -> list[ChunkFacts]:
    """Cut a file along its definitions; module_symbol names the first leftover.

    comment_lines: the lines of the file that hold comments, in order.
    """
    containers = [
        d
        for d in definitions
        if d.is_container and not d.is_declared_only and _has_lines(source, d)
    ]
    drafts = [draft for d in containers for draft in _definition_drafts(source, d)]
    tops = [d for d in containers if d.parent is None]
    left = list(_leftovers(source, tops))
    if left and module_symbol is not None:
        left[0].symbol = module_symbol
    drafts += left
    drafts.sort(key=lambda draft: (draft.piece.start_line, -draft.piece.end_line))
    chunks = _numbered(drafts)
    if source.text.isascii():
        return chunks
    return [
        replace(
            chunk, language=_language(source, draft, comment_lines, module_docstring)
        )
        for draft, chunk in zip(drafts, chunks, strict=True)
    ]


def _language(
    source: SourceText,
    draft: _Draft,
    comment_lines: Sequence[int],
    module_docstring: str,
) -> str:
    """Return `ja` for code that is explained in Japanese, else `code`."""
    piece, owner = draft.piece, draft.owner
    docstring = owner.about.docstring if owner else module_docstring
    begin = bisect_left(comment_lines, piece.start_line)
    end = bisect_right(comment_lines, piece.end_line)
    numbers = dict.fromkeys(comment_lines[begin:end])
    lines = [source.lines[number - 1].strip() for number in numbers]
    lines += docstring.split("\n")
    # What stands in the chunks of members is not shown here.
    shown = [line for line in lines if line and line in piece.text]
    return "ja" if text_language("\n".join(shown)) == "ja" else "code"


def _has_lines(source: SourceText, definition: Definition) -> bool:
    """Return whether a definition has lines of its own.

    Those that share one very long line would each repeat all of it.
    """
    first = definition.first_line
    return definition.end_line > first or len(source.lines[first - 1]) <= _LINE_LIMIT


def window_chunks(source: SourceText) -> list[ChunkFacts]:
    """Cut any text into windows: the fallback that always works."""
    pieces = text_windows(source.lines, options=source.chunking)
    drafts = [_Draft(piece, source.path) for piece in pieces]
    return _numbered(drafts)


def window_chunks_around(source: SourceText, taken: set[int]) -> list[ChunkFacts]:
    """Cut the lines whose indexes are not taken into windows."""
    drafts = []
    for is_taken, group in groupby(range(len(source.lines)), taken.__contains__):
        if not is_taken:
            indexes = list(group)
            lines = [source.lines[index] for index in indexes]
            pieces = text_windows(lines, indexes[0] + 1, source.chunking)
            drafts += [_Draft(piece, source.path) for piece in pieces]
    return _numbered(drafts)


def _numbered(drafts: list[_Draft]) -> list[ChunkFacts]:
    first: dict[Definition, int] = {}
    chunks = []
    for ordinal, draft in enumerate(drafts):
        if draft.owner is not None:
            first.setdefault(draft.owner, ordinal)
        piece = draft.piece
        chunks.append(
            ChunkFacts(
                ordinal=ordinal,
                kind=draft.kind,
                start_line=piece.start_line,
                end_line=piece.end_line,
                text=piece.text,
                tokens=estimate_tokens(piece.text),
                header=draft.header,
                parent=_parent_ordinal(draft, first),
                symbol=draft.symbol,
            )
        )
    return chunks


def _parent_ordinal(draft: _Draft, first: dict[Definition, int]) -> int | None:
    above = draft.owner.parent if draft.owner is not None else None
    return first.get(above) if above is not None else None


def _definition_drafts(source: SourceText, definition: Definition) -> Iterator[_Draft]:
    if definition.kind in CALLABLE:
        pieces = _function_pieces(source, definition)
    else:
        pieces = _skeleton_pieces(source, definition)
    header = _header(source.path, definition)
    for piece in pieces:
        yield _Draft(piece, header, "symbol", definition, definition.ordinal)


def _header(path: str, definition: Definition) -> str:
    parts = [definition.about.signature[:_HEADER_LIMIT]]
    above = definition.parent
    while above is not None:
        parts.append(above.about.name)
        above = above.parent
    return " > ".join([path, *reversed(parts)])


def _function_pieces(source: SourceText, definition: Definition) -> list[Window]:
    first, last = definition.first_line, definition.end_line
    lines = source.lines[first - 1 : last]
    text = "\n".join(lines)
    options = source.chunking
    longest = options.long_tokens
    if len(text) <= longest or estimate_tokens(text) <= longest:
        return [Window(first, last, text)] if text.strip() else []
    starts = statement_lines(definition.about.outer)
    cuts = split_lines(lines, starts, first, options.tokens)
    pieces = []
    for start, end in zip([first, *cuts], [*cuts, last + 1], strict=True):
        part = source.lines[start - 1 : end - 1]
        whole = "\n".join(part)
        if estimate_tokens(whole) <= longest:
            pieces.append(Window(start, end - 1, whole))
        else:
            pieces.extend(text_windows(part, start, options.without_overlap()))
    return [piece for piece in pieces if piece.text.strip()]


def _skeleton_pieces(source: SourceText, definition: Definition) -> list[Window]:
    """Return the class without its members' bodies, their signatures kept."""
    hidden: set[int] = set()
    shown: set[int] = set()
    for member in definition.members:
        if member.is_container and not member.is_declared_only:
            hidden.update(range(member.first_line, member.end_line + 1))
            start, end = member.about.signature_lines
            shown.update(range(start, end + 1))
    first, last = definition.first_line, definition.end_line
    numbers = [
        number
        for number in range(first, last + 1)
        if number not in hidden or number in shown
    ]
    kept = _without_double_blanks(source.lines, numbers)
    text = "\n".join(source.lines[number - 1] for number in kept)
    if estimate_tokens(text) <= source.chunking.long_tokens:
        return [Window(first, last, text)] if text.strip() else []
    lines = [source.lines[number - 1] for number in kept]
    pieces = text_windows(lines, options=source.chunking.without_overlap())
    return [
        replace(
            piece,
            start_line=kept[piece.start_line - 1],
            end_line=kept[piece.end_line - 1],
        )
        for piece in pieces
    ]


def _without_double_blanks(lines: list[str], numbers: list[int]) -> list[int]:
    kept: list[int] = []
    was_blank = True
    for number in numbers:
        is_blank = not lines[number - 1].strip()
        if not (is_blank and was_blank):
            kept.append(number)
        was_blank = is_blank
    return kept


def _leftovers(source: SourceText, tops: list[Definition]) -> Iterator[_Draft]:
    """Yield windows over the stretches of lines outside functions and classes."""
    line = 1
    for definition in [*tops, None]:
        end = definition.first_line if definition else len(source.lines) + 1
        if line < end:
            lines = source.lines[line - 1 : end - 1]
            for piece in text_windows(lines, line, source.chunking):
                yield _Draft(piece, source.path)
        if definition:
            line = max(line, definition.end_line + 1)
