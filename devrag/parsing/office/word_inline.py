"""The words of a Word paragraph: runs, links, fields, notes, text boxes.

What was deleted by somebody whose changes are tracked is left out, as are hidden words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from devrag.parsing.office.markdown import link, plain
from devrag.parsing.office.markup import is_on

_LEFT_OUT = {
    *("del", "moveFrom", "pPr", "rPr", "sdtPr", "instrText", "delText", "delInstrText"),
    *("rt", "Fallback", "smartTagPr", "fldData", "sectPr", "tblPr", "posOffset"),
}
_SIGNS = {
    "tab": " ",
    "ptab": " ",
    "br": "\n",
    "cr": "\n",
    "noBreakHyphen": "-",
    "softHyphen": "",
}
_FIELD_ADDRESS = re.compile(r'\s*HYPERLINK\s+"([^"]+)"')


@dataclass
class _Field:
    """A field that is open. start: of what it shows among the pieces, -1 before it."""

    code: str = ""
    start: int = -1


@dataclass
class Words:
    """What a paragraph says. notes: marks of footnotes; comments: ids of remarks;
    boxes: the text boxes that hang on it.
    """

    text: str = ""
    notes: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)


class InlineReader:
    """Reads one paragraph. address: of a hyperlink, by the id of its relationship."""

    def __init__(self, address: Callable[[str | None], str]) -> None:
        self._address = address
        self._pieces: list[str] = []
        self._fields: list[_Field] = []
        self._words = Words()

    def read(self, paragraph: Element) -> Words:
        """Return the words of a paragraph, ready for Markdown."""
        self._inside(paragraph)
        self._words.text = "".join(self._pieces)
        return self._words

    def _inside(self, parent: Element) -> None:
        for child in parent:
            self._read(child)

    def _read(self, element: Element) -> None:
        tag = element.tag
        if tag == "t":
            self._pieces.append(plain(element.text or ""))
        elif tag == "r":
            if not is_on(element.find("rPr"), "vanish"):
                self._inside(element)
        elif tag in _SIGNS:
            self._sign(element)
        elif tag in _OTHERS:
            _OTHERS[tag](self, element)
        elif tag not in _LEFT_OUT:
            self._inside(element)

    def _box(self, element: Element) -> None:
        self._words.boxes.append(element)

    def _sign(self, element: Element) -> None:
        if element.get("type") not in {"page", "column"}:
            self._pieces.append(_SIGNS[element.tag])

    def _link(self, element: Element) -> None:
        start = len(self._pieces)
        self._inside(element)
        self._join(start, self._address(element.get("r:id")))

    def _join(self, start: int, address: str) -> None:
        """Make one link of the pieces from start on, if there is an address."""
        if address:
            words = "".join(self._pieces[start:])
            self._pieces[start:] = [link(words, address)]

    def _field(self, element: Element) -> None:
        """Follow the marks around a field: its code, then what it shows."""
        kind = element.get("fldCharType")
        if kind == "begin":
            self._fields.append(_Field())
        elif not self._fields:
            return
        elif kind == "separate":
            self._fields[-1].start = len(self._pieces)
        elif kind == "end":
            ended = self._fields.pop()
            found = _FIELD_ADDRESS.match(ended.code)
            if found and 0 <= ended.start <= len(self._pieces):
                self._join(ended.start, found[1])

    def _code(self, element: Element) -> None:
        if self._fields and len(self._fields[-1].code) < 4000:
            self._fields[-1].code += element.text or ""

    def _note(self, element: Element) -> None:
        mark = ("e" if element.tag == "endnoteReference" else "") + element.get(
            "id", ""
        )
        self._words.notes.append(mark)
        self._pieces.append(f"[^{mark}]")

    def _comment(self, element: Element) -> None:
        self._words.comments.append(element.get("id", ""))

    def _choice(self, element: Element) -> None:
        """Read the first of several ways to say the same."""
        first = next((each for each in element if each.tag == "Choice"), None)
        if first is None:
            first = element.find("Fallback")
        if first is not None:
            self._inside(first)


_OTHERS: dict[str, Callable[[InlineReader, Element], None]] = {
    "hyperlink": InlineReader._link,
    "txbxContent": InlineReader._box,
    "fldChar": InlineReader._field,
    "instrText": InlineReader._code,
    "footnoteReference": InlineReader._note,
    "endnoteReference": InlineReader._note,
    "commentReference": InlineReader._comment,
    "AlternateContent": InlineReader._choice,
}
