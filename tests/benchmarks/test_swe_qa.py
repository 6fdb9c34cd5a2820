"""Files and lines that reference answers name, and what hits are worth for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.pinned import PinnedPart
from benchmarks.swe_qa import (
    CitingQuestion,
    Span,
    count_covered,
    count_touched,
    read_answer,
    read_set,
    share_of_files,
)
from tests.benchmarks.pinned_sets import head, write_git

KNOWN = frozenset({"shop/till.py", "shop/cart.py", "tests/cart.py", "docs/index.md"})


def _read(answer: str) -> CitingQuestion:
    return read_answer("?", answer, KNOWN, lambda _path: 200)


@pytest.mark.parametrize(
    ("answer", "spans"),
    [
        ("`shop/till.py` (lines 3-9)", [("shop/till.py", 3, 9)]),
        ("`shop/till.py`:\nline 3, later", [("shop/till.py", 3, 3)]),
        ("lines 3\u20139 of `shop/till.py`", [("shop/till.py", 3, 9)]),
        ("./shop/till.py:3-9", [("shop/till.py", 3, 9)]),
        (
            "`till.py` lines 3, 5-6 and 8",
            [("shop/till.py", 3, 3), ("shop/till.py", 5, 6), ("shop/till.py", 8, 8)],
        ),
        ("`shop/till.py` (lines 10-190)", [("shop/till.py", 10, 69)]),
        ("`shop/till.py` (lines 190-290)", []),
        ("`shop/till.py` (lines 9-3)", []),
        ("line 3 without a file", []),
        ("`shop/till.py`, then `gone.py` (line 3)", []),
        ("`shop/till.py` has one line 7 times", [("shop/till.py", 7, 7)]),
    ],
)
def test_lines_belong_to_the_path_beside_them(
    answer: str, spans: list[tuple[str, int, int]]
) -> None:
    assert _read(answer).spans == tuple(Span(*each) for each in spans)


def test_a_path_in_part_is_the_only_file_that_ends_so() -> None:
    assert _read("`till.py`, `cart.py`").paths == ("shop/till.py",)


def test_a_path_in_part_is_the_one_named_before() -> None:
    assert _read("`tests/cart.py`; in `cart.py`").paths == ("tests/cart.py",)


def test_files_count_by_their_share() -> None:
    gold = _read("`shop/till.py`, `docs/index.md`")
    assert share_of_files(gold, [Span("docs/index.md", 1, 2)]) == 0.5


@pytest.mark.parametrize(
    ("place", "touched", "covered"),
    [
        (Span("shop/till.py", 20, 24), 1, 1),  # five of five
        (Span("shop/till.py", 10, 20), 1, 0),  # one of eleven
        (Span("shop/till.py", 15, 24), 1, 1),  # five of ten
        (Span("shop/till.py", 1, 19), 0, 0),
        (Span("shop/cart.py", 20, 24), 0, 0),
        (Span("shop/till.py", 150, 400), 0, 0),
    ],
)
def test_lines_are_touched_by_one_and_covered_by_half(
    place: Span, touched: int, covered: int
) -> None:
    gold = _read("`shop/till.py` (lines 20-39)")
    assert count_touched(gold, [place]) == touched
    assert count_covered(gold, [place]) == covered


def test_a_long_hit_counts_by_its_first_lines() -> None:
    gold = _read("`shop/till.py` (lines 100-110)")
    assert count_touched(gold, [Span("shop/till.py", 41, 120)]) == 1
    assert count_touched(gold, [Span("shop/till.py", 40, 120)]) == 0


def test_a_set_is_read_at_the_commits_it_names(tmp_path: Path) -> None:
    git = write_git(tmp_path)
    found = read_set(git, PinnedPart("acme/bench", head(git, "acme+bench")), "shop")
    assert found.part == PinnedPart("acme/shop", head(git, "acme+shop/repo"))
    (question,) = found.questions
    assert question.paths == ("shop/till.py", "shop/cart.py")
    assert question.spans == (Span("shop/till.py", 6, 9), Span("shop/cart.py", 3, 4))
