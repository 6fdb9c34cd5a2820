"""The sets of questions are whole, and answers are judged by their lines and names."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.search_sets import DATA, is_definition, read_rows, says_nothing

ROW = {"path": "shop/till.py", "name": "Till.charge", "start_line": 10, "end_line": 29}


def _hit(name: str, start: int, end: int, path: str = "shop/till.py") -> Any:
    return SimpleNamespace(path=path, start_line=start, end_line=end, symbol_name=name)


@pytest.mark.parametrize(
    ("hit", "is_right"),
    [
        (_hit("charge", 10, 29), True),
        (_hit("Till.charge", 20, 29), True),
        (_hit("Till", 1, 29), False),
        (_hit("Till.charge.add_tax", 12, 15), True),
        (_hit("charge", 40, 60), False),  # another of that name
        (_hit("", 20, 29), True),
        (_hit("", 20, 38), True),  # ten of nineteen
        (_hit("", 20, 40), False),
        (_hit("charge", 10, 29, "shop/cart.py"), False),
    ],
)
def test_a_hit_is_a_definition_by_name_or_by_most_of_its_lines(
    hit: Any, *, is_right: bool
) -> None:
    assert is_definition(ROW, hit) is is_right


def test_an_answer_without_hits_says_nothing() -> None:
    hits = (_hit("charge", 1, 2),)
    assert says_nothing(SimpleNamespace(hits=(), confidence="none"))
    assert says_nothing(SimpleNamespace(hits=hits, confidence="low"))
    assert not says_nothing(SimpleNamespace(hits=hits, confidence="high"))


def test_functions_are_many_of_many_repositories_each_asked_once() -> None:
    rows = read_rows(DATA / "functions.jsonl")
    definitions = {(row["repo"], row["path"], row["start_line"]) for row in rows}
    assert len(definitions) == len(rows) >= 150
    assert len({row["question"] for row in rows}) == len(rows)
    assert min(Counter(row["repo"] for row in rows).values()) >= 20
    assert sum("unnamed" in row["kind"] for row in rows) * 3 >= len(rows)


def test_notes_are_of_known_folders_each_asked_once() -> None:
    rows = read_rows(DATA / "notes.jsonl")
    folders = {row["name"]: row for row in read_rows(DATA / "note_folders.jsonl")}
    assert {row["folder"] for row in rows} == set(folders)
    assert len({(row["folder"], row["path"]) for row in rows}) == len(rows) >= 100
    japanese = [row for row in rows if folders[row["folder"]]["language"] == "ja"]
    assert 3 * len(japanese) >= len(rows)
    assert sum(bool(folder["handbook"]) for folder in folders.values()) >= 4


def test_absent_names_are_fifty_of_each_language() -> None:
    rows = read_rows(DATA / "absent.jsonl")
    counts = Counter(row["language"] for row in rows)
    assert counts == {"c": 50, "go": 50, "java": 50, "python": 50}
    assert len({row["question"] for row in rows}) == len(rows)
    assert len((DATA / "nonsense.txt").read_text().split("\n")) == 31
