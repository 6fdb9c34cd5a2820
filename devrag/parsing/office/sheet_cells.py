"""The cells of an Excel sheet as their reader sees them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isfinite
from xml.etree.ElementTree import Element

from devrag.parsing.office.markdown import plain
from devrag.parsing.office.markup import iterate_xml, number
from devrag.parsing.office.number_format import built_in, show_number
from devrag.parsing.office.package import Package

MAX_STRINGS = 1_000_000
MAX_CHARACTERS = 40_000_000
_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")


@dataclass
class CellReader:
    """formats: number formats by style; strings: those that cells share."""

    strings: list[str] = field(default_factory=list)
    formats: list[str] = field(default_factory=list)
    is_1904: bool = False

    def text(self, cell: Element) -> str:
        """Return what a cell shows: the value that was kept of a formula."""
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return rich_text(cell.find("is"))
        value = cell.findtext("v") or ""
        if not value and kind != "str":
            formula = cell.findtext("f")
            return plain(f"={formula}") if formula else ""
        if kind == "s":
            at = number(value, -1)
            return self.strings[at] if 0 <= at < len(self.strings) else ""
        if kind == "b":
            return "TRUE" if value.strip() == "1" else "FALSE"
        if kind == "n":
            return self._number(value, number(cell.get("s")))
        return plain(value)

    def _number(self, written: str, style: int) -> str:
        try:
            value = float(written)
        except ValueError:
            return plain(written)
        if not isfinite(value):
            return ""
        code = self.formats[style] if style < len(self.formats) else "General"
        return plain(show_number(value, code, is_1904=self.is_1904))


def read_cells(package: Package, part: str, *, is_1904: bool) -> CellReader:
    """Return the reader of a workbook's cells."""
    strings = _strings(package, part)
    return CellReader(list(strings), _formats(package, part), is_1904)


def rich_text(element: Element | None) -> str:
    """Return a text with its runs joined, without how it is pronounced."""
    if element is None:
        return ""
    runs = (each.findtext("t") or "" for each in element.findall("r"))
    return plain("".join([element.findtext("t") or "", *runs]))


def _strings(package: Package, part: str) -> Iterator[str]:
    """Yield the texts that cells share, up to a bound; what lies beyond is ''."""
    name = next(package.related(part, "sharedStrings"), "")
    if not name:
        return
    left = MAX_CHARACTERS
    items = iterate_xml(package.archive.pieces(name), frozenset({"si"}))
    for count, each in enumerate(items):
        if count >= MAX_STRINGS:
            return
        text = rich_text(each)
        left -= len(text)
        yield text if left >= 0 else ""


def _formats(package: Package, part: str) -> list[str]:
    """Return the code of the number format of each style, by its number."""
    root = package.related_tree(part, "styles")
    if root is None:
        return []
    own = {
        number(each.get("numFmtId")): each.get("formatCode", "")[:200]
        for each in root.iter("numFmt")
    }
    styles = root.find("cellXfs")
    ids = [] if styles is None else [number(x.get("numFmtId")) for x in styles]
    return [own.get(each) or built_in(each) for each in ids]


def column_of(reference: str) -> int:
    """Return the column of `AB12`, from 0; -1 for what is no reference."""
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        return -1
    at = 0
    for letter in found[1]:
        at = at * 26 + ord(letter) - ord("A") + 1
    return at - 1


def row_of(reference: str) -> int:
    """Return the row of `AB12`, from 1; 0 for what is no reference."""
    found = _REFERENCE.fullmatch(reference)
    return int(found[2]) if found else 0
