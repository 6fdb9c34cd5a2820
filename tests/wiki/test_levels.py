"""Pages are written after those below them."""

from __future__ import annotations

import pytest

from devrag.wiki.planning.levels import WAVE_NAMES, waves_of
from devrag.wiki.planning.plan import Plan, PlannedPage


def plan_of(parents: dict[str, str]) -> Plan:
    return Plan(
        tuple(
            PlannedPage(path, "feature", path, (), parent, ordinal)
            for ordinal, (path, parent) in enumerate(parents.items())
        ),
        (),
    )


TREE = {
    "index.md": "",
    "architecture.md": "index.md",
    "a": "index.md",
    "a/b": "a",
    "a/b/c": "a/b",
    "d": "index.md",
}


def test_a_page_comes_after_all_below_it() -> None:
    waves = waves_of(plan_of(TREE), is_ordered=True)
    assert waves == [
        ["a/b/c", "d"],
        ["a/b"],
        ["a"],
        [],
        ["index.md", "architecture.md"],
    ]


def test_without_an_order_all_come_at_once() -> None:
    first, *others = waves_of(plan_of(TREE), is_ordered=False)
    assert (first, any(others)) == (list(TREE), False)


@pytest.mark.parametrize("depth", [5, 200])
def test_a_tree_of_any_depth_has_each_page_once(depth: int) -> None:
    chain = {f"p{n}": f"p{n - 1}" if n else "index.md" for n in range(depth)}
    waves = waves_of(plan_of({"index.md": "", **chain}), is_ordered=True)
    assert len(waves) == len(WAVE_NAMES)
    assert sorted(path for wave in waves for path in wave) == [
        "index.md",
        *sorted(chain),
    ]
    assert waves[0] == [f"p{depth - 1}"]
