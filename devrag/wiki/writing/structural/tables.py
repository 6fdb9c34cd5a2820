"""Markdown tables: what many things have in common, a line each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from devrag.wiki.evidence.blocks import table_of


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a table as one block, [] without rows; a column without cells is none."""
    cells = [[cell.replace("|", r"\|") for cell in row] for row in (head, *rows)]
    used = [n for n in range(len(head)) if any(row[n] for row in cells[1:])]
    if not used:
        return []
    return [table_of([[row[n] for n in used] for row in cells]).text]
