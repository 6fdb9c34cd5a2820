"""A Word document (docx, docm, dotx) as Markdown, block by block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from devrag.parsing.office import markdown
from devrag.parsing.office.grid import Grid
from devrag.parsing.office.markup import child_value, number
from devrag.parsing.office.package import Package
from devrag.parsing.office.word_inline import InlineReader, Words
from devrag.parsing.office.word_styles import (
    Style,
    list_place,
    read_numbering,
    read_styles,
)

_CONTAINERS = {
    *("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag", "body"),
    *("AlternateContent", "Choice", "footnote", "endnote", "comment"),
}
_MAX_DEPTH = 6  # of a list


def read_word(package: Package) -> Iterator[str]:
    """Yield the blocks of a document. Raises Unusable."""
    part = package.main_part()
    body = package.tree(part).find("body")
    if body is not None:
        yield from _Document(package, part).blocks(body)


@dataclass(frozen=True, slots=True)
class _Aside:
    """A footnote or comment, and the part that it stands in."""

    part: str
    element: Element


class _Document:
    """Walks over a document's paragraphs and tables in their order."""

    def __init__(self, package: Package, part: str) -> None:
        self._package, self._part = package, part
        self._styles = read_styles(package, part)
        self._numbering = read_numbering(package, part)
        self._notes = {
            **self._aside("footnotes", "footnote", ""),
            **self._aside("endnotes", "endnote", "e"),
        }
        self._comments = self._aside("comments", "comment", "")
        self._code: list[str] = []
        self._depth = -1  # of the item before, -1 after anything else
        self._told: list[str] = []  # notes and comments of the block at hand

    def blocks(self, parent: Element) -> Iterator[str]:
        """Yield Markdown; what hangs on a block comes behind it."""
        for each in self._flat(parent):
            if each.tag == "p":
                block = self._paragraph(each)
                yield from self._end_code(each)
                yield from block
            else:
                yield from self._end_code(None)
                self._depth = -1
                yield from markdown.table(self._table(each).rows)
            yield from self._told
            self._told = []
        yield from self._end_code(None)

    def _flat(self, parent: Element) -> Iterator[Element]:
        """Yield the paragraphs and tables in an element, out of what wraps them."""
        for child in parent:
            if child.tag in {"p", "tbl"}:
                yield child
            elif child.tag in _CONTAINERS:
                yield from self._flat(child)

    # -- paragraphs ----------------------------------------------------------------

    def _paragraph(self, element: Element) -> list[str]:
        style, words = self._style(element), self._words(element)
        blocks = [self._block(element, style, words)]
        for box in words.boxes:
            blocks += self.blocks(box)
        self._tell(words)
        return [block for block in blocks if block]

    def _block(self, element: Element, style: Style, words: Words) -> str:
        text = words.text
        if style.is_contents or not text.strip():
            return ""
        if style.is_code:
            self._code += text.split("\n")
            return ""
        list_id, level = list_place(element.find("pPr"))
        if not list_id:
            list_id, level = style.list_id, style.level
        label = ""
        if list_id not in {"", "0"}:
            label = self._numbering.next_label(list_id, level)
        if style.heading:
            self._depth = -1
            return markdown.heading(style.heading, f"{label} {text}")
        if list_id in {"", "0"}:
            self._depth = -1
            return markdown.paragraph(text)
        # Markdown takes an item that is two levels deeper for code.
        self._depth = min(level, self._depth + 1, _MAX_DEPTH)
        return _item(text, self._depth, label)

    def _style(self, element: Element) -> Style:
        properties = element.find("pPr")
        style = self._styles.get(child_value(properties, "pStyle"), Style())
        outline = number(child_value(properties, "outlineLvl"), 9)
        if outline < 9 and not style.heading:
            return Style(outline + 1, list_id=style.list_id, level=style.level)
        return style

    def _words(self, element: Element) -> Words:
        return InlineReader(self._address).read(element)

    def _address(self, relation_id: str | None) -> str:
        return self._package.address(self._part, relation_id)

    def _end_code(self, element: Element | None) -> Iterator[str]:
        """Yield the lines of code that the block ends."""
        if self._code and (element is None or not self._style(element).is_code):
            yield markdown.fence(self._code)
            self._code = []

    # -- tables --------------------------------------------------------------------

    def _table(self, element: Element) -> Grid:
        grid = Grid()
        for row in self._rows(element):
            grid.begin_row()
            for each in self._cells(row):
                properties = each.find("tcPr")
                merged = None if properties is None else properties.find("vMerge")
                is_below = merged is not None and merged.get("val") != "restart"
                text = grid.above() if is_below else self._cell(each)
                grid.add(text, number(child_value(properties, "gridSpan"), 1))
        return grid

    def _rows(self, element: Element) -> Iterator[Element]:
        yield from _found(element, "tr")

    def _cells(self, element: Element) -> Iterator[Element]:
        yield from _found(element, "tc")

    def _cell(self, element: Element) -> str:
        words = []
        for each in self._flat(element):
            if each.tag == "tbl":
                words.append(self._table(each).words())
                continue
            found = self._words(each)
            words.append(found.text)
            words += (self._cell(box) for box in found.boxes)
            self._tell(found)
        return " ".join(filter(None, words))

    # -- notes and comments ----------------------------------------------------------

    def _aside(self, kind: str, tag: str, prefix: str) -> dict[str, _Aside]:
        part = next(self._package.related(self._part, kind), "")
        found: Iterable[Element] = self._package.tree(part).iter(tag) if part else ()
        return {prefix + each.get("id", ""): _Aside(part, each) for each in found}

    def _aside_words(self, aside: _Aside) -> str:
        """Return what a note says; its links are those of its own part."""
        own, self._part = self._part, aside.part
        try:
            return markdown.one_line(self._cell(aside.element))
        finally:
            self._part = own

    def _tell(self, words: Words) -> None:
        """Keep what the words of a block refer to, for behind it."""
        for mark in words.notes:
            note = self._notes.pop(mark, None)
            if note is not None:
                text = self._aside_words(note)
                self._told += [f"[^{mark}]: {text}"] if text else []
        for each in words.comments:
            remark = self._comments.pop(each, None)
            text = "" if remark is None else self._aside_words(remark)
            if remark is not None and text:
                author, date = map(remark.element.get, ("author", "date"))
                self._told.append(markdown.comment(author or "", date or "", text))


def _found(parent: Element, tag: str) -> Iterator[Element]:
    """Yield rows or cells, out of content controls and tracked changes."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in _CONTAINERS:
            yield from _found(child, tag)


def _item(text: str, depth: int, label: str) -> str:
    """Return an item of a list; a label that Markdown has no mark for is in its words.

    `3.` and `3)` are marks, `1.2` and `b)` are words.
    """
    number_of, sign = label[:-1], label[-1:]
    if number_of.isascii() and number_of.isdigit() and sign in {".", ")"}:
        return markdown.item(text, depth, label)
    return markdown.item(f"{label} {text}".strip(), depth)
