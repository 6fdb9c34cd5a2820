"""Rank, cycles, layers and paths on any graph."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devrag.wiki.analysis.graph import (
    components,
    layers,
    pagerank,
    shortest_circle,
    shortest_paths,
    walk_back,
)

NODES = range(8)


def _edges(pairs: set[tuple[int, int]]) -> dict[int, dict[int, float]]:
    return {one: {b: 1.0 for a, b in pairs if a == one} for one, _ in sorted(pairs)}


# Without filters, so that drawing a graph is quick on a busy machine.
graphs = st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=24).map(
    _edges
)


@settings(deadline=None)
@given(graphs)
def test_ranks_sum_to_one(edges: dict[int, dict[int, float]]) -> None:
    assert sum(pagerank(NODES, edges).values()) == pytest.approx(1)


def test_what_more_nodes_use_ranks_higher() -> None:
    rank = pagerank(range(4), {0: {3: 1.0}, 1: {3: 1.0}, 3: {2: 1.0}})
    assert rank[3] > rank[0]
    assert rank[2] > rank[1]


@settings(deadline=None)
@given(graphs)
def test_components_part_the_nodes(edges: dict[int, dict[int, float]]) -> None:
    found = components(NODES, edges)
    assert sorted(node for part in found for node in part) == list(NODES)


def test_a_circle_is_one_component_and_one_layer() -> None:
    edges = {0: {1: 1.0}, 1: {0: 1.0, 2: 1.0}}
    assert [0, 1] in components(range(3), edges)
    assert layers(range(3), edges) == {2: 0, 0: 1, 1: 1}


@settings(deadline=None)
@given(graphs)
def test_an_edge_never_points_to_a_higher_layer(
    edges: dict[int, dict[int, float]],
) -> None:
    level = layers(NODES, edges)
    assert all(level[b] <= level[a] for a, targets in edges.items() for b in targets)


def test_the_shortest_of_all_circles_is_told_from_its_start() -> None:
    edges = {1: {2: 1.0}, 2: {3: 1.0}, 3: {1: 1.0, 4: 1.0}, 4: {3: 1.0}}
    assert shortest_circle([1, 2, 3, 4], edges) == [3, 4, 3]


def test_a_deep_chain_does_not_recurse() -> None:
    edges = {n: {n + 1: 1.0} for n in range(5000)}
    assert layers(range(5001), edges)[0] == 5000


def test_shortest_path_is_walked_from_its_start() -> None:
    edges = {0: {1: 1.0, 2: 1.0}, 1: {3: 1.0}, 2: {4: 1.0}, 4: {3: 1.0}}
    assert walk_back(3, shortest_paths([0], edges)) == [0, 1, 3]
