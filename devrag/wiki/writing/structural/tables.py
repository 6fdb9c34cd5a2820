"""Markdown tables: what many things have in common, a line each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from devrag.wiki.evidence.blocks import table_of


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], sides: Sequence[str] = ()
) -> list[str]:
    """Return a table as one block, [] without rows; a column without cells is none.

    sides: of each column where its cells are aligned: `---:`.
    """
    cells = [[cell.replace("|", r"\|") for cell in row] for row in (head, *rows)]
    used = [n for n in range(len(head)) if any(row[n] for row in cells[1:])]
    if not used:
        return []
    own = [sides[n] for n in used] if len(sides) == len(head) else []
    return [table_of([[row[n] for n in used] for row in cells], own).text]
