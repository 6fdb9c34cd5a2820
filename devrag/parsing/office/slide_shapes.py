"""What the shapes of a slide say: title, texts, lists, tables, diagrams."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from devrag.parsing.office import markdown
from devrag.parsing.office.grid import Grid
from devrag.parsing.office.markup import number
from devrag.parsing.office.package import Package

_TITLES = {"title", "ctrTitle"}
# Furniture that every slide has.
_LEFT_OUT = {"sldNum", "dt", "ftr", "hdr", "sldImg"}
# Placeholders whose paragraphs have bullets unless they say otherwise.
_LISTS = {"body", "obj", ""}
_SHAPES = {"sp", "grpSp", "graphicFrame", "AlternateContent", "Choice", "cxnSp"}


class ShapeReader:
    """Reads one slide. title: known once its blocks were read."""

    def __init__(self, package: Package, part: str) -> None:
        self._package, self._part = package, part
        self.title = ""

    def blocks(self, parent: Element | None) -> Iterator[str]:
        """Yield what shapes say, in their order; the title apart."""
        for shape in () if parent is None else parent:
            if shape.tag in {"grpSp", "AlternateContent", "Choice"}:
                yield from self.blocks(shape)
            elif shape.tag == "graphicFrame":
                yield from self._frame(shape)
            elif shape.tag in _SHAPES:
                yield from self._shape(shape)

    def words(self, paragraph: Element) -> str:
        """Return the words of a paragraph, with its links."""
        words = []
        for each in paragraph:
            if each.tag in {"r", "fld"}:
                text = markdown.plain(each.findtext("t") or "")
                clicked = each.find("rPr/hlinkClick")
                address = ""
                if clicked is not None:
                    address = self._package.address(self._part, clicked.get("r:id"))
                words.append(markdown.link(text, address) if address else text)
            elif each.tag == "br":
                words.append("\n")
            elif each.tag not in {"pPr", "endParaRPr"}:  # a formula
                words.append(markdown.plain("".join(each.itertext())))
        return "".join(words)

    def _shape(self, shape: Element) -> Iterator[str]:
        holder = shape.find("nvSpPr/nvPr/ph")
        kind = "none" if holder is None else holder.get("type", "")
        if kind in _LEFT_OUT:
            return
        body = shape.find("txBody")
        if body is None:
            return
        if kind in _TITLES and not self.title:
            text = " ".join(self.words(each) for each in body.iter("p"))
            self.title = markdown.one_line(text)
            return
        yield from self._paragraphs(body, is_list=kind in _LISTS)

    def _paragraphs(self, body: Element, *, is_list: bool) -> Iterator[str]:
        """Yield paragraphs, items of lists by their levels."""
        filled = [(each, self.words(each)) for each in body.iter("p")]
        filled = [(each, words) for each, words in filled if words.strip()]
        items = _Items()
        for each, words in filled:
            properties = each.find("pPr")
            if _is_item(properties, is_list=is_list and len(filled) > 1):
                items.add(properties, words)
                continue
            yield from items.take()
            yield markdown.paragraph(words)
        yield from items.take()

    def _frame(self, frame: Element) -> Iterator[str]:
        for table in frame.iter("tbl"):
            yield from markdown.table(self._table(table).rows)
        for each in frame.iter("relIds"):
            name = self._package.target(self._part, each.get("r:dm"))
            if name:
                yield from self._diagram(self._package.tree(name))

    def _diagram(self, root: Element) -> Iterator[str]:
        """Yield the words of a diagram (SmartArt) as a list."""
        texts = [self.words(each) for each in root.iter("p")]
        items = [markdown.item(text, 0) for text in texts if text.strip()]
        yield from ["\n".join(items)] if items else []

    def _table(self, table: Element) -> Grid:
        grid = Grid()
        for row in table.iter("tr"):
            grid.begin_row()
            for each in row.iter("tc"):
                # Covered cells follow the one that spans them.
                if each.get("hMerge") or each.get("vMerge"):
                    continue
                text = " ".join(self.words(p) for p in each.iter("p"))
                columns = number(each.get("gridSpan"), 1)
                grid.add(text, columns, number(each.get("rowSpan"), 1))
            grid.end_row()
        return grid


class _Items:
    """The items of a list; those with numbers are counted by their level."""

    def __init__(self) -> None:
        self._items: list[str] = []
        self._counts: list[int] = []

    def add(self, properties: Element | None, words: str) -> None:
        """Add an item. properties: of its paragraph."""
        level = 0 if properties is None else number(properties.get("lvl"))
        depth = min(level, len(self._counts))
        has_number = properties is not None and properties.find("buAutoNum") is not None
        before = self._counts[depth] if depth < len(self._counts) else 0
        self._counts[depth:] = [before + 1 if has_number else 0]
        marker = f"{self._counts[depth]}." if has_number else "-"
        self._items.append(markdown.item(words, depth, marker))

    def take(self) -> Iterator[str]:
        """Yield the list, if there is one, and begin another."""
        if self._items:
            yield "\n".join(self._items)
        self._items, self._counts = [], []


def _is_item(properties: Element | None, *, is_list: bool) -> bool:
    if properties is not None:
        if properties.find("buNone") is not None:
            return False
        if any(properties.find(each) is not None for each in ("buChar", "buAutoNum")):
            return True
    return is_list
