"""What a hit shows of a Markdown table: its head and the rows that match."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import escape

from devrag.core.highlight import mark_terms
from devrag.core.plain_markdown import to_plain
from devrag.core.text import shorten
from devrag.search.types import Hit
from devrag.web.pages.hit_excerpts import first_match

_ROW = re.compile(r"^\s*\|.*\|\s*$")
_RULE = re.compile(r"^\s*\|(?:\s*:?-+:?\s*\|)+\s*$")
_BETWEEN = re.compile(r"(?<!\\)\|")
_MOST_ROWS, _MOST_COLUMNS, _CELL_CHARACTERS = 3, 5, 160
_MOST_BEFORE = 300


@dataclass(frozen=True, slots=True)
class TableExcerpt:
    """Cells as HTML, what was found marked. before: the Markdown above the table."""

    before: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def excerpt_table(hit: Hit) -> TableExcerpt | None:
    """Return a part of the first table, if a match is in it or little is above it."""
    if hit.language != "markdown" or not hit.matched_terms:
        return None
    lines = hit.text.split("\n")
    rules = (at for at, line in enumerate(lines) if _RULE.match(line))
    at = next(rules, 0)
    if not at or not _ROW.match(lines[at - 1]):
        return None
    before = "\n".join(lines[: at - 1])
    body = _rows(lines[at + 1 :])
    matching = _matching(body, hit.matched_terms)
    is_near = len(to_plain(before, hit.heading)) <= _MOST_BEFORE
    is_first = first_match(lines, hit.matched_terms) >= at - 1
    if not body or not (is_near or (is_first and matching)):
        return None
    return TableExcerpt(
        before=before if is_near else "",
        head=_cells(lines[at - 1], hit.matched_terms),
        rows=tuple(
            _cells(row, hit.matched_terms) for row in (matching or body)[:_MOST_ROWS]
        ),
    )


def _rows(lines: Sequence[str]) -> list[str]:
    """Return the lines up to the end of the table."""
    rows: list[str] = []
    for line in lines:
        if not _ROW.match(line):
            break
        rows.append(line)
    return rows


def _matching(rows: Sequence[str], terms: Sequence[str]) -> list[str]:
    wanted = [term.lower() for term in terms]
    return [row for row in rows if any(term in row.lower() for term in wanted)]


def _cells(row: str, terms: Sequence[str]) -> tuple[str, ...]:
    cells = _BETWEEN.split(row.strip()[1:-1])[:_MOST_COLUMNS]
    plain = (shorten(to_plain(each.strip()), _CELL_CHARACTERS) for each in cells)
    return tuple(mark_terms(escape(each), terms) for each in plain)
