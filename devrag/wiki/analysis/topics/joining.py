"""Joins small groups with others, and the smallest while there are too many.

A group joins the one that it is tied to most, without ties the one that shares most of
a path with it. What is asked of the groups is kept up to date from join to join.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from devrag.wiki.analysis.topics.ties import TieGraph
from devrag.wiki.analysis.topics.words import DECLARING_STEMS

_Path = tuple[str, tuple[str, ...]]  # a source, and pieces of a directory
_Queued = tuple[int, int, int]  # lines, place of the first file, number of the group


def join_small(
    ties: TieGraph, groups: Sequence[set[int]], least_share: float, most: int
) -> list[set[int]]:
    """Return the groups, those below a share of the lines joined with others.

    Types and constants of all others are no group however large they are.
    """
    joining = _Joining(ties, groups, least_share)
    while len(joining.groups) > 1:
        least = joining.smallest(is_any=len(joining.groups) > most)
        if least is None:
            break
        joining.join(least)
    return list(joining.groups.values())


def weights_between(
    ties: TieGraph, nodes: Collection[int], home: Mapping[int, int]
) -> Counter[int]:
    """Return group → the weight of the ties between it and these nodes.

    home: node → its group.
    """
    weights: Counter[int] = Counter()
    for node in sorted(nodes):
        for other, data in ties.graph[node].items():
            if other in home and other not in nodes:
                weights[home[other]] += data["weight"]
    return weights


class _Joining:
    """Groups by number, with their size, their directories and the nodes' homes."""

    def __init__(
        self, ties: TieGraph, groups: Sequence[set[int]], least_share: float
    ) -> None:
        self._ties = ties
        self._least_share = least_share
        self.groups = {number: set(nodes) for number, nodes in enumerate(groups)}
        self._home = {node: n for n, nodes in self.groups.items() for node in nodes}
        files = {n: ties.files_of(nodes) for n, nodes in self.groups.items()}
        self._first = {n: ties.order[f[0]] if f else -1 for n, f in files.items()}
        self._lines = {
            n: sum(ties.lines.get(node, 0) for node in nodes)
            for n, nodes in self.groups.items()
        }
        self._declares = {
            n: ties.are_named(nodes, DECLARING_STEMS)
            for n, nodes in self.groups.items()
        }
        self._places = _Places()
        for number, own in files.items():
            found = (ties.files[file] for file in own)
            self._places.add(number, {(f.source, f.directory) for f in found})
        self._all: list[_Queued] = []
        self._small: list[_Queued] = []
        for number in self.groups:
            self._offer(number)

    def smallest(self, *, is_any: bool) -> int | None:
        """Return the smallest group that has to join another.

        is_any: without one, the smallest of all.
        """
        found = self._first_of(self._small)
        return self._first_of(self._all) if found is None and is_any else found

    def join(self, number: int) -> None:
        """Join a group with the one that it is nearest to."""
        nodes = self.groups.pop(number)
        directories = self._places.remove(number)
        target = self._closest(nodes, directories)
        self.groups[target] |= nodes
        self._home.update(dict.fromkeys(nodes, target))
        self._first[target] = min(self._first[target], self._first[number])
        self._lines[target] += self._lines[number]
        self._declares[target] &= self._declares[number]
        self._places.add(target, directories)
        self._offer(target)

    def _offer(self, number: int) -> None:
        """Queue a group, also with the small ones where it is one."""
        place = self._lines[number], self._first[number], number
        heapq.heappush(self._all, place)
        share = self._lines[number] / self._ties.total
        if share < self._least_share or self._declares[number]:
            heapq.heappush(self._small, place)

    def _first_of(self, queue: list[_Queued]) -> int | None:
        """Return the first group of a queue that is still as it was put there."""
        while queue:
            lines, first, number = queue[0]
            is_same = (lines, first) == (self._lines[number], self._first[number])
            if number in self.groups and is_same:
                return number
            heapq.heappop(queue)
        return None

    def _closest(
        self, nodes: Collection[int], directories: Collection[tuple[str, str]]
    ) -> int:
        weights = weights_between(self._ties, nodes, self._home)
        if weights:
            return min(weights, key=lambda n: (-weights[n], n))
        near = self._places.nearest(directories) or self.groups
        return min(near, key=lambda n: (-self._lines[n], n))


class _Places:
    """The directories of groups, found by what is around them."""

    def __init__(self) -> None:
        self._directories: dict[int, set[tuple[str, str]]] = defaultdict(set)
        self._at: dict[_Path, set[int]] = defaultdict(set)
        self._below: dict[_Path, Counter[int]] = defaultdict(Counter)

    def add(self, group: int, directories: set[tuple[str, str]]) -> None:
        """Add directories to a group."""
        for directory in directories - self._directories[group]:
            self._directories[group].add(directory)
            source, pieces = _pieces(directory)
            self._at[source, pieces].add(group)
            for path in _above(source, pieces):
                self._below[path][group] += 1

    def remove(self, group: int) -> set[tuple[str, str]]:
        """Return a group's directories, which it has no more."""
        directories = self._directories.pop(group, set())
        for source, pieces in map(_pieces, directories):
            self._at[source, pieces].discard(group)
            for path in _above(source, pieces):
                self._below[path].pop(group, None)
        return directories

    def nearest(self, directories: Collection[tuple[str, str]]) -> set[int]:
        """Return the groups that share most of a path; none without a source."""
        paths = [_pieces(directory) for directory in directories]
        around = {group for path in paths for group in self._one_in_other(*path)}
        if around:
            return around
        deepest = max((len(pieces) for _, pieces in paths), default=0)
        for depth in range(deepest, -1, -1):
            found = {
                group
                for source, pieces in paths
                if len(pieces) >= depth
                for group in self._below.get((source, pieces[:depth]), ())
            }
            if found:
                return found
        return set()

    def _one_in_other(self, source: str, pieces: tuple[str, ...]) -> Iterator[int]:
        """Yield the groups with a directory that contains this one, or is inside it."""
        yield from self._below.get((source, pieces), ())
        for path in _above(source, pieces):
            yield from self._at.get(path, ())


def _pieces(directory: tuple[str, str]) -> _Path:
    return directory[0], tuple(directory[1].split("/"))


def _above(source: str, pieces: tuple[str, ...]) -> Iterator[_Path]:
    """Yield a path and all above it, the whole source included."""
    return ((source, pieces[:end]) for end in range(len(pieces) + 1))
