"""The licence a source is under: the first line of its licence file."""

from __future__ import annotations

from collections.abc import Iterator

from devrag.core.text import shorten
from devrag.parsing.source import Source
from devrag.parsing.types import FactFacts

_TITLE_LIMIT = 120


def licence(source: Source) -> Iterator[FactFacts]:
    """Yield the first line with text; the next one often holds the version."""
    written = [(n, line) for n, line in enumerate(source.lines, 1) if line.strip()]
    if written:
        number, first = written[0]
        data = (
            {"next_line": shorten(written[1][1], _TITLE_LIMIT)} if written[1:] else {}
        )
        yield FactFacts("licence", shorten(first, _TITLE_LIMIT), number, number, data)
