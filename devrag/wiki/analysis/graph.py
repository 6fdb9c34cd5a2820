"""Graph measures over plain adjacency mappings: rank, cycles, layers, paths.

An edge a → b reads "a uses b". All functions are deterministic: nodes are visited in
sorted order. The graphs are small (files, symbols), so plain Python is fast enough.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Mapping

Edges = Mapping[int, Mapping[int, float]]


def pagerank(
    nodes: Iterable[int], edges: Edges, *, damping: float = 0.85, rounds: int = 30
) -> dict[int, float]:
    """Return each node's PageRank; what is used by used nodes ranks high, sum 1.

    source: Page et al. 1999; rank of nodes without edges is spread evenly.
    """
    order = sorted(nodes)
    if not order:
        return {}
    weights = {n: sum(edges.get(n, {}).values()) for n in order}
    rank = dict.fromkeys(order, 1 / len(order))
    for _ in range(rounds):
        dangling = sum(rank[n] for n in order if not weights[n])
        base = (1 - damping + damping * dangling) / len(order)
        following = dict.fromkeys(order, base)
        for n in order:
            if weights[n]:
                share = damping * rank[n] / weights[n]
                for target, weight in edges[n].items():
                    following[target] += share * weight
        rank = following
    return rank


def in_steps(ranks: Mapping[int, float], *, step: float = 1.25) -> dict[int, float]:
    """Return ranks rounded to powers of `step` times their mean.

    A commit moves every rank a little; what is about equally important stays equal.
    """
    mean = sum(ranks.values()) / (len(ranks) or 1)
    return {
        node: step ** round(math.log(rank / mean, step)) for node, rank in ranks.items()
    }


def deciles(ranks: Mapping[int, float]) -> dict[int, int]:
    """Return each node's tenth by rank, 9 the highest; equals share their middle."""
    ordered = sorted(ranks.values())
    return {
        node: 5
        * (bisect_left(ordered, rank) + bisect_right(ordered, rank))
        // len(ordered)
        for node, rank in ranks.items()
    }


class _Tarjan:
    """Strongly connected components, iterative so that deep graphs do not recurse."""

    def __init__(self, nodes: Iterable[int], edges: Edges) -> None:
        self._edges = edges
        self._index: dict[int, int] = {}
        self._low: dict[int, int] = {}
        self._stack: list[int] = []
        self._open: set[int] = set()
        self.components: list[list[int]] = []
        for node in sorted(nodes):
            if node not in self._index:
                self._visit(node)

    def _enter(self, node: int) -> None:
        self._index[node] = self._low[node] = len(self._index)
        self._stack.append(node)
        self._open.add(node)

    def _visit(self, root: int) -> None:
        self._enter(root)
        work = [(root, iter(sorted(self._edges.get(root, ()))))]
        while work:
            node, targets = work[-1]
            following = next((t for t in targets if self._step(node, t)), None)
            if following is not None:
                self._enter(following)
                work.append((following, iter(sorted(self._edges.get(following, ())))))
                continue
            work.pop()
            if work:
                parent = work[-1][0]
                self._low[parent] = min(self._low[parent], self._low[node])
            self._close(node)

    def _step(self, node: int, target: int) -> bool:
        if target not in self._index:
            return True
        if target in self._open:
            self._low[node] = min(self._low[node], self._index[target])
        return False

    def _close(self, node: int) -> None:
        if self._low[node] != self._index[node]:
            return
        cut = self._stack.index(node)
        component = self._stack[cut:]
        del self._stack[cut:]
        self._open.difference_update(component)
        self.components.append(sorted(component))


def components(nodes: Iterable[int], edges: Edges) -> list[list[int]]:
    """Return strongly connected components, used ones before their users."""
    return _Tarjan(nodes, edges).components


def shortest_circle(component: Iterable[int], edges: Edges) -> list[int]:
    """Return a shortest way through a component back to where it begins.

    That is the first of the nodes that lie on the shortest of all circles.
    """
    inside = set(component)
    within = {n: {t: 1.0 for t in edges.get(n, ()) if t in inside} for n in inside}
    found: list[int] = []
    for start in sorted(inside):
        came_from = shortest_paths([start], within)
        last = [n for n in came_from if start in within[n]]
        if last and (not found or len(walk_back(last[0], came_from)) + 1 < len(found)):
            found = [*walk_back(last[0], came_from), start]
    return found


def layers(nodes: Iterable[int], edges: Edges) -> dict[int, int]:
    """Return each node's layer: 0 uses nothing, n uses at most layer n - 1.

    Nodes of one cycle share a layer.
    """
    level: dict[int, int] = {}
    for component in components(nodes, edges):
        inside = set(component)
        below = [
            level[target]
            for node in component
            for target in edges.get(node, ())
            if target not in inside
        ]
        level.update(dict.fromkeys(component, max(below) + 1 if below else 0))
    return level


def shortest_paths(starts: Iterable[int], edges: Edges) -> dict[int, int | None]:
    """Return each reachable node's predecessor on a shortest path, None at starts."""
    came_from: dict[int, int | None] = dict.fromkeys(sorted(starts))
    queue = deque(came_from)
    while queue:
        node = queue.popleft()
        for target in sorted(edges.get(node, ())):
            if target not in came_from:
                came_from[target] = node
                queue.append(target)
    return came_from


def walk_back(node: int, came_from: Mapping[int, int | None]) -> list[int]:
    """Return the path from a start to `node` that `shortest_paths` found."""
    path = [node]
    while (previous := came_from[path[-1]]) is not None:
        path.append(previous)
    return path[::-1]


def without_nodes(
    edges: dict[int, dict[int, float]], hidden: set[int]
) -> dict[int, dict[int, float]]:
    """Return the edges that do not begin at hidden nodes."""
    return {node: targets for node, targets in edges.items() if node not in hidden}
