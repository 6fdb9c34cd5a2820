"""Sheets of an OpenDocument spreadsheet: cells keep the text that they show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element

from devrag.parsing.office import markdown
from devrag.parsing.office.markup import number
from devrag.parsing.office.odf_styles import OdfStyles
from devrag.parsing.office.odf_text import OdfText, repeats, rows_of
from devrag.parsing.office.sheet_table import MAX_ROWS, SheetRow, write_sheet

_MAX_CELLS = 1_000_000


def read_spreadsheet(
    body: Element, styles: OdfStyles, warn: Callable[[str], None]
) -> Iterator[str]:
    """Yield the blocks of all sheets that are not hidden."""
    hidden = []
    remarks = OdfText(styles)
    for table in body.findall("table"):
        name = markdown.one_line(markdown.plain(table.get("name", "")))
        if styles.is_hidden(table.get("style-name")):
            hidden.append(name)
            continue
        rows, is_cut = _read_rows(table, OdfText(styles))
        yield from write_sheet(name, rows)
        for each in table.iter("annotation"):
            yield from remarks.remark(each)
        if is_cut:
            warn(f'sheet "{name}": what follows row {rows[-1].number:,} is left out')
    if hidden:
        warn(f"hidden sheets left out: {', '.join(hidden)}")


def _read_rows(table: Element, text: OdfText) -> tuple[list[SheetRow], bool]:
    """Return the filled rows, and whether there are more than are read."""
    rows: list[SheetRow] = []
    at, count = 0, 0
    for each in rows_of(table):
        times = max(number(each.get("number-rows-repeated"), 1), 1)
        texts = _texts(each, text)
        for again in range(min(times, MAX_ROWS) if texts else 0):
            if at + again >= MAX_ROWS or count > _MAX_CELLS:
                return rows, True
            count += len(texts)
            rows.append(SheetRow(at + again + 1, dict(texts)))
        at += times
    return rows, False


def _texts(row: Element, text: OdfText) -> dict[int, str]:
    """Return the texts of a row's filled cells by column."""
    found: dict[int, str] = {}
    at = 0
    for each in row:
        if each.tag not in {"table-cell", "covered-table-cell"}:
            continue
        words = text.words(each)
        if words:
            for again in range(repeats(each, "number-columns-repeated")):
                found[at + again] = words
        at += max(number(each.get("number-columns-repeated"), 1), 1)
    return found
