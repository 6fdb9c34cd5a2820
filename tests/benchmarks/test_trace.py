"""The set of traces is whole, and answers are judged by the definitions they pass."""

from __future__ import annotations

import json
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.trace import DATA, judge, passes
from devrag.ask.trace.question import read_endpoints

ROW = {"path": ["a.py::f", "b.py::g", "c.py::h"]}
ABSENT: dict[str, Any] = {"path": []}


def _answer(*names: str, outcome: str = "answered", markdown: str = "") -> Any:
    """Return an answer that cites definitions, and a call before each."""
    passages = [
        SimpleNamespace(kind=kind, path=name.partition("::")[0], title=title)
        for name in names
        for kind, title in (("caller", "x"), ("callee", name.partition("::")[2]))
    ]
    return SimpleNamespace(citations=passages, outcome=outcome, markdown=markdown)


@pytest.mark.parametrize(
    ("names", "verdict"),
    [
        (("a.py::f", "b.py::g", "c.py::h"), (True, True)),
        (("a.py::f", "z.py::z", "b.py::g", "c.py::h"), (True, True)),
        (("a.py::f", "c.py::h"), (True, False)),
        (("a.py::f", "b.py::g"), (False, False)),
        (("c.py::h", "b.py::g", "a.py::f"), (False, False)),
        ((), (False, False)),
    ],
)
def test_a_path_is_right_when_it_passes_all_in_order(
    names: tuple[str, ...], verdict: tuple[bool, bool]
) -> None:
    assert judge(ROW, _answer(*names)) == verdict


def test_where_there_is_no_path_none_may_be_told() -> None:
    assert judge(ABSENT, _answer(outcome="not_found")) == (False, True)
    assert judge(ABSENT, _answer("a.py::f")) == (True, False)
    other_way = "`g` reaches `f`, not the other way round."
    assert judge(ABSENT, _answer("b.py::g", markdown=other_way)) == (False, True)


def test_order_matters() -> None:
    assert passes("abcd", "bd")
    assert not passes("abcd", "db")


def test_the_set_has_paths_of_many_repositories_and_questions_without_any() -> None:
    rows = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
    traced = [row for row in rows if row["path"]]
    assert len(traced) >= 30
    assert len(rows) - len(traced) >= 5
    assert len({row["repo"] for row in traced}) >= 5
    assert sum(bool(row["through"]) for row in traced) >= 8
    assert max(Counter(row["question"] for row in rows).values()) == 1
    questions = [read_endpoints(row["question"]) for row in rows]
    assert all(each is not None and each.is_named for each in questions)
