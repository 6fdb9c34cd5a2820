"""Rich text as elements of HTML, which are then written as Markdown. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Protocol
from xml.etree.ElementTree import Element, SubElement

from devrag.sources.connectors.pages.json_data import Json, part_of, text_of

MATH = "math"
_MARKS = (("bold", "strong"), ("italic", "em"), ("strikethrough", "del"))


class Links(Protocol):
    """Where links on a page lead."""

    def page(self, page_id: str) -> str:
        """Return the address of a page or database."""
        ...

    def address(self, href: str) -> str:
        """Return an address as it is written: of a page that is read, its file."""
        ...


def add_rich(parent: Element, rich: Iterable[Json], links: Links) -> None:
    """Add rich text to an element. Runs that look alike are one: marks do not touch."""
    for (kind, marks, href), runs in groupby(rich, lambda run: _look(run, links)):
        text = "".join(map(_words, runs))
        if kind == "equation":
            SubElement(parent, MATH).text = text
            continue
        target = parent
        if href:
            target = SubElement(target, "a", {"href": href})
        for mark in marks:
            target = SubElement(target, mark)
        add_text(target, text)


def add_text(parent: Element, text: str) -> None:
    """Add words behind what an element has; lines stay lines."""
    for number, line in enumerate(text.split("\n")):
        if number and parent.tag != "code":
            SubElement(parent, "br")
        words = line if parent.tag != "code" or not number else f" {line}"
        if len(parent):
            parent[-1].tail = (parent[-1].tail or "") + words
        else:
            parent.text = (parent.text or "") + words


def _look(run: Json, links: Links) -> tuple[str, tuple[str, ...], str]:
    kind = text_of(run, "type")
    given = part_of(run, "annotations")
    marks = tuple(tag for name, tag in _MARKS if given.get(name) is True)
    if given.get("code") is True:
        marks += ("code",)
    return kind, marks, _href(run, links)


def _href(run: Json, links: Links) -> str:
    mention = part_of(run, "mention")
    for kind in ("page", "database", "data_source"):
        if page_id := text_of(part_of(mention, kind), "id"):
            return links.page(page_id)
    href = text_of(run, "href") or text_of(part_of(run, "text", "link"), "url")
    return links.address(href) if href else ""


def _words(run: Json) -> str:
    if run.get("type") == "equation":
        return text_of(part_of(run, "equation"), "expression")
    return text_of(run, "plain_text") or text_of(part_of(run, "text"), "content")
