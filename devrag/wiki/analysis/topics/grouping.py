"""Groups files and documents by what they have to do with each other.

One graph holds files, documents and directories. Files are tied by their uses of each
other, documents to the files they name, and all to their directory, weakly. Louvain's
communities (Blondel et al. 2008) of it are the topics: too big ones are divided, too
small ones join the group that they are tied to most.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import networkx as nx

from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.words import SHARED_STEMS

_SEED = 1
_RESOLUTIONS = (0.4, 0.6, 0.8, 1.0, 1.25, 1.6, 2.0, 2.6, 3.4, 4.5, 6.0)
_FEWEST_GROUPS, _MOST_GROUPS = 8, 24
_FILES_PER_GROUP = 4  # of a small product, on average at most
_LEAST_FILES_PER_GROUP = 1.5
_HUB_SHARE = 0.25
_FEWEST_OF_HUB = 6
_OWN_USERS = 2
_LARGEST_SHARE = 1 / 3
_SMALLEST_SHARE = 0.02
_USUAL_GROUPS, _UNUSUAL_COST = 1.7, 0.15  # about 8 of 20 files, 17 of 100
_DOCUMENT_WEIGHT = 3.0
_FOLDER_WEIGHT, _PARENT_WEIGHT = 1.0, 0.3
_FOLDER_FILES = 12  # in a directory with more, lying beside each other says less
_DIVIDED_FILES, _DIVIDED_SHARE = 10, 0.08
_CHILD_SHARE = 0.25  # of its parent's lines, at least this fraction of a fair share
_LEAST_MODULARITY = 0.2
_MOST_NODES = 3000  # above, a directory is one node


@dataclass(frozen=True, slots=True)
class Group:
    """Files and documents of one topic. parts: the groups it is divided into."""

    files: tuple[int, ...]
    documents: tuple[int, ...]
    parts: tuple[Group, ...] = ()


@dataclass(frozen=True, slots=True)
class Material:
    """What is grouped.

    files: code. edges: file → file → number of uses. mentions: per document, file →
    share. words: per document. folders: per document, its source and directory.
    """

    files: Sequence[SurveyFile]
    edges: Mapping[int, Mapping[int, float]]
    mentions: Sequence[Mapping[int, float]] = ()
    folders: Sequence[tuple[str, str]] = ()


def group_material(material: Material) -> list[Group]:
    """Return the groups, each file in exactly one, by their first file."""
    return _Grouping(material).groups()


class _Grouping:
    def __init__(self, material: Material) -> None:
        self._material = material
        files = sorted(material.files, key=lambda f: (f.source, f.path))
        self._files = {file.id: file for file in files}
        self._order = {file.id: place for place, file in enumerate(files)}
        # Nodes are numbers: sets of them have the same order in every process.
        self._members = _file_nodes(files)
        self._node = {i: node for node, ids in self._members.items() for i in ids}
        self._documents = {
            len(self._members) + n: n for n in range(len(material.mentions))
        }
        self._lines = max(1, sum(file.lines for file in files))
        self._graph = self._tied()

    def groups(self) -> list[Group]:
        if not self._members:
            return []
        few = math.ceil(len(self._members) / _FILES_PER_GROUP)
        many = math.ceil(len(self._members) / _LEAST_FILES_PER_GROUP)
        fewest, most = min(_FEWEST_GROUPS, few), min(_MOST_GROUPS, many)
        found = self._communities(self._graph, fewest, most)
        found = self._join_small(self._divide_large(found))
        groups = [self._group(nodes) for nodes in found]
        return sorted(groups, key=lambda g: self._order[g.files[0]])

    def _tied(self) -> nx.Graph:
        graph = nx.Graph()
        graph.add_nodes_from(self._members)
        for a, b, weight in self._telling_edges():
            known = graph.get_edge_data(a, b, {"weight": 0.0})["weight"]
            graph.add_edge(a, b, weight=known + weight)
        for node, number in self._documents.items():
            for file, share in self._material.mentions[number].items():
                if file in self._node:
                    weight = _DOCUMENT_WEIGHT * share
                    graph.add_edge(node, self._node[file], weight=weight)
        self._tie_folders(graph)
        return graph

    def _tie_folders(self, graph: nx.Graph) -> None:
        """Tie nodes to their directory, and directories to the one above."""
        homes: dict[tuple[str, str], list[int]] = defaultdict(list)
        for node, ids in self._members.items():
            file = self._files[ids[0]]
            homes[file.source, file.directory].append(node)
        for node, number in self._documents.items():
            if self._material.mentions[number]:
                homes[self._material.folders[number]].append(node)
        first = len(self._members) + len(self._documents)
        numbers = {home: first + n for n, home in enumerate(sorted(homes))}
        total = sum(map(len, homes.values()))
        for home, number in numbers.items():
            beside = len(homes[home])
            is_telling = (1 - beside / total) ** 2  # not where nearly all lie together
            weight = _FOLDER_WEIGHT * min(1.0, _FOLDER_FILES / beside) * is_telling
            graph.add_weighted_edges_from((number, n, weight) for n in homes[home])
            source, folder = home
            above = numbers.get((source, folder.rpartition("/")[0]))
            if folder and above is not None:
                graph.add_edge(number, above, weight=_PARENT_WEIGHT)

    def _telling_edges(self) -> Iterator[tuple[int, int, float]]:
        """Yield node, node, weight of uses that tell what belongs together.

        What most others use holds all of them together, and so does what uses most
        others; but what hardly anything else uses belongs to its user.
        """
        users: dict[int, set[int]] = defaultdict(set)
        used: dict[int, set[int]] = defaultdict(set)
        weights: dict[tuple[int, int], float] = defaultdict(float)
        for source, targets in sorted(self._material.edges.items()):
            for target, uses in sorted(targets.items()):
                a, b = self._node.get(source), self._node.get(target)
                if a is not None and b is not None and a != b:
                    users[b].add(a)
                    used[a].add(b)
                    weights[a, b] += math.log1p(uses)
        limit = max(_FEWEST_OF_HUB, _HUB_SHARE * len(self._members))
        for (a, b), weight in weights.items():
            is_own = len(users[b]) <= _OWN_USERS
            is_common = len(users[b]) > limit or self._is_shared(b)
            if is_own or not (is_common or len(used[a]) > limit):
                yield a, b, weight

    def _is_shared(self, node: int) -> bool:
        """Return whether a file by its name serves all others: `utils`, `types`."""
        stems = {self._files[i].stem.strip("_").lower() for i in self._members[node]}
        return stems <= SHARED_STEMS

    def _communities(self, graph: nx.Graph, fewest: int, most: int) -> list[set[int]]:
        """Return the best division of a graph into about so many groups."""
        graph = _ordered(graph)
        best: tuple[tuple[int, float], list[set[int]]] | None = None
        for resolution in _RESOLUTIONS:
            found = self._louvain(graph, resolution)
            counted = sum(1 for nodes in found if self._is_counted(nodes))
            off = max(fewest - counted, counted - most, 0)
            usual = min(most, _USUAL_GROUPS * math.sqrt(len(graph)))
            unusual = abs(math.log(max(counted, 1) / usual))
            score = (-off, _modularity(graph, found) - _UNUSUAL_COST * unusual)
            if best is None or score > best[0]:
                best = score, found
        return best[1] if best else []

    def _louvain(self, graph: nx.Graph, resolution: float) -> list[set[int]]:
        if not graph.size():
            return [{node} for node in graph if node in self._members]
        found: list[set[int]] = nx.community.louvain_communities(
            graph, resolution=resolution, seed=_SEED
        )
        return [nodes for nodes in found if any(n in self._members for n in nodes)]

    def _documents_of(self, nodes: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted(self._documents[n] for n in nodes if n in self._documents))

    def _is_counted(self, nodes: Iterable[int]) -> bool:
        return self._share(nodes) >= _SMALLEST_SHARE

    def _ids(self, nodes: Iterable[int]) -> list[int]:
        found = [i for node in nodes for i in self._members.get(node, ())]
        return sorted(found, key=self._order.__getitem__)

    def _share(self, nodes: Iterable[int]) -> float:
        return sum(self._files[i].lines for i in self._ids(nodes)) / self._lines

    def _divide_large(self, groups: Sequence[set[int]]) -> list[set[int]]:
        found: list[set[int]] = []
        for nodes in groups:
            if self._share(nodes) > _LARGEST_SHARE and len(nodes) > 2:
                parts = self._communities(self._graph.subgraph(nodes), 2, 4)
                found.extend(parts if len(parts) > 1 else [nodes])
            else:
                found.append(nodes)
        return found

    def _join_small(self, groups: Sequence[set[int]]) -> list[set[int]]:
        """Let each group below the smallest share join the one it is tied to most."""
        held = [set(nodes) for nodes in groups]
        while len(held) > 1:
            least = min(held, key=lambda nodes: (self._share(nodes), self._key(nodes)))
            if self._share(least) >= _SMALLEST_SHARE:
                break
            held.remove(least)
            self._closest(least, held).update(least)
        return held

    def _closest(self, nodes: set[int], groups: Sequence[set[int]]) -> set[int]:
        home = {node: n for n, members in enumerate(groups) for node in members}
        ties: Counter[int] = Counter()
        for node in sorted(nodes):
            for other, data in self._graph[node].items():
                if other in home:
                    ties[home[other]] += data["weight"]
        if ties:
            return groups[min(ties, key=lambda n: (-ties[n], n))]
        return max(
            groups, key=lambda g: (self._neighbourhood(nodes, g), self._share(g))
        )

    def _neighbourhood(self, nodes: Iterable[int], others: Iterable[int]) -> int:
        """Return how much of their paths two groups have in common at most."""
        pairs = product(self._homes(nodes), self._homes(others))
        return max((_common(one, other) for one, other in pairs), default=0)

    def _homes(self, nodes: Iterable[int]) -> set[tuple[str, str]]:
        files = (self._files[i] for i in self._ids(nodes))
        return {(file.source, file.directory) for file in files}

    def _key(self, nodes: Iterable[int]) -> int:
        return min(map(self._order.__getitem__, self._ids(nodes)), default=-1)

    def _group(self, nodes: set[int]) -> Group:
        """Return a group, a big one with the parts it falls into."""
        ids = self._ids(nodes)
        parts = self._parts(nodes)
        inside = {node for part in parts for node in part}
        return Group(
            files=tuple(ids),
            documents=self._documents_of(nodes - inside),
            parts=tuple(
                sorted(
                    (
                        Group(tuple(self._ids(part)), self._documents_of(part))
                        for part in parts
                    ),
                    key=lambda g: self._order[g.files[0]],
                )
            ),
        )

    def _parts(self, nodes: set[int]) -> list[set[int]]:
        own = [node for node in nodes if node in self._members]
        if len(own) < _DIVIDED_FILES or self._share(nodes) < _DIVIDED_SHARE:
            return []
        graph = self._graph.subgraph(nodes)
        found = self._communities(graph, 2, 5)
        fair = self._share(nodes) / max(1, len(found))
        big = [p for p in found if self._share(p) >= _CHILD_SHARE * fair]
        is_clear = _modularity(graph, found) >= _LEAST_MODULARITY
        return big if is_clear and len(big) > 1 else []


def _file_nodes(files: Sequence[SurveyFile]) -> dict[int, list[int]]:
    """Return node → its files: namesakes beside each other, as `jv.c` and `jv.h`."""
    is_many = len(files) > _MOST_NODES
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for file in files:
        place = file.directory if is_many else f"{file.directory}/{file.stem}"
        found[file.source, place].append(file.id)
    return dict(enumerate(found.values()))


def _ordered(graph: nx.Graph) -> nx.Graph:
    """Return a copy whose nodes and edges are in the order of their numbers."""
    found = nx.Graph()
    found.add_nodes_from(sorted(graph))
    found.add_edges_from(sorted(graph.edges(data=True), key=lambda e: sorted(e[:2])))
    return found


def _modularity(graph: nx.Graph, groups: Sequence[Collection[int]]) -> float:
    if not graph.size():
        return 0.0
    inside = {node for nodes in groups for node in nodes}
    rest = [{node} for node in graph if node not in inside]
    return float(nx.community.modularity(graph, [*groups, *rest]))


def _common(one: tuple[str, str], other: tuple[str, str]) -> int:
    if one[0] != other[0]:
        return -1
    pairs = zip(one[1].split("/"), other[1].split("/"), strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), 99)
