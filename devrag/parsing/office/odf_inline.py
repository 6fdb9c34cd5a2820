"""The words of an OpenDocument paragraph, with links, notes and comments."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from devrag.parsing.office.markdown import link, plain
from devrag.parsing.office.markup import number

_SIGNS = {"tab": " ", "line-break": "\n"}
_LEFT_OUT = {
    *("tracked-changes", "annotation-end", "ruby-text", "bookmark", "soft-page-break"),
    *("hidden-text", "hidden-paragraph", "title", "desc", "image", "object"),
    *("event-listeners", "page-number"),
}
_MAX_SPACES = 100


@dataclass
class OdfWords:
    """text: ready for Markdown. notes: marks with their bodies; comments: elements;
    boxes: the text boxes and tables that hang on the paragraph.
    """

    text: str = ""
    notes: list[tuple[str, Element]] = field(default_factory=list)
    comments: list[Element] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)


def read_words(paragraph: Element) -> OdfWords:
    """Return what a paragraph says."""
    words = OdfWords()
    words.text = _inside(paragraph, words)
    return words


def _inside(parent: Element, words: OdfWords) -> str:
    pieces = [plain(_joined(parent.text))]
    for child in parent:
        pieces.append(_read(child, words))
        pieces.append(plain(_joined(child.tail)))
    return "".join(pieces)


def _joined(text: str | None) -> str:
    """Return text with its line ends as blanks: they are only how the file is laid."""
    return (text or "").replace("\n", " ")


def _read(element: Element, words: OdfWords) -> str:
    tag = element.tag
    if tag in _SIGNS:
        return _SIGNS[tag]
    if tag == "s":
        return " " * min(number(element.get("c"), 1), _MAX_SPACES)
    if tag == "a":
        return link(_inside(element, words), element.get("href", ""))
    if tag == "note":
        return _note(element, words)
    if tag == "annotation":
        words.comments.append(element)
        return ""
    if tag in {"text-box", "table"}:
        words.boxes.append(element)
        return ""
    return "" if tag in _LEFT_OUT else _inside(element, words)


def _note(element: Element, words: OdfWords) -> str:
    body = element.find("note-body")
    citation = "".join(element.findtext("note-citation") or "").strip()
    mark = ("e" if element.get("note-class") == "endnote" else "") + citation
    if body is None or not mark:
        return ""
    mark = "".join(each for each in mark if each.isalnum() or each in "*-") or "note"
    words.notes.append((mark, body))
    return f"[^{mark}]"
