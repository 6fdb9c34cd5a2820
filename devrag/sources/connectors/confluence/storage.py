"""Confluence's storage format as Markdown.

The format is XML: HTML elements, and Confluence's own in two name spaces, `ac`
(macros, links, images, tasks, layouts) and `ri` (what a link leads to). A body is
bounded before it is parsed; a document type of its own, and so entities of its own,
cannot be in it.

source: Confluence Storage Format, Atlassian's documentation of Data Center and Cloud.
"""

from __future__ import annotations

import html
import re
from xml.etree.ElementTree import Element, ParseError, XMLParser

from devrag.sources.connectors.confluence.links import RI, PageLinks
from devrag.sources.connectors.confluence.macros import AC, Macros
from devrag.sources.connectors.pages.markdown import MarkdownWriter, image, link

_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d+|#[xX][0-9a-fA-F]+);)(\w*;?)")
_NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_CDATA = re.compile(r"(<!\[CDATA\[.*?\]\]>)", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_DONE = {"complete": "[x]", "incomplete": "[ ]"}


def storage_to_markdown(body: str, links: PageLinks) -> str:
    """Return a body in storage format as Markdown; a broken one without its marks."""
    try:
        root = parse_storage(body)
    except ParseError:
        return html.unescape(_TAG.sub(" ", _CDATA.sub(_plain, body))).strip()
    return StorageWriter(links).write(root)


def parse_storage(body: str) -> Element:
    """Return the tree of a body. Raises ParseError for what is not well-formed."""
    # Within an element there can be no document type, and so no entities.
    parser = XMLParser()  # noqa: S314
    parser.feed('<root xmlns:ac="ac" xmlns:ri="ri">')
    clean = _NOT_XML.sub("", body)
    for part in _CDATA.split(clean):
        is_cdata = part.startswith("<![CDATA[")
        parser.feed(part if is_cdata else _ENTITY.sub(_entity, part))
    parser.feed("</root>")
    root: Element = parser.close()
    return root


class StorageWriter(MarkdownWriter):
    """Writes one page: HTML and what Confluence has beside it."""

    def __init__(self, links: PageLinks) -> None:
        super().__init__()
        self._links = links
        macros = Macros(self, links)
        self.blocks |= {
            **{f"{AC}{name}": macros.block for name in ("structured-macro", "macro")},
            f"{AC}task-list": self._tasks,
            f"{AC}adf-extension": self._fallback,
            **dict.fromkeys((f"{AC}{name}" for name in _TRANSPARENT), self.inside),
            **dict.fromkeys((f"{AC}{name}" for name in _HIDDEN), lambda _, __: []),
        }
        self.inlines |= {
            f"{AC}inline-macro": macros.inline,
            f"{AC}link": self._link,
            f"{AC}image": self._image,
            f"{AC}emoticon": lambda each, _: (
                each.get(f"{AC}emoji-fallback") or f":{each.get(f'{AC}name', '')}:"
            ),
            "a": lambda each, depth: link(
                self.inline(each, depth), links.address(each.get("href", ""))
            ),
            "time": lambda each, _: each.get("datetime", "") + (each.text or ""),
        }

    def write(self, root: Element) -> str:
        """Return the Markdown of a body."""
        Macros.mark_inline(root)
        return super().write(root)

    def _tasks(self, each: Element, depth: int) -> list[str]:
        marked = []
        for task in each.iterfind(f"{AC}task"):
            status = (task.findtext(f"{AC}task-status") or "").strip()
            body = task.find(f"{AC}task-body")
            if body is not None:
                marked.append((f"- {_DONE.get(status, '[ ]')}", body))
        return self.items(marked, depth)

    def _fallback(self, each: Element, depth: int) -> list[str]:
        """Return what Confluence itself shows where it lacks the new editor."""
        fallback = each.find(f"{AC}adf-fallback")
        return self.inside(each if fallback is None else fallback, depth)

    def _link(self, each: Element, depth: int) -> str:
        address = name = ""
        words = ""
        for child in each:
            if child.tag.startswith(RI):
                address, name = self._links.target(child)
            elif child.tag in _LINK_BODIES:
                words = self.inline(child, depth)
        anchor = each.get(f"{AC}anchor", "")
        if anchor and "://" not in address:
            address = f"{address}#{anchor}"
        return link(words or name or anchor, address)

    def _image(self, each: Element, _: int) -> str:
        for child in each:
            if child.tag.startswith(RI):
                address, name = self._links.target(child)
                return image(each.get(f"{AC}alt") or name, address)
        return ""


_LINK_BODIES = {f"{AC}link-body", f"{AC}plain-text-link-body"}
_TRANSPARENT = (
    *("layout", "layout-section", "layout-cell", "rich-text-body", "adf-fallback"),
    *("adf-node", "adf-content"),
)
_HIDDEN = ("placeholder", "parameter", "default-parameter", "adf-attribute")


def _entity(found: re.Match[str]) -> str:
    """Return a character for a name of HTML's; what is none stays as it is written."""
    written = found[0]
    char = html.unescape(written) if written.endswith(";") else written
    return f"&amp;{written[1:]}" if char == written else html.escape(char)


def _plain(found: re.Match[str]) -> str:
    return html.escape(found[1][9:-3])
