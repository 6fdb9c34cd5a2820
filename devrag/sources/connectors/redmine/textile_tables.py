"""Tables of Textile as Markdown. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element, SubElement

from devrag.sources.connectors.pages.tables import write_table

_TABLE = re.compile(r"table[^|\n]{0,200}\.[ \t]*")
_ROW_STYLE = re.compile(
    r"(?:\{[^}\n]{0,200}\}|\([^)\n]{0,100}\)|[<>=^~-]){1,5}\.[ \t]*"
)
_CELL = re.compile(
    r"((?:[_<>=^~-]|\\\d{1,3}|/\d{1,3}|\{[^}\n]{0,200}\}|\([^)\n]{0,100}\)){1,8})\."
    r"(?:[ \t]+|$)"
)
_SPAN = re.compile(r"([\\/])(\d+)")


def is_row(line: str) -> bool:
    """Return whether a line begins a table or one of its rows."""
    text = line.strip()
    return _without_style(text).startswith("|") or _TABLE.fullmatch(text) is not None


def textile_table(lines: list[str], inline: Callable[[str], str]) -> list[str]:
    """Return a table as one block; its cells may go over several lines."""
    table = Element("table")
    for written in _rows(lines):
        row = SubElement(table, "tr")
        for cell in written.split("|"):
            _add_cell(row, cell.strip(), inline)
    return write_table(table, lambda each: each.text or "")


def _rows(lines: list[str]) -> Iterator[str]:
    """Yield what is between the first and last bar of each row."""
    row = ""
    for line in lines:
        text = _without_style(line.strip())
        if not row and not text.startswith("|"):
            continue  # what the table looks like
        row = f"{row} {text}" if row else text
        if row.endswith("|") and len(row) > 1:
            yield row[1:-1]
            row = ""
    if row:
        yield row[1:]


def _add_cell(row: Element, text: str, inline: Callable[[str], str]) -> None:
    found = _CELL.match(text)
    marks = found[1] if found else ""
    cell = SubElement(row, "th" if "_" in marks else "td")
    for kind, number in _SPAN.findall(marks):
        cell.set("colspan" if kind == "\\" else "rowspan", number)
    cell.text = inline(text[found.end() :] if found else text)


def _without_style(text: str) -> str:
    found = _ROW_STYLE.match(text)
    return text[found.end() :] if found and "|" in text[found.end() :][:1] else text
