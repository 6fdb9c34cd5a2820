"""Reads pages and data sources, and makes documents of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from devrag.core.hashing import sha256_hex
from devrag.sources.connectors.notion.address import NotionAddress
from devrag.sources.connectors.notion.api import NotionApi
from devrag.sources.connectors.notion.attachments import attachment_items
from devrag.sources.connectors.notion.choice import Choice
from devrag.sources.connectors.notion.content import Content, ContentReader, TooLarge
from devrag.sources.connectors.notion.document import (
    page_facts,
    write_data_source,
    write_page,
)
from devrag.sources.connectors.notion.links import NodeLinks, linked_page
from devrag.sources.connectors.notion.node import Node, is_elsewhere
from devrag.sources.connectors.notion.properties import (
    columns,
    read_facts,
    shown_values,
    values_mark,
)
from devrag.sources.connectors.notion.state import State
from devrag.sources.connectors.notion.tree import UNTITLED, Tree
from devrag.sources.connectors.pages.failures import NotAccepted
from devrag.sources.connectors.pages.json_data import Json, mark_of, part_of, text_of
from devrag.sources.connectors.pages.types import Item
from devrag.sources.documents import DocumentFacts, read_time

# Times of the API have no seconds: what changes in the minute it was read in looks as
# it did before.
_UNSETTLED = timedelta(minutes=2)
# On how many days comments of all pages are looked at once.
_DAYS = 7
# What one odd page may raise; the others are read all the same.
_UNWRITABLE = (ValueError, ArithmeticError, LookupError, TypeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Reading:
    """A page as it was read: its items, and what to do about others.

    children: what lies in it, by id. originals: its synced blocks, which other pages
    may show.
    """

    items: Sequence[Item]
    state: State
    originals: frozenset[str] = frozenset()

    @property
    def children(self) -> tuple[str, ...]:
        """Return the ids of pages and data sources in its blocks."""
        return self.state.children


class PageReader:
    """Reads pages of a tree. now: the server's time at which the run began."""

    def __init__(
        self,
        api: NotionApi,
        address: NotionAddress,
        choice: Choice,
        tree: Tree,
        *,
        workspace: str,
        now: datetime,
    ) -> None:
        self._api, self._address, self._choice = api, address, choice
        self._tree, self._workspace, self._now = tree, workspace, now
        self._contents = ContentReader(api, choice.max_text)

    def is_changed(self, node: Node, state: State | None, *, is_whole: bool) -> bool:
        """Return whether a page is to be read. is_whole: everything is being listed."""
        if state is None or not state.is_settled or state.edited != node.edited:
            return True
        if state.values != _values_mark(node):
            return True
        if not (is_whole and self._choice.comments and node.kind == "page"):
            return False
        is_due = int(sha256_hex(node.node_id)[:8], 16) % _DAYS == (
            self._now.toordinal() % _DAYS
        )
        return is_due and state.comments != _mark(self._api.comments(node.node_id))

    def read(self, node: Node) -> Reading:
        """Read a page or data source that has its place in the tree.

        Raises NotFound for one that is gone meanwhile.
        """
        if node.kind == "data_source":
            return self._read_data_source(node)
        comments = self._api.comments(node.node_id) if self._choice.comments else []
        try:
            content = self._contents.read(node.node_id)
        except TooLarge as error:
            return self._left_out(node, str(error))
        except (NotAccepted, *_UNWRITABLE) as error:
            return self._left_out(node, f"cannot be read ({type(error).__name__})")
        children = list(self._children(node, content))
        state = self._state(node, children, content, _mark(comments))
        files = self._files(node, content)
        try:
            text = self._text(node, content, comments, files)
        except _UNWRITABLE as error:
            reason = f"cannot be converted ({type(error).__name__})"
            items = [self._item(node, state, reason=reason), *files]
        else:
            items = [self._item(node, state, text), *files]
        return Reading(items, state, frozenset(content.originals))

    # -- parts ----------------------------------------------------------------------

    def _left_out(self, node: Node, reason: str) -> Reading:
        state = self._state(node)
        return Reading([self._item(node, state, reason=reason)], state)

    def _read_data_source(self, node: Node) -> Reading:
        links = NodeLinks(self._address, self._tree, node.node_id, {})
        facts = page_facts(
            node,
            place=self.place(node.node_id),
            known=read_facts({}, {}),
            author=self._author(node),
            url=self.url(node.database_id or node.node_id),
        )
        found = columns(part_of(node.data, "properties"))
        text = write_data_source(node, facts, columns=found, links=links)
        state = self._state(node)
        return Reading([self._item(node, state, text)], state)

    def _text(
        self,
        node: Node,
        content: Content,
        comments: Sequence[Json],
        files: Sequence[Item],
    ) -> str:
        properties = part_of(node.data, "properties")
        read = {
            item.item_id.partition("/")[2]: item.path
            for item in files
            if not item.reason
        }
        facts = page_facts(
            node,
            place=self.place(node.node_id),
            known=read_facts(properties, self._schema(node)),
            author=self._author(node),
            url=self.url(node.database_id or node.node_id),
        )
        return write_page(
            node,
            facts,
            values=shown_values(properties, self._tree.titles),
            blocks=content.blocks,
            comments=comments,
            links=NodeLinks(self._address, self._tree, node.node_id, read),
        )

    def _files(self, node: Node, content: Content) -> list[Item]:
        if not self._choice.attachments:
            return []
        path = self._tree.path(node.node_id)
        owner = DocumentFacts(
            node.title or UNTITLED,
            place=self.place(node.node_id),
            url=self.url(node.database_id or node.node_id),
        )
        properties = part_of(node.data, "properties")
        return list(attachment_items(node, owner, path, content.files, properties))

    def _children(self, node: Node, content: Content) -> Iterator[str]:
        """Give what lies in a page its place, so that links to it are known.

        Of a database, its data sources do. A view of one shows those of another place,
        or, as far as the API tells, none.
        """
        for page_id, title in content.pages:
            self._tree.place(page_id, title, node.node_id)
            yield page_id
        for database_id, _ in content.databases:
            known = self._tree.sources_of(database_id)
            for source_id in known or self._api.database(database_id) or ():
                found = self._source(source_id)
                self._tree.note_database(database_id, source_id)
                if found and not is_elsewhere(found, node.node_id):
                    self._tree.place(source_id, found.title, node.node_id)
                    yield source_id

    def _source(self, source_id: str) -> Node | None:
        if source_id not in self._tree.nodes:
            found = self._api.data_source(source_id)
            self._tree.add([found] if found else [])
        return self._tree.nodes.get(source_id)

    def _state(
        self,
        node: Node,
        children: Sequence[str] = (),
        content: Content | None = None,
        comments: str = "",
    ) -> State:
        edited = read_time(node.edited)
        return State(
            node.edited,
            node.title,
            self._tree.path(node.node_id),
            parent=self._tree.parent(node.node_id),
            children=tuple(dict.fromkeys(children)),
            copies=tuple(sorted(content.copies)) if content else (),
            database=node.database_id,
            values=_values_mark(node),
            comments=comments,
            is_settled=edited is None or self._now - edited > _UNSETTLED,
        )

    def _item(
        self, node: Node, state: State, text: str = "", *, reason: str = ""
    ) -> Item:
        path = f"{state.path}.md"
        return Item(node.node_id, state.write(), path, text, reason=reason)

    def place(self, node_id: str) -> tuple[str, ...]:
        """Return the titles of what a page lies in, the workspace first."""
        above = self._tree.titles_above(node_id)
        return (self._workspace, *above) if self._workspace else above

    def _author(self, node: Node) -> str:
        by = part_of(node.data, "created_by")
        return text_of(by, "name") or self._api.user_names().get(text_of(by, "id"), "")

    def path_of(self, url: str) -> str:
        """Return the path of a page by its address, '' for one that is not read."""
        return self._tree.path_of(linked_page(url, self._address))

    def url(self, page_id: str) -> str:
        """Return an address of a page or database that stays when it is renamed."""
        return self._address.page(page_id)

    def _schema(self, node: Node) -> Json:
        """Return the properties of the data source that a page is in."""
        if node.parent_kind != "data_source_id":
            return {}
        found = self._source(node.parent_id)
        return part_of(found.data, "properties") if found else {}


def _values_mark(node: Node) -> str:
    return values_mark(part_of(node.data, "properties")) if node.kind == "page" else ""


def _mark(comments: Sequence[Json]) -> str:
    found = [(text_of(e, "id"), text_of(e, "last_edited_time")) for e in comments]
    return mark_of(found) if found else ""
