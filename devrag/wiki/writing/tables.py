"""Markdown tables: what many things have in common, a line each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a table as one block, [] without rows."""
    lines = [_line(cells) for cells in rows]
    if not lines:
        return []
    return ["\n".join([_line(head), _line(["---"] * len(head)), *lines])]


def _line(cells: Sequence[str]) -> str:
    joined = " | ".join(cell.replace("|", r"\|") for cell in cells)
    return f"| {joined} |"
