"""Small groups join what they are tied to, else what is near them."""

from __future__ import annotations

import time

import pytest

from devrag.wiki.analysis.topics.joining import join_small
from devrag.wiki.analysis.topics.ties import Material, TieGraph, tie_material
from tests.wiki.topic_inputs import code_files, uses


def ties_of(paths: list[str], *pairs: tuple[str, str]) -> TieGraph:
    files = code_files(paths)
    return tie_material(Material(files, uses(files, pairs)))


def joined(
    ties: TieGraph, groups: list[list[str]], least: float, most: int
) -> list[set[str]]:
    """Return the paths of groups after small ones joined others."""
    numbers = {file.path: ties.node_of[file.id] for file in ties.files.values()}
    nodes = [{numbers[path] for path in group} for group in groups]
    found = join_small(ties, nodes, least, most)
    return [{ties.files[f].path for f in ties.files_of(each)} for each in found]


def test_a_small_group_joins_the_one_that_it_is_tied_to() -> None:
    big, other = [f"a/b{n}.py" for n in range(5)], [f"c/d{n}.py" for n in range(5)]
    ties = ties_of([*big, *other, "a/q.py"], ("a/q.py", "c/d1.py"))
    assert joined(ties, [big, other, ["a/q.py"]], 0.2, 9) == [
        set(big),
        {*other, "a/q.py"},
    ]


@pytest.mark.parametrize(
    ("path", "home"),
    [("x/a/q.py", 0), ("x/c/deep/q.py", 1), ("x/q.py", 1), ("z/q.py", 1)],
)
def test_without_ties_it_joins_what_shares_most_of_its_path(
    path: str, home: int
) -> None:
    groups = [
        ["x/a/one.py", "x/a/two.py", "x/a/six.py"],
        ["x/c/ten.py", "x/c/map.py", "x/c/pen.py", "x/c/fog.py"],
    ]
    files = code_files([*groups[0], *groups[1], path])
    ties = tie_material(Material(files, {}))
    ties.graph.remove_edges_from(list(ties.graph.edges))
    found = joined(ties, [*groups, [path]], 0.2, 9)
    assert path in found[home]


def test_the_smallest_join_others_while_there_are_too_many() -> None:
    groups = [[f"p{n}/{k}z.py" for k in range(n + 1)] for n in range(6)]
    ties = ties_of([path for group in groups for path in group])
    assert [len(group) for group in joined(ties, groups, 0.0, 6)] == [1, 2, 3, 4, 5, 6]
    assert sorted(len(group) for group in joined(ties, groups, 0.0, 4))[-3:] == [
        4,
        5,
        9,
    ]


@pytest.mark.slow
def test_thousands_of_groups_without_ties_are_joined_at_once() -> None:
    files = code_files(f"pkg{n}x/alpha{n}q.py" for n in range(3000))
    ties = tie_material(Material(files, {}))
    groups = [{node} for node in ties.members]
    started = time.process_time()
    found = join_small(ties, groups, 0.02, 18)
    assert time.process_time() - started < 5
    assert sum(map(len, found)) == 3000
