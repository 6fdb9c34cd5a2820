"""Rows of a sheet as tables, each piece of which can be read alone.

A piece has a heading with the rows that it shows and begins with the sheet's first row.
Titles above the table, rows with one cell, are paragraphs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devrag.parsing.office import markdown

MAX_ROWS = 20_000


@dataclass(slots=True)
class SheetRow:
    """number: as the sheet counts, from 1. texts: filled cells by column, from 0."""

    number: int
    texts: dict[int, str]


def sheet_heading(name: str, rows: str = "") -> str:
    """Return the heading of a sheet or of some rows of it."""
    return f"## Sheet: {name}" + (f" ({rows})" if rows else "")


def write_sheet(name: str, rows: Sequence[SheetRow]) -> Iterator[str]:
    """Yield a sheet as blocks; nothing for one without words."""
    rows = [row for row in rows if any(map(str.strip, row.texts.values()))]
    if not rows:
        return
    if len(rows) == len(rows[0].texts) == 1:
        yield sheet_heading(name)
        yield markdown.paragraph("".join(rows[0].texts.values()))
        return
    start = _table_start(rows)
    titles = [
        markdown.paragraph(next(iter(row.texts.values()))) for row in rows[:start]
    ]
    left = min(min(row.texts) for row in rows[start:])
    cells = [_cells(row, left) for row in rows[start:]]
    pieces = list(_pieces(rows[start:], cells))
    for index, (numbers, text) in enumerate(pieces):
        yield sheet_heading(name, numbers if len(pieces) > 1 else "")
        if index == 0:
            yield from titles
        yield text


def _table_start(rows: Sequence[SheetRow]) -> int:
    """Return the index of the first row with more than one filled cell, 0 if none."""
    filled = (index for index, row in enumerate(rows) if len(row.texts) > 1)
    return next(filled, 0)


def _cells(row: SheetRow, left: int) -> list[str]:
    """Return a row's cells from the first column that is used; wide rows are cut."""
    last = min(max(row.texts) - left, markdown.MAX_COLUMNS - 1)
    cells = [markdown.cell(row.texts.get(left + at, "")) for at in range(last + 1)]
    beyond = [row.texts[at] for at in sorted(row.texts) if at > left + last]
    if beyond:
        cells[-1] = markdown.cell(" ".join([row.texts.get(left + last, ""), *beyond]))
    return cells


def _pieces(
    rows: Sequence[SheetRow], cells: Sequence[Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """Yield `rows 2–51` and the table of these, below the first row."""
    for first, last, text in markdown.table_parts(cells):
        numbers = f"rows {rows[first].number}–{rows[last].number}"
        yield numbers, text
