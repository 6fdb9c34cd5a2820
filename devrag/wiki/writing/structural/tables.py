"""Markdown tables: what many things have in common, a line each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from devrag.wiki.evidence.blocks import table_of


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a table as one block, [] without rows."""
    cells = [[cell.replace("|", r"\|") for cell in row] for row in rows]
    return [table_of([head, *cells]).text] if cells else []
