"""The ways by which calls lead from one definition to another.

The search goes forwards from where it starts and backwards from where it should end,
level by level, always on the side with less to look at, until both meet. Of the calls
that it has read the best paths are taken: few steps, sure calls before possible ones,
no detour through examples and tests.
"""

from __future__ import annotations

import heapq
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from devrag.navigation.call_edges import (
    CallEdge,
    Definition,
    Uncertainty,
    is_constructor,
)
from devrag.navigation.call_graph import CallGraph
from devrag.parsing.path_roles import is_aside, is_test

__all__ = [
    "CallEdge",
    "CallGraph",
    "CallPath",
    "Definition",
    "Limits",
    "PathSearch",
    "Reached",
    "Uncertainty",
    "find_paths",
    "is_constructor",
    "reach_back",
]

# What a doubtful call costs beside its step.
_UNCERTAINTY_COSTS: Mapping[Uncertainty, float] = {
    "": 0.0,
    "overload": 0.2,
    "table": 1.0,
    "implementation": 1.0,
    "type": 1.5,
    "name": 2.5,
    "guess": 5.0,
}
_CONSTRUCTION, _OVERRIDE = 0.1, 1.0
_ASIDE = 3.0
_PER_CHOICE, _MOST_FOR_CHOICES = 0.1, 1.0
# Another path is shown unless it is so much worse than the best.
_WORSE, _MOST_PATHS = 3.0, 3
# How many levels are read for a surer path, or another one, when one is found.
_MORE_LEVELS = 3


class Calls(Protocol):
    """A graph of calls, read as it is asked for."""

    is_cut: bool

    def __getitem__(self, key: int) -> Definition:
        """Return a definition that was met."""

    def calls_from(self, keys: Collection[int]) -> list[CallEdge]:
        """Return the calls that definitions make."""

    def calls_to(self, keys: Collection[int]) -> list[CallEdge]:
        """Return the calls that lead to definitions."""

    def stop_at(self, until: float) -> None:
        """Look at no more calls after a time of the monotonic clock."""

    def overrides_of(self, key: int) -> list[CallEdge]:
        """Return the methods that may run instead of a method that is called."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search may take. width: definitions looked at in one level."""

    calls: int = 10
    definitions: int = 4_000
    width: int = 500
    seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class CallPath:
    """Calls in order, each by what the one before it calls."""

    edges: tuple[CallEdge, ...]
    cost: float

    @property
    def keys(self) -> tuple[int, ...]:
        """The definitions from the first to the last."""
        return (self.edges[0].caller, *(edge.callee for edge in self.edges))


@dataclass(frozen=True, slots=True)
class PathSearch:
    """What a search found. forward, backward: definitions met, with their distance.

    is_whole: everything that the start reaches was looked at.
    """

    paths: tuple[CallPath, ...]
    forward: Mapping[int, int]
    backward: Mapping[int, int]
    is_whole: bool


@dataclass(slots=True)
class Reached:
    """What one direction met. frontier: what is to be looked at next."""

    distance: dict[int, int]
    frontier: list[int]
    depth: int = 0
    is_cut: bool = False
    edges: list[CallEdge] = field(default_factory=list)

    @classmethod
    def of(cls, keys: Iterable[int]) -> Reached:
        known = dict.fromkeys(keys, 0)
        return cls(known, list(known))


def find_paths(
    graph: Calls, starts: Collection[int], ends: Collection[int], limits: Limits
) -> PathSearch:
    """Return up to three ways from any start to any end, the best first."""
    search = _Search(graph, starts, ends, limits)
    search.run()
    forward, backward = search.forward, search.backward
    return PathSearch(
        search.best_paths(),
        forward.distance,
        backward.distance,
        is_whole=not (forward.frontier or forward.is_cut or graph.is_cut),
    )


def reach_back(graph: Calls, keys: Collection[int], limits: Limits) -> Reached:
    """Return what calls definitions, directly and through others."""
    search = _Search(graph, (), keys, limits)
    while search.backward.frontier and not search.is_over:
        search.step_back()
    return search.backward


class _Search:
    """One search from definitions to others."""

    def __init__(
        self,
        graph: Calls,
        starts: Collection[int],
        ends: Collection[int],
        limits: Limits,
    ) -> None:
        self._graph = graph
        self._limits = limits
        self._starts, self._ends = frozenset(starts), frozenset(ends)
        self._until = time.monotonic() + limits.seconds
        graph.stop_at(self._until)
        self.forward, self.backward = Reached.of(starts), Reached.of(ends)
        named = [graph[key].path for key in (*starts, *ends)]
        # Code that no test is part of calls none.
        self._may_test = any(map(is_test, named))
        self._folders = {
            True: [graph[key].path.split("/") for key in ends],
            False: [graph[key].path.split("/") for key in starts],
        }

    def run(self) -> None:
        """Read calls until the best path is known, or the limits are reached."""
        more, is_known = _MORE_LEVELS, False
        while self._can_grow() and more and not is_known:
            best = self._best_cost()
            if best is not None:
                more -= 1
                # What is not read yet takes more calls than both sides have read. One
                # level more may have other paths.
                is_known = best <= self.forward.depth + self.backward.depth + 1
            self._grow()

    @property
    def is_over(self) -> bool:
        known = len(self.forward.distance) + len(self.backward.distance)
        depth = self.forward.depth + self.backward.depth
        return (
            depth >= self._limits.calls
            or known >= self._limits.definitions
            or time.monotonic() >= self._until
        )

    def _can_grow(self) -> bool:
        return bool(self.forward.frontier) and not self.is_over

    def _best_cost(self) -> float | None:
        if self.forward.distance.keys().isdisjoint(self.backward.distance):
            return None
        path = self._known_paths().shortest()
        return path.cost if path else None

    def _known_paths(self) -> _Paths:
        return _Paths(self._edges(), self._starts, self._ends, self._weight)

    def _grow(self) -> None:
        """Read one level, of the side that has less."""
        backward = self.backward.frontier
        if backward and len(backward) < len(self.forward.frontier):
            self.step_back()
        else:
            self._step_forth()

    def _step_forth(self) -> None:
        side = self.forward
        keys = self._nearest(side, is_forward=True)
        edges = self._graph.calls_from(keys)
        if not side.depth:
            for key in keys:
                edges += self._graph.overrides_of(key)
        self._take(side, [(edge, edge.callee) for edge in edges])

    def step_back(self) -> None:
        """Read one level of callers."""
        side = self.backward
        keys = self._nearest(side, is_forward=False)
        edges = self._graph.calls_to(keys)
        self._take(side, [(edge, edge.caller) for edge in edges])

    def _take(self, side: Reached, edges: list[tuple[CallEdge, int]]) -> None:
        side.depth += 1
        for edge, met in edges:
            if not self._may_test and is_test(self._graph[met].path):
                continue
            side.edges.append(edge)
            if met not in side.distance:
                side.distance[met] = side.depth
                side.frontier.append(met)

    def _nearest(self, side: Reached, *, is_forward: bool) -> list[int]:
        """Take the frontier; of a wide one what lies nearest to the other side."""
        keys, side.frontier = side.frontier, []
        if len(keys) <= self._limits.width:
            return keys
        side.is_cut = True
        folders = self._folders[is_forward]
        keys.sort(key=lambda key: (_far(self._graph[key], folders), key))
        return keys[: self._limits.width]

    def _edges(self) -> dict[int, dict[int, CallEdge]]:
        """Return caller → callee → the best call that was read."""
        found: dict[int, dict[int, CallEdge]] = defaultdict(dict)
        for edge in (*self.forward.edges, *self.backward.edges):
            known = found[edge.caller].get(edge.callee)
            if known is None or _cost(edge) < _cost(known):
                found[edge.caller][edge.callee] = edge
        return found

    def best_paths(self) -> tuple[CallPath, ...]:
        """Return the best paths through all that was read."""
        return tuple(self._distinct(self._known_paths().some()))

    def _weight(self, edge: CallEdge) -> float:
        return _cost(edge) + _ASIDE * is_aside(self._graph[edge.callee].path)

    def _distinct(self, paths: Iterable[CallPath]) -> Iterator[CallPath]:
        """Yield paths that differ by more than overloads."""
        seen: set[tuple[str, ...]] = set()
        for path in paths:
            names = tuple(self._graph[key].qualified_name for key in path.keys)
            is_good = len(path.edges) <= self._limits.calls + 1
            # Two guesses in a row lead anywhere.
            is_good &= sum(edge.uncertainty == "guess" for edge in path.edges) < 2
            if is_good and names not in seen:
                seen.add(names)
                yield path
            if len(seen) == _MOST_PATHS:
                return


def _far(own: Definition, folders: Sequence[Sequence[str]]) -> int:
    """Return how many folders lie between a definition and the nearest of others."""
    path = own.path.split("/")
    return min((_between(path, other) for other in folders), default=0)


def _between(path: Sequence[str], other: Sequence[str]) -> int:
    same = 0
    for one, two in zip(path, other, strict=False):
        if one != two:
            break
        same += 1
    return len(path) + len(other) - 2 * same


def _cost(edge: CallEdge) -> float:
    if edge.kind == "construct":
        step = _CONSTRUCTION
    else:
        step = _OVERRIDE if edge.kind == "override" else 1.0
    if not edge.is_possible:
        return step
    choices = min(_MOST_FOR_CHOICES, _PER_CHOICE * edge.choices)
    return (
        step
        + _UNCERTAINTY_COSTS[edge.uncertainty]
        + (choices if edge.uncertainty != "overload" else 0)
    )


class _Paths:
    """Shortest paths over calls that were read."""

    def __init__(
        self,
        edges: Mapping[int, Mapping[int, CallEdge]],
        starts: frozenset[int],
        ends: frozenset[int],
        weigh: Callable[[CallEdge], float],
    ) -> None:
        self._starts, self._ends = starts, ends
        self._edges = {
            caller: [(weigh(edge), edge) for edge in calls.values()]
            for caller, calls in edges.items()
        }

    def shortest(
        self, without: frozenset[tuple[int, int]] = frozenset()
    ) -> CallPath | None:
        """Return the cheapest path that takes none of these calls."""
        costs = dict.fromkeys(self._starts, 0.0)
        came: dict[int, CallEdge] = {}
        waiting = [(0.0, key) for key in sorted(self._starts)]
        done: set[int] = set()
        while waiting:
            cost, key = heapq.heappop(waiting)
            if key in done:
                continue
            done.add(key)
            if key in self._ends and key in came:
                return CallPath(self._back(came, key), cost)
            for step, edge in self._edges.get(key, ()):
                callee, whole = edge.callee, cost + step
                if (key, callee) in without or callee in self._starts:
                    continue
                if whole < costs.get(callee, float("inf")):
                    costs[callee], came[callee] = whole, edge
                    heapq.heappush(waiting, (whole, callee))
        return None

    def _back(self, came: Mapping[int, CallEdge], key: int) -> tuple[CallEdge, ...]:
        found = []
        while key in came:
            found.append(came[key])
            key = came[key].caller
        return tuple(reversed(found))

    def some(self) -> Iterator[CallPath]:
        """Yield the best path, then others that lack one of its calls, by cost."""
        best = self.shortest()
        if best is None:
            return
        yield best
        lacking = (frozenset([(e.caller, e.callee)]) for e in best.edges)
        others = [path for each in lacking if (path := self.shortest(each))]
        others.sort(key=lambda path: (path.cost, path.keys))
        for path in others:
            if path.cost <= best.cost + _WORSE:
                yield path
