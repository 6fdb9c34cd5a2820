"""An Office document's text: chunks by headings, slides or rows of a sheet.

The text is Markdown that `parsing/office/` wrote. Slides and sheets begin with a
heading of their own (`## Slide 3: Prices`), which is their place; nothing else in such
a document is a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.parsing.documents.markdown import parse_markdown
from devrag.parsing.source import Parsed, SourceText
from devrag.parsing.tokens import estimate_tokens, text_language
from devrag.parsing.types import ChunkFacts
from devrag.parsing.windows import Window, text_windows

_PART = re.compile(r"## ((?:Slide \d+|Sheet: ).*)")
_SLIDE_TITLE = re.compile(r"Slide \d+: (.+)")


def parse_office_text(source: SourceText) -> Parsed:
    """Return the sections of a text document, as far as they fit into one chunk."""
    return parse_markdown(source, is_office=True)


def parse_office_parts(source: SourceText) -> Parsed:
    """Return chunks of slides or sheets, each named by its place."""
    parsed = Parsed()
    parts = list(_parts(source.lines))
    titles = (_SLIDE_TITLE.fullmatch(heading) for heading, _, _ in parts)
    parsed.title = next((found[1] for found in titles if found), "")
    for heading, start, end in parts:
        source.check_deadline()
        lines = source.lines[start - 1 : end]
        windows = text_windows(lines, start, source.chunking)
        kind = "section" if len(windows) == 1 else "window"
        for window in windows:
            chunk = _chunk(source, parsed, kind, heading, window)
            parsed.chunks.append(chunk)
    return parsed


def _parts(lines: list[str]) -> Iterator[tuple[str, int, int]]:
    """Yield heading, first and last line of each part; '' above the first one."""
    heading, start = "", 1
    for number, line in enumerate(lines, start=1):
        found = _PART.fullmatch(line)
        if found:
            if number > start:
                yield heading, start, number - 1
            heading, start = found[1], number
    if lines:
        yield heading, start, len(lines)


def _chunk(
    source: SourceText, parsed: Parsed, kind: str, heading: str, window: Window
) -> ChunkFacts:
    return ChunkFacts(
        ordinal=len(parsed.chunks),
        kind=kind,
        start_line=window.start_line,
        end_line=window.end_line,
        text=window.text,
        tokens=estimate_tokens(window.text),
        header=" > ".join(filter(None, (source.path, heading))),
        heading=heading,
        title=parsed.title,
        depth=1 if kind == "section" else None,
        language=text_language(window.text),
    )
