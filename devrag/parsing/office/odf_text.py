"""Paragraphs, lists and tables of an OpenDocument file as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from devrag.parsing.office import markdown
from devrag.parsing.office.grid import Grid
from devrag.parsing.office.markup import number
from devrag.parsing.office.odf_inline import OdfWords, read_words
from devrag.parsing.office.odf_styles import OdfStyles

# What holds blocks. Indexes such as a table of contents repeat what is written below.
_CONTAINERS = {"section", "text-box", "frame", "note-body", "g", "custom-shape"}
_ROW_GROUPS = {"table-header-rows", "table-rows", "table-row-group"}
_MAX_ITEM_DEPTH = 6
MAX_REPEATED_COLUMNS = 100


class OdfText:
    """Reads blocks; notes and comments come behind the block that has them."""

    def __init__(self, styles: OdfStyles) -> None:
        self._styles = styles
        self._told: list[str] = []
        self._code: list[str] = []

    def blocks(self, parent: Element) -> Iterator[str]:
        """Yield the blocks in an element."""
        for child in parent:
            if child.tag == "p" and self._styles.is_code(child.get("style-name")):
                self._code.append(self._words(child).text)
                continue
            yield from self._end_code()
            yield from self._block(child)
            yield from self._take_told()
        yield from self._end_code()

    def words(self, parent: Element) -> str:
        """Return everything in an element as one run of words."""
        found = []
        for child in parent:
            if child.tag in {"p", "h"}:
                words = self._words(child)
                found += [words.text, *(self.words(box) for box in words.boxes)]
            elif child.tag == "table":
                found.append(self.table(child).words())
            elif child.tag in {*_CONTAINERS, "list", "list-item", "list-header"}:
                found.append(self.words(child))
        return " ".join(filter(None, map(str.strip, found)))

    def table(self, element: Element) -> Grid:
        """Return a table's cells."""
        grid = Grid()
        for row in rows_of(element):
            grid.begin_row()
            for each in row:
                # Covered cells follow the one that spans them.
                if each.tag != "table-cell":
                    continue
                text = self.words(each)
                spanned = number(each.get("number-columns-spanned"), 1)
                rows = number(each.get("number-rows-spanned"), 1)
                for _ in range(repeats(each, "number-columns-repeated")):
                    grid.add(text, spanned, rows)
            grid.end_row()
        return grid

    def _block(self, element: Element) -> Iterator[str]:
        tag = element.tag
        if tag in {"p", "h"}:
            yield from self._paragraph(element)
        elif tag == "list":
            yield from self._list(element, 0, element.get("style-name"))
        elif tag == "table":
            yield from markdown.table(self.table(element).rows)
        elif tag in _CONTAINERS:
            yield from self.blocks(element)

    def _paragraph(self, element: Element) -> Iterator[str]:
        words = self._words(element)
        depth = number(element.get("outline-level"), 1) if element.tag == "h" else 0
        if not depth and self._styles.is_title(element.get("style-name")):
            depth = 1
        text = words.text
        yield markdown.heading(depth, text) if depth else markdown.paragraph(text)
        told = self._take_told()
        for box in words.boxes:
            yield from self.blocks(box) if box.tag == "text-box" else self._block(box)
        self._told = told + self._told

    def _list(self, element: Element, depth: int, style: str | None) -> Iterator[str]:
        """Yield the items of a list, each a block; lists in it are deeper ones."""
        numbered = self._styles.is_numbered(style, depth)
        count = 0
        for each in element:
            if each.tag not in {"list-item", "list-header"}:
                continue
            count += 1
            own = [child for child in each if child.tag in {"p", "h"}]
            words = "\n".join(self._words(child).text.strip() for child in own)
            marker = f"{count}." if numbered else "-"
            if words.strip():
                yield markdown.item(words, min(depth, _MAX_ITEM_DEPTH), marker)
            for child in each:
                if child.tag == "list":
                    below = child.get("style-name") or style
                    yield from self._list(child, depth + bool(words.strip()), below)

    def _words(self, element: Element) -> OdfWords:
        words = read_words(element)
        for mark, body in words.notes:
            text = self.words(body)
            self._told += [f"[^{mark}]: {text}"] if text else []
        for each in words.comments:
            self._told += self.remark(each)
        return words

    def remark(self, annotation: Element) -> Iterator[str]:
        """Yield a comment, if it says anything."""
        text = self.words(annotation)
        author, date = map(annotation.findtext, ("creator", "date"))
        if text:
            who = markdown.one_line(author or "")
            yield markdown.comment(who, date or "", text)

    def _take_told(self) -> list[str]:
        told, self._told = self._told, []
        return told

    def _end_code(self) -> Iterator[str]:
        if any(map(str.strip, self._code)):
            yield markdown.fence(self._code)
        self._code = []


def rows_of(table: Element) -> Iterator[Element]:
    """Yield the rows of a table, out of their groups."""
    for child in table:
        if child.tag == "table-row":
            yield child
        elif child.tag in _ROW_GROUPS:
            yield from rows_of(child)


def repeats(element: Element, key: str) -> int:
    """Return how often a cell stands beside itself: bounded, files may say millions."""
    return min(max(number(element.get(key), 1), 1), MAX_REPEATED_COLUMNS)
