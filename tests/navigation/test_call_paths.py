"""Paths through a graph of calls, without a database."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from uuid import UUID

import pytest

from devrag.navigation.call_edges import CallEdge, Definition, Uncertainty
from devrag.navigation.call_paths import Limits, PathSearch, find_paths, reach_back

_LIMITS = Limits(seconds=60)


class Graph:
    """Calls as `a>b`, possible ones as `a?b`, guesses as `a~b`, of letters."""

    is_cut = False

    def __init__(self, calls: str, paths: dict[str, str] | None = None) -> None:
        self._paths = paths or {}
        self.edges = [_edge(call) for call in calls.split()]
        self.asked = 0

    def __getitem__(self, key: int) -> Definition:
        name = chr(key)
        path = self._paths.get(name, "app/a.py")
        place = (path, "app.a", "python", 0, None, "function", name, name, 1, 2)
        return Definition(key, 1, *place, UUID(int=key))

    def calls_from(self, keys: Collection[int]) -> list[CallEdge]:
        self.asked += len(keys)
        return [edge for edge in self.edges if edge.caller in keys]

    def calls_to(self, keys: Collection[int]) -> list[CallEdge]:
        self.asked += len(keys)
        return [edge for edge in self.edges if edge.callee in keys]

    def stop_at(self, until: float) -> None:
        del until

    def overrides_of(self, key: int) -> list[CallEdge]:
        del key
        return []


def _edge(call: str) -> CallEdge:
    uncertainties: dict[str, Uncertainty] = {
        ">": "",
        "?": "implementation",
        "~": "guess",
    }
    uncertainty = uncertainties[call[1]]
    return CallEdge(ord(call[0]), ord(call[2]), 1, uncertainty=uncertainty, choices=2)


def _search(graph: Graph, start: str, end: str, limits: Limits = _LIMITS) -> PathSearch:
    return find_paths(graph, [*map(ord, start)], [*map(ord, end)], limits)


def _paths(graph: Graph, start: str, end: str) -> list[str]:
    found = _search(graph, start, end).paths
    return ["".join(map(chr, path.keys)) for path in found]


def test_the_shortest_path_is_first() -> None:
    assert _paths(Graph("a>b b>c c>d a>e e>d"), "a", "d") == ["aed", "abcd"]


def test_a_longer_sure_path_comes_before_a_shorter_possible_one() -> None:
    assert _paths(Graph("a?d a>b b>d"), "a", "d") == ["abd", "ad"]


def test_a_much_longer_one_does_not() -> None:
    assert _paths(Graph("a?h a>b b>c c>d d>e e>f f>g g>h"), "a", "h") == ["ah"]


def test_circles_and_recursion_end() -> None:
    graph = Graph("a>a a>b b>a b>c c>b")
    assert _paths(graph, "a", "c") == ["abc"]
    assert _paths(graph, "a", "z") == []


def test_calls_lead_one_way() -> None:
    assert _paths(Graph("a>b b>c"), "c", "a") == []


def test_any_start_and_any_end_will_do() -> None:
    assert _paths(Graph("x>b b>c y>d"), "xy", "cd") == ["yd", "xbc"]


def test_code_is_not_traced_through_tests() -> None:
    graph = Graph("a>t t>b a>c c>d d>b", {"t": "tests/test_a.py"})
    assert _paths(graph, "a", "b") == ["acdb"]


def test_a_test_may_be_where_it_starts() -> None:
    graph = Graph("s>t t>b", {"t": "tests/tools.py", "s": "tests/test_a.py"})
    assert _paths(graph, "s", "b") == ["stb"]


def test_examples_are_a_detour() -> None:
    graph = Graph("a>x x>b a>c c>d d>b", {"x": "examples/x.py"})
    assert _paths(graph, "a", "b")[0] == "acdb"


def test_at_most_three_paths_are_returned() -> None:
    calls = " ".join(f"a>{m} {m}>z" for m in "bcdefg")
    assert len(_paths(Graph(calls), "a", "z")) <= 3


def test_everything_was_looked_at_when_nothing_is_left() -> None:
    found = _search(Graph("a>b b>c"), "a", "z")
    assert found.is_whole
    assert {chr(key): d for key, d in found.forward.items()} == {"a": 0, "b": 1, "c": 2}


@pytest.mark.parametrize(
    "limits",
    [
        Limits(calls=2, seconds=60),
        Limits(definitions=4, seconds=60),
        Limits(seconds=0),
    ],
)
def test_a_search_that_was_cut_is_not_whole(limits: Limits) -> None:
    names = "abcdefghij"
    calls = " ".join(f"{a}>{b}" for a, b in pairwise(names))
    found = _search(Graph(calls), "a", "z", limits)
    assert not found.paths
    assert not found.is_whole


def test_of_a_wide_level_what_is_near_is_looked_at() -> None:
    many = [chr(0x4E00 + n) for n in range(50)]
    paths = dict.fromkeys(many, "lib/far.py") | {many[-1]: "app/b/near.py"}
    calls = " ".join(f"a>{m}" for m in many) + f" {many[-1]}>x x>y y>z"
    # Callers of the end take the width of one each.
    graph = Graph(calls, paths | {"z": "app/b/z.py", "x": "app/b/x.py"})
    found = _search(graph, "a", "z", Limits(width=3, seconds=60))
    assert ["".join(map(chr, p.keys)) for p in found.paths] == [f"a{many[-1]}xyz"]


def test_what_calls_something_is_reached_backwards() -> None:
    found = reach_back(Graph("a>b b>c d>c"), [ord("c")], Limits(seconds=60))
    assert sorted(map(chr, found.distance)) == ["a", "b", "c", "d"]


def test_two_guesses_are_no_path() -> None:
    assert _paths(Graph("a~b b>c"), "a", "c") == ["abc"]
    assert _paths(Graph("a~b b~c"), "a", "c") == []
