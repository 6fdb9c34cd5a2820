"""Groups files and documents by what they have to do with each other.

Louvain's communities (Blondel et al. 2008) of their graph are the topics. Too big ones
are divided, too small ones join the group that they are tied to most. A big group whose
files fall into clear parts is a topic with further ones below it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from devrag.wiki.analysis.topics.joining import join_small, weights_between
from devrag.wiki.analysis.topics.ties import Material, new_graph, tie_material

if TYPE_CHECKING:
    import networkx as nx

_SEED = 1
_RESOLUTIONS = (0.4, 0.6, 0.8, 1.0, 1.25, 1.6, 2.0, 2.6, 3.4, 4.5, 6.0)
_FEWEST_GROUPS, _MOST_GROUPS, _MOST_TOPICS = 8, 18, 28
_FILES_PER_GROUP = 4  # of a small product, on average at most
_LEAST_FILES_PER_GROUP = 1.5
_LARGEST_SHARE = 1 / 3
_SMALLEST_SHARE = 0.02
_USUAL_FILES = 1.5  # in a group of a small product
_USUAL_GROUPS, _UNUSUAL_COST = 1.8, 0.1  # about 8 of 20 files, 18 of 100
_DIVIDED_FILES, _DIVIDED_LINES, _DIVIDED_SHARE = 8, 1500, 0.1
_MOST_PARTS = 5
_PART_SHARE = 0.25  # of its group's lines, at least this fraction of a fair share
_CORE_SHARE = 0.15  # of its lines a divided group keeps at least
_LEAST_MODULARITY = 0.2


@dataclass(frozen=True, slots=True)
class Group:
    """Files and documents of one topic. parts: the groups it is divided into.

    files, documents: also those of the parts.
    """

    files: tuple[int, ...]
    documents: tuple[int, ...]
    parts: tuple[Group, ...] = ()

    def with_group(self, other: Group) -> Group:
        """Return both as one group."""
        files, documents = self.files + other.files, self.documents + other.documents
        return Group(files, documents, self.parts + other.parts)


class Grouping:
    """Groups of what is tied; they do not depend on the order of the material."""

    def __init__(self, material: Material) -> None:
        self._ties = tie_material(material)

    def groups(self) -> list[Group]:
        """Return the groups, each file in exactly one, by their first file."""
        count = len(self._ties.members)
        if not count:
            return []
        few = math.ceil(count / _FILES_PER_GROUP)
        many = math.ceil(count / _LEAST_FILES_PER_GROUP)
        fewest, most = min(_FEWEST_GROUPS, few), min(_MOST_GROUPS, many)
        found = self._communities(self._ties.graph, fewest, most)
        found = self._divide_large(found)
        found = join_small(self._ties, found, _SMALLEST_SHARE, most)
        return sorted((self._group(nodes) for nodes in found), key=self._place)

    def divided(self, groups: Sequence[Group]) -> list[Group]:
        """Return the groups with their parts: big ones have some, as far as clear."""
        left = _MOST_TOPICS - len(groups)
        found = []
        for group in sorted(groups, key=lambda g: (-self._share(g), self._place(g))):
            parts = [self._group(nodes) for nodes in self._clear_parts(group)]
            parts = sorted(parts, key=self._place) if len(parts) <= left else []
            left -= len(parts)
            found.append(replace(group, parts=tuple(parts)))
        return sorted(found, key=self._place)

    def _share(self, group: Group) -> float:
        return self._ties.share(self._nodes(group))

    def _nodes(self, group: Group) -> set[int]:
        """Return the nodes of a group's files and documents."""
        nodes = {self._ties.node_of[file] for file in group.files}
        return nodes | {self._ties.node_of_document(d) for d in group.documents}

    def _communities(self, graph: nx.Graph, fewest: int, most: int) -> list[set[int]]:
        """Return the best division of a graph into about so many groups."""
        graph = _ordered(graph)
        count = len(self._ties.own(graph))
        wanted = min(_USUAL_GROUPS * math.sqrt(count), count / _USUAL_FILES)
        usual = min(most, max(fewest, wanted))
        best: tuple[tuple[int, float], list[set[int]]] | None = None
        for found in self._trials(graph, usual):
            counted = sum(1 for n in found if self._ties.share(n) >= _SMALLEST_SHARE)
            off = max(fewest - counted, counted - most, 0)
            unusual = abs(math.log(max(counted, 1) / usual))
            score = (-off, _modularity(graph, found) - _UNUSUAL_COST * unusual)
            if best is None or score > best[0]:
                best = score, found
        return best[1] if best else []

    def _trials(self, graph: nx.Graph, usual: float) -> Iterable[list[set[int]]]:
        """Yield divisions, each time nearer to the usual number of groups."""
        low, high = 0, len(_RESOLUTIONS) - 1
        while low <= high:
            middle = (low + high) // 2
            found = self._louvain(graph, _RESOLUTIONS[middle])
            yield found
            counted = sum(1 for n in found if self._ties.share(n) >= _SMALLEST_SHARE)
            low, high = (middle + 1, high) if counted < usual else (low, middle - 1)

    def _louvain(self, graph: nx.Graph, resolution: float) -> list[set[int]]:
        if not graph.size():
            return [{node} for node in self._ties.own(graph)]
        from networkx.algorithms import community  # noqa: PLC0415

        found: list[set[int]] = community.louvain_communities(
            graph, resolution=resolution, seed=_SEED
        )
        return [nodes for nodes in found if self._ties.own(nodes)]

    def _divide_large(self, groups: Sequence[set[int]]) -> list[set[int]]:
        found: list[set[int]] = []
        for nodes in groups:
            least = max(_LARGEST_SHARE, _DIVIDED_LINES / self._ties.total)
            is_large = self._ties.share(nodes) > least
            parts = self._parts(nodes, 2, _MOST_PARTS) if is_large else []
            found.extend(parts if len(parts) > 1 else [nodes])
        return found

    def _parts(self, nodes: set[int], fewest: int, most: int) -> list[set[int]]:
        return self._communities(self._ties.graph.subgraph(nodes), fewest, most)

    def _first(self, nodes: Iterable[int]) -> int:
        files = self._ties.files_of(nodes)
        return self._ties.order[files[0]] if files else -1

    def _clear_parts(self, group: Group) -> list[set[int]]:
        """Return what a big group falls into beside its core, nothing if unclear."""
        nodes = self._nodes(group)
        total = self._ties.share(nodes)
        least = max(_DIVIDED_SHARE, _DIVIDED_LINES / self._ties.total)
        if total < least or len(self._ties.own(nodes)) < _DIVIDED_FILES:
            return []
        inside = self._ties.with_common_nodes(nodes)
        found = self._parts(inside, 2, _MOST_PARTS)
        if _modularity(self._ties.graph.subgraph(inside), found) < _LEAST_MODULARITY:
            return []
        fair = _PART_SHARE * total / min(_MOST_PARTS, max(1, len(found)))
        found = join_small(self._ties, found, 0.0, _MOST_PARTS)
        big = [part for part in found if self._ties.share(part) >= fair]
        if big and total - sum(map(self._ties.share, big)) < _CORE_SHARE * total:
            big.remove(
                max(big, key=lambda p: (self._ties_within(p, big), -self._first(p)))
            )
        return big

    def _ties_within(self, part: set[int], parts: Sequence[set[int]]) -> float:
        others = [other for other in parts if other is not part]
        home = {node: n for n, nodes in enumerate(others) for node in nodes}
        return sum(weights_between(self._ties, part, home).values())

    def _group(self, nodes: Iterable[int]) -> Group:
        files, documents = self._ties.files_of(nodes), self._ties.documents_of(nodes)
        return Group(tuple(files), tuple(documents))

    def _place(self, group: Group) -> int:
        return self._ties.order[group.files[0]]


def _ordered(graph: nx.Graph) -> nx.Graph:
    """Return a copy whose nodes and edges are in the order of their numbers."""
    found = new_graph()
    found.add_nodes_from(sorted(graph))
    found.add_edges_from(sorted(graph.edges(data=True), key=lambda e: sorted(e[:2])))
    return found


def _modularity(graph: nx.Graph, groups: Sequence[set[int]]) -> float:
    if not graph.size():
        return 0.0
    inside = {node for nodes in groups for node in nodes}
    rest = [{node} for node in graph if node not in inside]
    from networkx.algorithms import community  # noqa: PLC0415

    return float(community.modularity(graph, [*groups, *rest]))
