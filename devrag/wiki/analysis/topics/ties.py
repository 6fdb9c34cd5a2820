"""Ties files and documents to each other, as one weighted graph.

Files are tied by their uses of each other, documents to the files that they name, and
files to their directory and to the words of their names, weakly. What nearly all files
have to do with tells nothing and is left out.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING

from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.words import (
    LAYER_FOLDERS,
    LAYER_WORDS,
    SHARED_STEMS,
    words_in,
    words_of_name,
)

if TYPE_CHECKING:
    import networkx as nx

_HUB_SHARE = 0.25
_FEWEST_OF_HUB = 6
_OWN_USERS = 2
_DOCUMENT_WEIGHT = 3.0
_FOLDER_WEIGHT, _PARENT_WEIGHT = 1.2, 1.0
_FOLDER_FILES = 12  # in a directory with more, lying beside each other says less
_USUAL_SHARE = 1.5  # a directory with a third of all files still tells all
_LAYER_SHARE = 0.25  # in `models/` lies what belongs to many subjects
_ENTRY_SHARE = 0.1  # of the uses by what starts the product
_STAND_IN_SHARE = 0.25  # of those by what stands in for a part when it is tested
_NAME_WEIGHT = 0.7
_NAME_FILES = 8
_STAND_INS = frozenset({"mock", "mocks", "fake", "fakes", "stub", "stubs"})
_MOST_NODES = 3000  # above, directories are nodes, the deepest that few enough hold


@dataclass(frozen=True, slots=True)
class Material:
    """What is grouped.

    files: code. edges: file → file → number of uses. mentions: per document, file →
    share. folders: per document, its source and directory. entries: the files at which
    the product is started.
    """

    files: Sequence[SurveyFile]
    edges: Mapping[int, Mapping[int, float]]
    mentions: Sequence[Mapping[int, float]] = ()
    folders: Sequence[tuple[str, str]] = ()
    entries: Collection[int] = ()


def new_graph() -> nx.Graph:
    """Return an empty graph. To load networkx takes a twentieth of each start."""
    import networkx as nx  # noqa: PLC0415

    return nx.Graph()


@dataclass(frozen=True)
class TieGraph:
    """A graph whose nodes are numbers: sets of them have one order in every process.

    members: node → the files it stands for. documents: node → number of a document.
    Further nodes stand for directories and words.
    """

    files: Mapping[int, SurveyFile]
    members: Mapping[int, Sequence[int]]
    documents: Mapping[int, int]
    graph: nx.Graph = field(default_factory=new_graph)

    @cached_property
    def order(self) -> dict[int, int]:
        """File → its place by source and path."""
        return {file: place for place, file in enumerate(self.files)}

    @cached_property
    def node_of(self) -> dict[int, int]:
        """File → its node."""
        return {file: node for node, held in self.members.items() for file in held}

    def node_of_document(self, number: int) -> int:
        """Return the node of a document."""
        return len(self.members) + number

    def with_common_nodes(self, nodes: set[int]) -> set[int]:
        """Return nodes with the directories and words that tie some of them."""
        first = len(self.members) + len(self.documents)
        around = {n for node in nodes for n in self.graph[node] if n >= first}
        return nodes | {n for n in around if len(nodes & set(self.graph[n])) > 1}

    @cached_property
    def lines(self) -> dict[int, int]:
        """Node → the lines of its files."""
        return {
            node: sum(self.files[file].lines for file in files)
            for node, files in self.members.items()
        }

    @cached_property
    def total(self) -> int:
        """The lines of all files, at least 1."""
        return max(1, sum(self.lines.values()))

    def share(self, nodes: Iterable[int]) -> float:
        """Return the share of all lines that these nodes have."""
        return sum(self.lines.get(node, 0) for node in nodes) / self.total

    def files_of(self, nodes: Iterable[int]) -> list[int]:
        """Return the files of these nodes by source and path."""
        found = [file for node in nodes for file in self.members.get(node, ())]
        return sorted(found, key=self.order.__getitem__)

    def documents_of(self, nodes: Iterable[int]) -> list[int]:
        """Return the documents among these nodes."""
        return sorted(self.documents[n] for n in nodes if n in self.documents)

    def are_named(self, nodes: Iterable[int], stems: frozenset[str]) -> bool:
        """Return whether all files of these nodes have one of these names."""
        files = (self.files[file] for file in self.files_of(nodes))
        return all(file.stem.strip("_").lower() in stems for file in files)

    def is_stand_in(self, node: int) -> bool:
        """Return whether the files of a node stand in for others: mocks and fakes."""
        files = (self.files[file] for file in self.members[node])
        return all(_STAND_INS & set(words_in(file.stem)) for file in files)

    def own(self, nodes: Iterable[int]) -> list[int]:
        """Return the nodes that stand for files."""
        return sorted(node for node in nodes if node in self.members)


def tie_material(material: Material) -> TieGraph:
    """Return the graph of what is grouped; it does not depend on the order given."""
    files = sorted(material.files, key=lambda f: (f.source, f.path))
    members = _file_nodes(files)
    first = len(members)
    documents = {first + n: n for n in range(len(material.mentions))}
    ties = TieGraph({file.id: file for file in files}, members, documents)
    ties.graph.add_nodes_from(members)
    _tie_uses(ties, material)
    _tie_documents(ties, material.mentions)
    _tie_folders(ties, material)
    _tie_names(ties)
    return ties


def _file_nodes(files: Sequence[SurveyFile]) -> dict[int, list[int]]:
    """Return node → its files: namesakes beside each other, as `jv.c` and `jv.h`."""
    found = _by_place(files, lambda file: f"{file.directory}/{file.stem}")
    depth = max((file.path.count("/") for file in files), default=0)
    while len(found) > _MOST_NODES and depth > 0:
        found = _by_place(files, partial(_upper, depth))
        depth -= 1
    return dict(enumerate(found))


def _upper(depth: int, file: SurveyFile) -> str:
    """Return the upper part of a file's directory."""
    return "/".join(file.directory.split("/")[:depth])


def _by_place(
    files: Sequence[SurveyFile], place: Callable[[SurveyFile], str]
) -> list[list[int]]:
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for file in files:
        found[file.source, place(file)].append(file.id)
    return list(found.values())


def _tie_uses(
    ties: TieGraph,
    material: Material,
) -> None:
    """Tie files by their uses of each other.

    What most others use holds all of them together, and so does what uses most others;
    but what hardly anything else uses belongs to its user. What starts the product uses
    all of its subjects, which says little of each; what only that uses to put them
    together is a part of the start.
    """
    uses = _uses_of_nodes(ties, material)
    users: dict[int, set[int]] = defaultdict(set)
    used: dict[int, set[int]] = defaultdict(set)
    for a, b in uses:
        users[b].add(a)
        used[a].add(b)
    entries = {ties.node_of[file] for file in material.entries if file in ties.node_of}
    assembling = _assembling(entries, users, used)
    limit = max(_FEWEST_OF_HUB, _HUB_SHARE * len(ties.members))
    for a, b in sorted(uses):
        is_own = len(users[b]) <= _OWN_USERS
        is_common = len(users[b]) > limit or ties.are_named([b], SHARED_STEMS)
        is_collection = len(used[a]) > limit or ties.are_named([a], SHARED_STEMS)
        if is_own or not (is_common or is_collection):
            rarity = math.sqrt(len(users[b])) * len(used[a]) ** 0.25
            is_of_start = a in entries | assembling and b not in assembling
            share = _ENTRY_SHARE if is_of_start else 1.0
            share *= _STAND_IN_SHARE if ties.is_stand_in(a) else 1.0
            _add(ties.graph, a, b, share * uses[a, b] / rarity)


def _uses_of_nodes(ties: TieGraph, material: Material) -> dict[tuple[int, int], float]:
    """Return (node, node) → how much the one uses the other."""
    found: dict[tuple[int, int], float] = defaultdict(float)
    for source, targets in material.edges.items():
        for target, uses in targets.items():
            a, b = ties.node_of.get(source), ties.node_of.get(target)
            if a is not None and b is not None and a != b:
                found[a, b] += math.log1p(uses)
    return found


def _assembling(
    entries: set[int], users: Mapping[int, set[int]], used: Mapping[int, set[int]]
) -> set[int]:
    """Return what puts the parts together for the start: entry points alone use it."""
    return {
        node
        for node, others in used.items()
        if len(others) > _FEWEST_OF_HUB
        and node in users
        and users[node] <= entries
        and node not in entries
    }


def _add(graph: nx.Graph, a: int, b: int, weight: float) -> None:
    known = graph.get_edge_data(a, b, {"weight": 0.0})["weight"]
    graph.add_edge(a, b, weight=known + weight)


def _tie_all(graph: nx.Graph, node: int, others: Iterable[int], weight: float) -> None:
    graph.add_weighted_edges_from((node, other, weight) for other in others)


def _tie_documents(
    ties: TieGraph,
    mentions: Sequence[Mapping[int, float]],
) -> None:
    for node, number in ties.documents.items():
        for file, share in mentions[number].items():
            if file in ties.node_of:
                _add(ties.graph, node, ties.node_of[file], _DOCUMENT_WEIGHT * share)


def _tie_folders(ties: TieGraph, material: Material) -> None:
    """Tie nodes to their directory, and directories to the nearest one above.

    A directory that holds others only is a node where there are two of them.
    """
    homes: dict[tuple[str, str], list[int]] = defaultdict(list)
    for node, ids in ties.members.items():
        file = ties.files[ids[0]]
        homes[file.source, file.directory].append(node)
    for node, number in ties.documents.items():
        if material.mentions[number]:
            homes[material.folders[number]].append(node)
    for above in _branching(homes):
        homes.setdefault(above, [])
    first = len(ties.members) + len(ties.documents)
    numbers = {home: first + n for n, home in enumerate(sorted(homes))}
    weights = _weights_of_folders({home: len(held) for home, held in homes.items()})
    for home, number in numbers.items():
        if weights[home] > 0:
            _tie_all(ties.graph, number, homes[home], weights[home])
        nearest = next((a for a in _above(home) if a in numbers), None)
        if nearest is not None and nearest[1]:
            ties.graph.add_edge(number, numbers[nearest], weight=_PARENT_WEIGHT)


def _weights_of_folders(
    sizes: Mapping[tuple[str, str], int],
) -> dict[tuple[str, str], float]:
    """Return what it says of files that they lie in the same directory.

    Beside full directories lies what fits into none of them. sizes: numbers of nodes.
    """
    inside = Counter[tuple[str, str]]()
    for home, size in sizes.items():
        for above in _above(home):
            inside[above] += size
    total = sum(sizes.values())
    return {
        home: _weight_of_folder(home[1], size, total) if size >= inside[home] else 0.0
        for home, size in sizes.items()
    }


def _weight_of_folder(folder: str, beside: int, total: int) -> float:
    is_layer = folder.rpartition("/")[2].lower() in LAYER_FOLDERS
    weight = _FOLDER_WEIGHT * (_LAYER_SHARE if is_layer else 1.0)
    weight *= min(1.0, _FOLDER_FILES / max(1, beside))
    return weight * min(1.0, (_USUAL_SHARE * (1 - beside / total)) ** 2)


def _branching(homes: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return the directories right below which there are two or more others."""
    below: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    for home in homes:
        inner = home
        for above in _above(home):
            below[above].add(inner)
            inner = above
    return {above for above, inside in below.items() if len(inside) > 1}


def _above(home: tuple[str, str]) -> list[tuple[str, str]]:
    """Return the directories around one, the nearest first."""
    source, folder = home
    pieces = folder.split("/") if folder else []
    return [(source, "/".join(pieces[:n])) for n in range(len(pieces) - 1, -1, -1)]


def _tie_names(ties: TieGraph) -> None:
    """Tie files whose names have a word in common that few have."""
    named: dict[tuple[str, str], list[int]] = defaultdict(list)
    for node, ids in ties.members.items():
        file = ties.files[ids[0]]
        for word in words_of_name(file.stem):
            if word not in LAYER_WORDS:
                named[file.source, word].append(node)
    limit = max(2, _HUB_SHARE * len(ties.members))
    first = max(ties.graph, default=-1) + 1
    telling = sorted(key for key, held in named.items() if 1 < len(held) <= limit)
    for number, key in enumerate(telling, first):
        weight = _NAME_WEIGHT * min(1.0, _NAME_FILES / len(named[key]))
        _tie_all(ties.graph, number, named[key], weight)
