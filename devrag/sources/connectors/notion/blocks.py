"""Blocks as elements of HTML, which are then written as Markdown. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Protocol
from xml.etree.ElementTree import Element, SubElement

from devrag.sources.connectors.notion.content import Block
from devrag.sources.connectors.notion.node import plain_text
from devrag.sources.connectors.notion.richtext import MATH, Links, add_rich, add_text
from devrag.sources.connectors.pages.json_data import list_of, part_of, text_of
from devrag.sources.connectors.pages.markdown import MarkdownWriter

_TODO, _MATH_BLOCK = "todo", "math-block"
_PLAIN_TEXT = "plain text"
_LISTS = {
    "bulleted_list_item": "ul",
    "numbered_list_item": "ol",
    "to_do": _TODO,
}
_NOTHING = ("breadcrumb", "table_of_contents", "unsupported", "template")


class PageLinks(Links, Protocol):
    """Where links and files of one page lead."""

    def title(self, page_id: str) -> str:
        """Return the title of a page or database, '' for an unknown one."""
        ...

    def file(self, block_id: str) -> str:
        """Return the address of a file that Notion keeps for a block."""
        ...


class NotionWriter(MarkdownWriter):
    """Writes elements of a page as Markdown."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks[_TODO] = self._todos
        self.blocks[_MATH_BLOCK] = lambda each, _: [f"$$\n{(each.text or '')}\n$$"]
        self.inlines[MATH] = lambda each, _: f"${(each.text or '').strip()}$"

    def _todos(self, each: Element, depth: int) -> list[str]:
        marks = ("- [x]" if li.get("checked") else "- [ ]" for li in each)
        return self.items(zip(marks, each, strict=True), depth)


class BlockElements:
    """Makes elements of the blocks of one page."""

    def __init__(self, links: PageLinks) -> None:
        self._links = links
        self._made: dict[str, Callable[[Element, Block], None]] = {
            **{f"heading_{level}": self._heading for level in range(1, 5)},
            **dict.fromkeys(("callout", "quote"), self._quote),
            **dict.fromkeys(("bookmark", "embed", "link_preview"), self._bookmark),
            **dict.fromkeys(("image", "video", "audio", "file", "pdf"), self._file),
            **dict.fromkeys(("child_page", "child_database"), self._child),
            **dict.fromkeys(_NOTHING, lambda _, __: None),
            "toggle": self._toggle,
            "code": self._code,
            "equation": self._equation,
            "divider": lambda parent, _: _add(parent, "hr"),
            "table": self._table,
            "link_to_page": self._link_to_page,
            **dict.fromkeys(("meeting_notes", "transcription"), self._meeting),
        }

    def add(self, parent: Element, blocks: Sequence[Block]) -> None:
        """Add blocks to an element; items of a list that follow each other are one."""
        for kind, found in groupby(blocks, lambda block: block.kind):
            if kind in _LISTS:
                self._list(parent, list(found))
                continue
            for block in found:
                self._made.get(kind, self._paragraph)(parent, block)

    # -- text -----------------------------------------------------------------------

    def _paragraph(self, parent: Element, block: Block) -> None:
        """Add a paragraph, or of an unknown block what it has of text."""
        rich = list_of(block.own, "rich_text")
        if rich:
            add_rich(SubElement(parent, "p"), rich, self._links)
        self.add(parent, block.inside)

    def _heading(self, parent: Element, block: Block) -> None:
        """Add a heading, one level below the title of the page."""
        level = int(block.kind[-1]) + 1
        made = SubElement(parent, f"h{level}")
        add_rich(made, list_of(block.own, "rich_text"), self._links)
        self.add(parent, block.inside)

    def _toggle(self, parent: Element, block: Block) -> None:
        title = SubElement(SubElement(parent, "p"), "strong")
        add_text(title, plain_text(list_of(block.own, "rich_text")))
        self.add(parent, block.inside)

    def _quote(self, parent: Element, block: Block) -> None:
        made = SubElement(parent, "blockquote")
        words = SubElement(made, "p")
        if icon := text_of(part_of(block.own, "icon"), "emoji"):
            add_text(words, f"{icon} ")
        add_rich(words, list_of(block.own, "rich_text"), self._links)
        self.add(made, block.inside)

    def _list(self, parent: Element, blocks: Sequence[Block]) -> None:
        made = SubElement(parent, _LISTS[blocks[0].kind])
        if start := blocks[0].own.get("list_start_index"):
            made.set("start", str(start))
        for block in blocks:
            item = SubElement(made, "li")
            if block.own.get("checked") is True:
                item.set("checked", "yes")
            add_rich(item, list_of(block.own, "rich_text"), self._links)
            self.add(item, block.inside)

    def _code(self, parent: Element, block: Block) -> None:
        made = SubElement(parent, "pre")
        made.text = plain_text(list_of(block.own, "rich_text"))
        language = text_of(block.own, "language")
        if language != _PLAIN_TEXT:
            made.set("data-language", language.replace(" ", "-").replace("`", ""))
        self._caption(parent, block)

    def _equation(self, parent: Element, block: Block) -> None:
        expression = text_of(block.own, "expression").strip()
        if expression:
            SubElement(parent, _MATH_BLOCK).text = expression

    def _table(self, parent: Element, block: Block) -> None:
        made = SubElement(parent, "table")
        has_head = block.own.get("has_column_header") is True
        for number, row in enumerate(block.inside):
            is_head = has_head and number == 0
            line = SubElement(made, "tr")
            cells = row.own.get("cells")
            for cell in cells if isinstance(cells, list) else ():
                rich = [each for each in cell if isinstance(each, dict)]
                add_rich(SubElement(line, "th" if is_head else "td"), rich, self._links)

    def _meeting(self, parent: Element, block: Block) -> None:
        title = plain_text(list_of(block.own, "title"))
        if title:
            add_text(SubElement(SubElement(parent, "p"), "strong"), title)
        self.add(parent, block.inside)

    # -- links ----------------------------------------------------------------------

    def _bookmark(self, parent: Element, block: Block) -> None:
        words = plain_text(list_of(block.own, "caption"))
        self._link(parent, text_of(block.own, "url"), words)

    def _file(self, parent: Element, block: Block) -> None:
        """Add a link to a file; an image of another place is shown as one."""
        words = plain_text(list_of(block.own, "caption"))
        external = text_of(part_of(block.own, "external"), "url")
        if block.kind == "image" and external:
            SubElement(SubElement(parent, "p"), "img", {"alt": words, "src": external})
            return
        name = words or text_of(block.own, "name") or block.kind.capitalize()
        self._link(parent, external or self._links.file(block.block_id), name)

    def _child(self, parent: Element, block: Block) -> None:
        title = " ".join(text_of(block.own, "title").split())
        words = title or self._links.title(block.block_id) or "Untitled"
        self._link(parent, self._links.page(block.block_id), words)

    def _link_to_page(self, parent: Element, block: Block) -> None:
        target = text_of(block.own, text_of(block.own, "type"))
        words = self._links.title(target) or "Linked page"
        self._link(parent, self._links.page(target), words)

    def _link(self, parent: Element, href: str, words: str) -> None:
        if href or words:
            made = SubElement(SubElement(parent, "p"), "a", {"href": href})
            add_text(made, words or href)

    def _caption(self, parent: Element, block: Block) -> None:
        caption = list_of(block.own, "caption")
        if caption:
            add_rich(SubElement(parent, "p"), caption, self._links)


def _add(parent: Element, tag: str) -> None:
    SubElement(parent, tag)
