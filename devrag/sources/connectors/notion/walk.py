"""Walks the tree of pages: what to read, what is as it was, what is gone.

Each page is visited once in a run. What lies in a page is known from its blocks, what
lies in a data source from its rows; what neither tells is asked for by its id. So pages
that search does not list are found, and those that are gone are told from those that it
left out.
"""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import chain

from devrag.core.errors import NotFound
from devrag.sources.connectors.notion.api import NotionApi
from devrag.sources.connectors.notion.moved import Moves, moved_text
from devrag.sources.connectors.notion.node import Node, is_elsewhere
from devrag.sources.connectors.notion.parents import Parents
from devrag.sources.connectors.notion.reader import PageReader, Reading
from devrag.sources.connectors.notion.state import State, attachments_of
from devrag.sources.connectors.notion.tree import MAX_DEPTH, Tree
from devrag.sources.connectors.pages.types import Batch, Item, Versions

_KNOWN_AT_A_TIME = 500


class Walk:
    """One run. is_whole: everything is listed, not only what changed lately.

    check_count: raises where there are too many pages to read.
    """

    def __init__(
        self,
        api: NotionApi,
        tree: Tree,
        reader: PageReader,
        parents: Parents,
        known: Versions,
        check_count: Callable[[int], None],
        *,
        is_whole: bool,
    ) -> None:
        self._api, self._tree, self._reader = api, tree, reader
        self._parents, self._known = parents, known
        self._check_count, self._is_whole = check_count, is_whole
        self._queue: deque[tuple[str, str]] = deque()
        self._seen: set[str] = set()
        self._read: set[str] = set()
        self._again: dict[str, None] = {}
        self._same: list[str] = []
        self._left: dict[str, str] = {}
        self._copied_by = _by_copy(tree.states)

    def visit(self, node_ids: Iterable[str]) -> Iterator[Batch]:
        """Visit pages with what lies below them, after what they lie in."""
        for node_id in node_ids:
            if node_id not in self._seen:
                yield from self._find(node_id)
                yield from self._drain()
        yield from self._read_again()
        yield self._same_batch()

    def move(self) -> Iterator[Batch]:
        """Put pages where they lie now, with links to them; nothing of it is read."""
        self._tree.settle()
        before = self._tree.states.items()
        now = {s.path: self._tree.path(i) for i, s in before if self._tree.has(i)}
        moves = Moves(now, self._left, self._reader.path_of)
        is_same = all(old == new for old, new in now.items()) and not self._left
        is_known = self._read <= self._tree.states.keys()
        others = () if is_same and is_known else self._tree.states
        for node_id in sorted({*others, *self._read}):
            if items := list(self._moved(node_id, moves)):
                yield Batch(items)

    def _moved(self, node_id: str, moves: Moves) -> Iterator[Item]:
        """Yield a page, with its files, if its path or text is another now."""
        item = self._known.item(node_id)
        state = State.read(item.version) if item else None
        path = self._tree.path(node_id)
        if item is None or state is None or not path:
            return
        place = self._reader.place(node_id)
        text = moved_text(item.text, state.path, path, moves, place)
        if (state.path, item.text) == (path, text):
            return
        parent = self._tree.parent(node_id)
        title = self._tree.title(node_id)
        version = replace(state, path=path, parent=parent, title=title).write()
        yield replace(item, version=version, path=f"{path}.md", text=text)
        for each in attachments_of(self._known, node_id):
            if state.path != path and (file := self._known.item(each)):
                name = posixpath.basename(file.path)
                yield replace(file, path=f"{path}/{name}")

    def rest(self, known: Iterable[str]) -> list[str]:
        """Return those of these pages that were not visited."""
        return sorted({*known} - self._seen)

    # -- one page -------------------------------------------------------------------

    def _find(self, node_id: str, *, is_moved: bool = False) -> Iterator[Batch]:
        """Put a page in the queue, after what it lies in; or it is gone."""
        found = self._parents.chain(node_id, is_moved=is_moved)
        if found is None:
            yield self._gone(node_id)
        else:
            self._queue.extend(found)

    def _drain(self) -> Iterator[Batch]:
        while self._queue:
            node_id, parent = self._queue.popleft()
            if node_id not in self._seen:
                yield from self._visit(node_id, parent)

    def _visit(self, node_id: str, parent: str) -> Iterator[Batch]:
        node = self._parents.node(node_id)
        if node is None:
            yield self._gone(node_id)
            return
        if is_elsewhere(node, parent):
            yield from self._find(node_id)
            return
        self._seen.add(node_id)
        state = self._tree.states.get(node_id)
        self._tree.place(node_id, node.title, parent)
        self._check_count(self._tree.count())
        if len(self._tree.titles_above(node_id)) >= MAX_DEPTH:
            yield Batch([_too_deep(node, self._tree)])
            return
        self._note_name(node_id, state)
        if self._reader.is_changed(node, state, is_whole=self._is_whole):
            yield from self._read_page(node, state)
        else:
            self._same += [node_id, *attachments_of(self._known, node_id)]
            if len(self._same) >= _KNOWN_AT_A_TIME:
                yield self._same_batch()
            self._push_below(node_id, state.children if state else ())
        yield from self._push_rows(node, state)

    def _read_page(self, node: Node, state: State | None) -> Iterator[Batch]:
        try:
            reading = self._reader.read(node)
        except NotFound:  # since it was listed
            yield self._gone(node.node_id)
            return
        self._read.add(node.node_id)
        yield self._batch(node, reading)
        for original in reading.originals:
            self._again.update(dict.fromkeys(self._copied_by.get(original, ())))
        before = state.children if state else ()
        missing = [each for each in before if each not in reading.children]
        self._push_below(node.node_id, reading.children)
        for child in missing:
            if child not in self._seen:
                yield from self._find(child, is_moved=True)

    def _push_below(self, node_id: str, children: Iterable[str]) -> None:
        """Go on with what lies in a page; in a window, with what is new."""
        for child in dict.fromkeys((*children, *self._tree.below(node_id))):
            if self._is_whole or child not in self._tree.states:
                self._queue.append((child, node_id))

    def _push_rows(self, node: Node, state: State | None) -> Iterator[Batch]:
        if node.kind == "data_source" and (self._is_whole or state is None):
            with suppress(NotFound):  # it went since it was listed
                for found in self._api.rows(node.node_id):
                    self._tree.add(found)
                    self._queue.extend((row.node_id, node.node_id) for row in found)
                    yield Batch()

    def _note_name(self, node_id: str, state: State | None) -> None:
        """Have what links to a page by its name read again when that is another."""
        parent = self._tree.parent(node_id)
        if state is not None and parent and state.path != self._tree.path(node_id):
            before, after = (
                each.rpartition("/")[2]
                for each in (state.path, self._tree.path(node_id))
            )
            if before != after:
                self._again[parent] = None

    def _read_again(self) -> Iterator[Batch]:
        """Read pages that show something of others that changed."""
        for node_id in list(self._again):
            node = self._parents.node(node_id)
            is_shown = self._tree.has(node_id) and node_id not in self._read
            if is_shown and node and node.kind == "page":
                self._seen.add(node_id)
                yield from self._read_page(node, self._tree.states.get(node_id))
        yield from self._drain()
        self._again.clear()

    # -- batches --------------------------------------------------------------------

    def _batch(self, node: Node, reading: Reading) -> Batch:
        """Return what was read of a page; files that it no longer has are gone."""
        there = {item.item_id for item in reading.items}
        before = attachments_of(self._known, node.node_id)
        return Batch(reading.items, gone=[each for each in before if each not in there])

    def _gone(self, node_id: str) -> Batch:
        """Forget a page with what lies below it."""
        self._seen.add(node_id)
        ids = [node_id]
        for each in ids:
            ids += self._tree.below(each)
            self._tree.remove(each)
        known = [each for each in ids if self._leave(each)]
        attached = (attachments_of(self._known, each) for each in known)
        return Batch(gone=[*known, *chain.from_iterable(attached)])

    def _leave(self, node_id: str) -> bool:
        """Forget what is remembered of a page; return whether anything was."""
        state = self._tree.states.pop(node_id, None)
        if state is not None:
            self._left[state.path] = self._reader.url(state.database or node_id)
        return state is not None

    def _same_batch(self) -> Batch:
        found, self._same = self._same, []
        return Batch(known=found)


def _by_copy(states: Mapping[str, State]) -> dict[str, list[str]]:
    """Return the pages that show a synced block of another one, by its id."""
    found: dict[str, list[str]] = {}
    for node_id, state in states.items():
        for original in state.copies:
            found.setdefault(original, []).append(node_id)
    return found


def _too_deep(node: Node, tree: Tree) -> Item:
    path = tree.path(node.node_id)
    state = State(node.edited, node.title, path, parent=tree.parent(node.node_id))
    reason = f"below more than {MAX_DEPTH} pages"
    return Item(node.node_id, state.write(), f"{path}.md", reason=reason)
