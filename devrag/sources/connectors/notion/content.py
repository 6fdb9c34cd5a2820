"""Reads the blocks of a page, with what is nested in them, within bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from devrag.core.errors import NotFound
from devrag.sources.connectors.notion.api import NotionApi
from devrag.sources.connectors.notion.node import plain_text
from devrag.sources.connectors.pages.failures import NotAccepted
from devrag.sources.connectors.pages.json_data import Json, list_of, part_of, text_of

_MAX_DEPTH = 30
# Requests for what is nested on one page: eleven minutes of Notion's rate.
_MAX_NESTED = 2_000
# What a block without words counts.
_BLOCK_SIZE = 10
_MAX_KEPT = 1_000
_PAGES = ("child_page", "child_database")
_FILES = frozenset({"file", "pdf", "image", "video", "audio"})


class TooLarge(Exception):
    """A page has more text or nested blocks than are read; its reason, as reported."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block with what is nested in it."""

    data: Json
    inside: tuple[Block, ...] = ()

    @property
    def block_id(self) -> str:
        """Return its id."""
        return text_of(self.data, "id")

    @property
    def kind(self) -> str:
        """Return its type, as the API names it."""
        return text_of(self.data, "type")

    @property
    def own(self) -> Json:
        """Return what a block of its type has."""
        return part_of(self.data, self.kind)


@dataclass(slots=True)
class Content:
    """The blocks of a page.

    pages, databases: those in it, as ids with titles, in their order. originals: synced
    blocks that others may show. copies: those of other pages that are shown here.
    files: blocks of files.
    """

    blocks: tuple[Block, ...] = ()
    pages: list[tuple[str, str]] = field(default_factory=list)
    databases: list[tuple[str, str]] = field(default_factory=list)
    originals: set[str] = field(default_factory=set)
    copies: set[str] = field(default_factory=set)
    files: list[Block] = field(default_factory=list)


class ContentReader:
    """Reads pages; keeps synced blocks, which several pages may show."""

    def __init__(self, api: NotionApi, max_text: int) -> None:
        self._api, self._max_text = api, max_text
        self._kept: dict[str, tuple[Block, ...]] = {}

    def read(self, page_id: str) -> Content:
        """Return a page's blocks; raises TooLarge."""
        one = _OnePage(self._api, self._max_text, self._kept)
        one.content.blocks = tuple(one.inside(page_id, 0))
        return one.content


class _OnePage:
    def __init__(
        self, api: NotionApi, max_text: int, kept: dict[str, tuple[Block, ...]]
    ) -> None:
        self._api, self._max_text, self._kept = api, max_text, kept
        self.content = Content()
        self._size = self._nested = 0
        self._shown: set[str] = set()
        self._in_copies = 0

    def inside(self, parent_id: str, depth: int) -> Iterator[Block]:
        for found in self._api.blocks(parent_id):
            self._count(found)
            for data in found:
                if data.get("in_trash") is not True:
                    yield self._block(data, depth)

    def _block(self, data: Json, depth: int) -> Block:
        block = Block(data)
        if block.kind in _PAGES:
            self._note_child(block)
            return block
        if block.kind in _FILES and not self._in_copies:
            self.content.files.append(block)
        if block.kind == "synced_block":
            return Block(data, self._synced(block, depth))
        if data.get("has_children") is not True or block.kind == "template":
            return block
        return Block(data, self._nested_in(block.block_id, depth))

    def _note_child(self, block: Block) -> None:
        if self._in_copies:
            return
        is_page = block.kind == "child_page"
        found = self.content.pages if is_page else self.content.databases
        found.append((block.block_id, text_of(block.own, "title")))

    def _synced(self, block: Block, depth: int) -> tuple[Block, ...]:
        """Return what a synced block shows, once on a page.

        One that shows itself, or what it stands in, shows nothing more.
        """
        of = text_of(part_of(block.own, "synced_from"), "block_id")
        original = of or block.block_id
        if original in self._shown:
            return ()
        self._shown.add(original)
        if not of:
            self.content.originals.add(original)
            found = self._nested_in(original, depth)
        else:
            self.content.copies.add(original)
            found = self._copied(block, original, depth)
        if len(self._kept) < _MAX_KEPT:
            self._kept[original] = found
        return found

    def _copied(self, block: Block, original: str, depth: int) -> tuple[Block, ...]:
        if original in self._kept:
            return self._kept[original]
        self._in_copies += 1  # its pages and files lie where the original does
        try:
            return self._nested_in(block.block_id, depth)
        finally:
            self._in_copies -= 1

    def _nested_in(self, block_id: str, depth: int) -> tuple[Block, ...]:
        """Return what is in a block; nothing where the API does not show it."""
        self._nested += 1
        if self._nested > _MAX_NESTED:
            raise TooLarge("too many nested blocks")
        if depth >= _MAX_DEPTH:
            return ()
        try:
            return tuple(self.inside(block_id, depth + 1))
        except (NotFound, NotAccepted):
            return ()

    def _count(self, found: list[Json]) -> None:
        self._size += sum(map(_size, found))
        if self._size > self._max_text:
            raise TooLarge("too large")


def _size(data: Json) -> int:
    """Return about how many characters of text a block has."""
    own = part_of(data, text_of(data, "type"))
    words = len(plain_text(list_of(own, "rich_text")))
    words += len(text_of(own, "expression"))
    cells = own.get("cells")
    for cell in cells if isinstance(cells, list) else ():
        words += len(plain_text([e for e in cell if isinstance(e, dict)]))
    return words + _BLOCK_SIZE
