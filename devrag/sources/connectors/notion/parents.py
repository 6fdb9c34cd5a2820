"""What a page lies in, as far up as it is asked for, and whether that is read."""

from __future__ import annotations

from collections.abc import Iterable

from devrag.sources.connectors.notion.api import NotionApi
from devrag.sources.connectors.notion.node import Node, parent_of
from devrag.sources.connectors.notion.tree import MAX_DEPTH, Tree

Chain = list[tuple[str, str]]


class Parents:
    """Finds pages and what they lie in. Each is asked for once.

    roots: ids of the page or data sources that are read with what lies below them;
    none where everything is read that is shared. is_whole: what earlier runs remember
    is not taken for granted.
    """

    def __init__(
        self, api: NotionApi, tree: Tree, roots: Iterable[str], *, is_whole: bool
    ) -> None:
        self._api, self._tree, self._is_whole = api, tree, is_whole
        self._roots = frozenset(roots)
        self._absent: set[str] = set()
        self._of_block: dict[str, tuple[str, str]] = {}

    def node(self, node_id: str) -> Node | None:
        """Return a page or data source; None for one that is gone or not shared."""
        if node_id in self._tree.nodes:
            return self._tree.nodes[node_id]
        if node_id in self._absent:
            return None
        state = self._tree.states.get(node_id)
        is_source = bool(state and state.database)
        kinds = [self._api.page, self._api.data_source]
        for ask in reversed(kinds) if is_source else kinds:
            if node := ask(node_id):
                self._tree.add([node])
                return node
            if state is not None:
                break  # its kind is known
        self._absent.add(node_id)
        return None

    def chain(self, node_id: str, *, is_moved: bool = False) -> Chain | None:
        """Return the pages to visit for one, outermost first, and what each lies in.

        None where it is gone, or does not lie below what is read. What has its place in
        the tree ends the chain. is_moved: where it was before does not count.
        """
        found: Chain = []
        seen = {node_id}
        at = node_id
        while len(found) < MAX_DEPTH:
            node = self.node(at)
            if node is None:
                return None
            if at in self._roots:
                found.append((at, ""))
                break
            parent = self._parent(node, is_moved=is_moved)
            if not parent or parent in seen:  # at the top, or a tree that is a circle
                if self._roots:
                    return None
                found.append((at, ""))
                break
            found.append((at, parent))
            if self._tree.has(parent):
                break
            seen.add(parent)
            at = parent
        return found[::-1]

    def _parent(self, node: Node, *, is_moved: bool) -> str:
        """Return the id of what a page lies in; '' at the top, or not shared."""
        kind, parent_id = node.parent_kind, node.parent_id
        if kind == "block_id":
            if not is_moved and (known := self._tree.parent(node.node_id)):
                return known
            kind, parent_id = self._around(parent_id)
        if kind == "database_id":
            sources = self._tree.sources_of(parent_id) or self._api.database(parent_id)
            parent_id = next(iter(sources or ()), "")
        if not parent_id:
            return ""
        is_known = not self._is_whole and self._tree.has(parent_id)
        return parent_id if is_known or self.node(parent_id) else ""

    def _around(self, block_id: str) -> tuple[str, str]:
        """Return the page or database that a block is in, as kind and id."""
        asked: list[str] = []
        kind, at = "block_id", block_id
        while kind == "block_id" and at not in asked and len(asked) < MAX_DEPTH:
            if at in self._of_block:
                kind, at = self._of_block[at]
                break
            asked.append(at)
            kind, at = parent_of(self._api.parent_of_block(at))
        found = ("", "") if kind == "block_id" else (kind, at)
        self._of_block.update(dict.fromkeys(asked, found))
        return found
