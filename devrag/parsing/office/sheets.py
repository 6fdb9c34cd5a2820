"""An Excel workbook (xlsx, xlsm, xltx) as Markdown: a table for each sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from devrag.parsing.office import markdown
from devrag.parsing.office.markup import iterate_xml, number
from devrag.parsing.office.package import Package
from devrag.parsing.office.sheet_cells import (
    CellReader,
    column_of,
    read_cells,
    rich_text,
    row_of,
)
from devrag.parsing.office.sheet_table import (
    MAX_ROWS,
    SheetRow,
    sheet_heading,
    write_sheet,
)
from devrag.parsing.office.slide_shapes import ShapeReader

_MAX_SHEETS = 500
_SHEET_PARTS = frozenset({"row", "mergeCell", "hyperlink"})
_MAX_MERGED = 20_000
_MAX_REPEATED_CELLS = 200_000
_MAX_CELLS = 1_000_000


@dataclass
class _Sheet:
    """rows: by number; merged: (first cell, last cell); links: address by cell."""

    rows: list[SheetRow] = field(default_factory=list)
    merged: list[tuple[str, str]] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)
    cut_after: int = 0


def read_workbook(package: Package, warn: Callable[[str], None]) -> Iterator[str]:
    """Yield the blocks of all sheets that are not hidden. Raises Unusable."""
    part = package.main_part()
    root = package.tree(part)
    properties = root.find("workbookPr")
    is_1904 = properties is not None and properties.get("date1904") in {"1", "true"}
    cells = read_cells(package, part, is_1904=is_1904)
    hidden = []
    for each in list(root.iter("sheet"))[:_MAX_SHEETS]:
        name = markdown.one_line(markdown.plain(each.get("name", "")))
        target = package.target(part, each.get("r:id"))
        if each.get("state", "visible") != "visible":
            hidden.append(name)
        elif target and "/worksheets/" in f"/{target.lower()}":
            yield from _sheet(package, target, name, cells, warn)
    if hidden:
        warn(f"hidden sheets left out: {', '.join(hidden)}")


def _sheet(
    package: Package,
    part: str,
    name: str,
    cells: CellReader,
    warn: Callable[[str], None],
) -> Iterator[str]:
    sheet = _read_sheet(package, part, cells)
    _repeat_merged(sheet)
    for row in sheet.rows:
        _link_cells(row, sheet.links)
    yield from write_sheet(name, sheet.rows)
    yield from _boxes(package, part, is_alone=not sheet.rows, name=name)
    yield from _comments(package, part)
    if sheet.cut_after:
        warn(f'sheet "{name}": what follows row {sheet.cut_after:,} is left out')


def _read_sheet(package: Package, part: str, cells: CellReader) -> _Sheet:
    """Read rows until there are too many; what follows them is then left out."""
    sheet = _Sheet()
    last = count = 0
    for each in iterate_xml(package.archive.pieces(part), _SHEET_PARTS):
        if each.tag == "row":
            at = number(each.get("r"), last + 1)
            if at > MAX_ROWS or len(sheet.rows) >= MAX_ROWS or count > _MAX_CELLS:
                sheet.cut_after = last
                break
            last, texts = at, _texts(each, cells)
            count += len(texts)
            if texts:
                sheet.rows.append(SheetRow(last, texts))
        elif each.tag == "mergeCell" and len(sheet.merged) < _MAX_MERGED:
            first, _, end = each.get("ref", "").partition(":")
            sheet.merged.append((first, end))
        elif each.tag == "hyperlink":
            address = package.address(part, each.get("r:id"))
            sheet.links[each.get("ref", "")] = address
    return sheet


def _texts(row: Element, cells: CellReader) -> dict[int, str]:
    """Return the texts of a row's filled cells by column."""
    found: dict[int, str] = {}
    at = -1
    for each in row:
        if each.tag != "c":
            continue
        at = column_of(each.get("r", "")) if each.get("r") else at + 1
        text = cells.text(each)
        if text.strip() and at >= 0:
            found[at] = text
    return found


def _repeat_merged(sheet: _Sheet) -> None:
    """Repeat the text of a short cell that spans several rows in each of them."""
    by_number = {row.number: row for row in sheet.rows}
    left = _MAX_REPEATED_CELLS
    for first, end in sheet.merged:
        top, column, bottom = row_of(first), column_of(first), row_of(end)
        above = by_number.get(top)
        text = above.texts.get(column, "") if above else ""
        if not text or len(text) > markdown.MAX_REPEATED:
            continue
        bottom = min(bottom, sheet.rows[-1].number, top + left)
        left -= max(bottom - top, 0)
        for at in range(top + 1, bottom + 1):
            if at in by_number:
                by_number[at].texts.setdefault(column, text)


def _link_cells(row: SheetRow, links: dict[str, str]) -> None:
    if not links:
        return
    for column, text in row.texts.items():
        address = links.get(f"{_letters(column)}{row.number}")
        if address:
            row.texts[column] = markdown.link(text, address)


def _letters(column: int) -> str:
    letters = ""
    column += 1
    while column:
        column, at = divmod(column - 1, 26)
        letters = chr(ord("A") + at) + letters
    return letters


def _boxes(package: Package, part: str, *, is_alone: bool, name: str) -> Iterator[str]:
    """Yield the texts of shapes that lie over the cells."""
    for drawing in package.related(part, "drawing"):
        reader = ShapeReader(package, drawing)
        for body in package.tree(drawing).iter("txBody"):
            words = "\n".join(reader.words(each) for each in body.iter("p"))
            if words.strip():
                yield from [sheet_heading(name)] * is_alone
                yield markdown.paragraph(words)
                is_alone = False


def _comments(package: Package, part: str) -> Iterator[str]:
    """Yield what people remarked on cells."""
    root = package.related_tree(part, "comments")
    if root is None:
        return
    authors = ["".join(each.itertext()) for each in root.iter("author")]
    for each in root.iter("comment"):
        text = rich_text(each.find("text"))
        at = number(each.get("authorId"), -1)
        author = authors[at] if 0 <= at < len(authors) else ""
        if text.strip():
            place = f"on {each.get('ref', '')[:12]}"
            yield markdown.comment(author, "", text, place)
