"""The pages and data sources that are read, as a tree with a path for each."""

from __future__ import annotations

import posixpath
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping

from devrag.core.hashing import sha256_hex
from devrag.sources.connectors.notion.node import Node
from devrag.sources.connectors.notion.state import State
from devrag.sources.connectors.pages.names import file_name

MAX_DEPTH = 60
UNTITLED = "Untitled"


class Tree:
    """Where pages lie: what earlier runs remember, and what this one found.

    states: of earlier runs, by id. nodes: what answers of this run hold. Paths are
    without an ending; a page whose path is taken gets a part of its id behind the name
    and keeps it.
    """

    def __init__(self, states: dict[str, State]) -> None:
        self.states = states
        self.nodes: dict[str, Node] = {}
        self._parents: dict[str, str] = {}
        self._titles: dict[str, str] = {}
        self._paths: dict[str, str] = {}
        self._taken: dict[str, str] = {}
        self._below: defaultdict[str, set[str]] = defaultdict(set)
        self._sources: defaultdict[str, list[str]] = defaultdict(list)
        for each, state in states.items():
            self._put(each, state.parent, state.title, state.path)
            self.note_database(state.database, each)

    def add(self, nodes: Iterable[Node]) -> None:
        """Note what an answer holds; the last one counts."""
        for node in nodes:
            if not node.is_gone:
                self.nodes[node.node_id] = node
                self.note_database(node.database_id, node.node_id)

    def place(self, node_id: str, title: str, parent: str) -> str:
        """Put a page below another one ('' = at the top); return its path."""
        title = " ".join(title.split()) or UNTITLED
        above = self._paths.get(parent, "")
        plain = "/".join(filter(None, (above, file_name(title))))
        marked = f"{plain} ({sha256_hex(node_id)[:8]})"
        is_free = self._taken.get(plain, node_id) == node_id
        is_marked = self._paths.get(node_id) == marked or not is_free
        self.remove(node_id)
        return self._put(node_id, parent, title, marked if is_marked else plain)

    def tops(self) -> list[str]:
        """Return the pages that lie in nothing else that is known."""
        known = {*self.nodes, *self.states, *self._sources}
        return [
            node.node_id
            for node in self.nodes.values()
            if node.parent_kind != "block_id" and node.parent_id not in known
        ]

    def lay_out(self, roots: Iterable[str]) -> None:
        """Place what is known to lie below these, so that links to it are known.

        What lies in a block of a page is placed when that page is read.
        """
        below: defaultdict[str, list[Node]] = defaultdict(list)
        for each in sorted(self.nodes.values(), key=lambda e: (e.created, e.node_id)):
            for parent in (each.parent_id, *self.sources_of(each.parent_id)):
                below[parent].append(each)
        waiting = deque((each, "") for each in roots)
        seen: set[str] = set()
        while waiting:
            node_id, parent = waiting.popleft()
            if node_id not in seen and (node := self.nodes.get(node_id)):
                seen.add(node_id)
                self.place(node_id, node.title, parent)
                waiting += ((each.node_id, node_id) for each in below[node_id])

    def settle(self) -> None:
        """Let what lies below a page have a path below that of the page."""
        waiting = deque((each, "") for each in self.below(""))
        seen: set[str] = set()
        while waiting:
            node_id, above = waiting.popleft()
            if node_id in seen:
                continue
            seen.add(node_id)
            path = self._paths[node_id]
            if posixpath.dirname(path) != above:
                title, parent = self._titles[node_id], self._parents[node_id]
                path = self.place(node_id, title, parent)
            waiting += ((each, path) for each in self.below(node_id))

    def remove(self, node_id: str) -> None:
        """Forget where a page lies."""
        path = self._paths.pop(node_id, "")
        if self._taken.get(path) == node_id:
            del self._taken[path]
        self._below[self._parents.pop(node_id, "")].discard(node_id)

    def _put(self, node_id: str, parent: str, title: str, path: str) -> str:
        self._parents[node_id], self._titles[node_id] = parent, title
        self._paths[node_id] = path
        self._taken[path] = node_id
        self._below[parent].add(node_id)
        return path

    @property
    def titles(self) -> Mapping[str, str]:
        """Return the titles of pages that are known, by id."""
        return self._titles

    def count(self) -> int:
        """Return how many pages and data sources lie in the tree."""
        return len(self._paths)

    def has(self, node_id: str) -> bool:
        """Return whether a page lies in the tree, by this run or an earlier one."""
        return node_id in self._paths

    def path(self, node_id: str) -> str:
        """Return a page's path without its ending, '' for one not in the tree."""
        return self._paths.get(node_id, "")

    def parent(self, node_id: str) -> str:
        """Return the id of what a page lies in, '' at the top."""
        return self._parents.get(node_id, "")

    def title(self, node_id: str) -> str:
        """Return the title of a page or database, '' for an unknown one."""
        ids = (node_id, *self._sources.get(node_id, ()))
        return next(filter(None, map(self._titles.get, ids)), "")

    def titles_above(self, node_id: str) -> tuple[str, ...]:
        """Return the titles of what a page lies in, outermost first."""
        found: list[str] = []
        parent = self.parent(node_id)
        while parent and len(found) < MAX_DEPTH:
            found.insert(0, self._titles.get(parent, UNTITLED))
            parent = self.parent(parent)
        return tuple(found)

    def below(self, node_id: str) -> list[str]:
        """Return the ids of what lies directly below a page."""
        return sorted(self._below[node_id])

    def sources_of(self, database_id: str) -> list[str]:
        """Return the ids of the data sources of a database that are known."""
        return self._sources.get(database_id, [])

    def link(self, target: str, path: str) -> str:
        """Return a relative address of a page or database; '' for an unknown one.

        path: of the page that the link stands on.
        """
        found = self.path_of(target)
        if not found:
            return ""
        return posixpath.relpath(f"{found}.md", posixpath.dirname(path) or ".")

    def path_of(self, target: str) -> str:
        """Return the path of a page or database, '' for one not in the tree."""
        ids = (target, *self.sources_of(target))
        return next(filter(None, map(self._paths.get, ids)), "")

    def note_database(self, database_id: str, source_id: str) -> None:
        """Note that a data source belongs to a database."""
        if database_id and source_id not in self._sources[database_id]:
            self._sources[database_id].append(source_id)
