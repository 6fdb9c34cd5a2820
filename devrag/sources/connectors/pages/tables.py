"""Tables of a page as Markdown, with cells that span columns and rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element

_MAX_SPAN = 50
# What lies further right is joined in the last column: each row has as many cells as
# the widest one, and few bytes of a page could make gigabytes of Markdown.
_MAX_COLUMNS = 100
_NUMBER = re.compile(r"[0-9]{1,9}")
# A cell that spans rows says the same in each, if it is short.
_MAX_REPEATED = 200
Cell = Callable[[Element], str]


def write_table(table: Element, cell: Cell) -> list[str]:
    """Return a table as one block. cell: gives the text of a cell, in one line."""
    rows = list(_spread(table, cell))
    if not any(any(row) for _, row in rows):
        return []
    width = max(len(row) for _, row in rows)
    is_head, first = rows[0]
    head = first if is_head else [""] * width
    lines = [_line(head, width), "|" + " --- |" * width]
    lines += [_line(row, width) for _, row in rows[1 if is_head else 0 :]]
    return ["\n".join(lines)]


def write_rows(table: Element, cell: Cell) -> list[str]:
    """Return a table within a cell: its rows as words."""
    rows = (", ".join(filter(None, row)) for _, row in _spread(table, cell))
    text = "; ".join(filter(None, rows))
    return [text] if text else []


def _line(row: list[str], width: int) -> str:
    cells = [text.replace("|", "\\|") for text in row] + [""] * (width - len(row))
    return "| " + " | ".join(cells) + " |"


def _spread(table: Element, cell: Cell) -> Iterator[tuple[bool, list[str]]]:
    """Yield whether a row is a heading, and its cells."""
    spanning: dict[int, tuple[int, str]] = {}
    for tag, row in _rows(table):
        texts: list[str] = []
        cells = [each for each in row if each.tag in {"td", "th"}]
        for each in cells:
            _fill(texts, spanning)
            text, rows = cell(each), _span(each, "rowspan")
            for _ in range(_span(each, "colspan")):
                if rows > 1 and len(texts) < _MAX_COLUMNS:
                    again = text if len(text) <= _MAX_REPEATED else ""
                    spanning[len(texts)] = (rows - 1, again)
                _add(texts, text)
                text = ""
        _fill(texts, spanning)
        is_head = tag == "thead" or (
            len(cells) > 0 and all(each.tag == "th" for each in cells)
        )
        yield is_head, texts


def _add(texts: list[str], text: str) -> None:
    if len(texts) < _MAX_COLUMNS:
        texts.append(text)
    elif text:
        texts[-1] = f"{texts[-1]} {text}".strip()


def _fill(texts: list[str], spanning: dict[int, tuple[int, str]]) -> None:
    """Add the cells that reach down into this row from above."""
    while len(texts) in spanning:
        at = len(texts)
        left, text = spanning.pop(at)
        if left > 1:
            spanning[at] = (left - 1, text)
        texts.append(text)


def _rows(table: Element) -> Iterator[tuple[str, Element]]:
    for child in table:
        if child.tag == "tr":
            yield "table", child
        elif child.tag in {"thead", "tbody", "tfoot"}:
            yield from ((child.tag, row) for row in child if row.tag == "tr")


def _span(cell: Element, name: str) -> int:
    written = cell.get(name, "1")
    is_number = _NUMBER.fullmatch(written)
    return min(max(int(written), 1), _MAX_SPAN) if is_number else 1
