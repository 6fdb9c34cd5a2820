"""What hostile ignore files may cost."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from devrag.core.errors import InvalidInput
from devrag.sources import ignore_limits
from devrag.sources.ignore import IgnoreRules
from devrag.sources.ignore_limits import (
    MAX_IGNORE_BYTES,
    MAX_IGNORE_FILES,
    MAX_PATTERN_BYTES,
    MAX_PATTERNS,
    IgnoreBudget,
)
from devrag.sources.selection import Selection


def lines(pattern: Callable[[int], str], count: int = MAX_PATTERNS) -> str:
    return "\n".join(map(pattern, range(count)))


@pytest.mark.parametrize(
    ("text", "ignored"),
    [
        ("x" + " " * 1_900_000, "x"),
        ("x" + "\\ " + " " * 1_900_000, "x "),
        ("# " + "\\ " * 900_000 + "\nx", "x"),
        (" " * 1_900_000 + "\nx", None),
        ("\n" * 1_900_000 + "x", "x"),
    ],
)
def test_reading_takes_linear_time(text: str, ignored: str | None) -> None:
    before = time.process_time()
    if ignored is None:
        IgnoreRules.from_files({".gitignore": text})
    else:
        rules = IgnoreRules.from_files({".gitignore": text})
        assert rules.reason(ignored, 0) == "ignored by .gitignore"
        assert rules.reason(ignored + "y", 0) is None
    assert time.process_time() - before < 3  # quadratic reading takes an hour


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ok\n" + "x" * (MAX_PATTERN_BYTES + 1), "Line 2 of a/.gitignore is a pattern"),
        ("[" + "[:" * MAX_PATTERN_BYTES + "]", "is a pattern of 2,002 bytes"),
        ("\\ " * MAX_PATTERN_BYTES, "is a pattern of 2,000 bytes"),
        (lines(str, MAX_PATTERNS + 1), "more than 20,000 patterns"),
    ],
)
def test_patterns_past_the_limits_are_refused_with_their_place(
    text: str, message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        IgnoreRules.from_files({"a/.gitignore": text})


@pytest.mark.slow
def test_many_files_of_equal_text_are_compiled_once() -> None:
    text = lines(lambda number: f"*{number}*z", MAX_PATTERNS // 2)
    files = {f"d{number}/.gitignore": text for number in range(400)}
    before = time.process_time()
    rules = IgnoreRules.from_files(files)
    assert rules.reason("d399/17/17.z", 1) == "ignored by .gitignore"
    assert time.process_time() - before < 20  # each on its own: minutes


def test_ignore_files_have_a_budget_in_all() -> None:
    budget = IgnoreBudget()
    budget.add_file(".gitignore", MAX_IGNORE_BYTES)
    with pytest.raises(InvalidInput, match=r"up to b/.gitignore have 8,000,001 bytes"):
        budget.add_file("b/.gitignore", 1)


def test_ignore_files_are_counted() -> None:
    budget = IgnoreBudget()
    for number in range(MAX_IGNORE_FILES):
        budget.add_file(f"{number}/.gitignore", 1)
    with pytest.raises(InvalidInput, match="more than 20,000 ignore files"):
        budget.add_file("z/.gitignore", 1)


@pytest.mark.parametrize(
    "pattern",
    [
        lambda number: f"/dir*/a*b*c*{number}",
        lambda number: "**/" + "*a" * 400 + f"b{number}",
        lambda number: "[!a]" * 90 + f"*{number}",
        lambda number: "**/" * 200 + f"x{number}",
        lambda number: "?*" * 200 + f"{number}z",
    ],
)
def test_time_for_compiling_and_matching_is_bounded(
    pattern: Callable[[int], str],
) -> None:
    budget = IgnoreBudget(max_seconds=0.2)
    deep = "dirs/" + ("a" * 200 + "/") * 9 + "a"

    def match() -> None:
        rules = IgnoreRules.from_files({".gitignore": lines(pattern)}, budget=budget)
        for number in range(100_000):
            rules.reason(f"{deep}{number}", 1)

    before = time.process_time()
    with pytest.raises(InvalidInput, match=r"took more than 0\.2 s"):
        match()
    assert time.process_time() - before < 10


def test_a_source_s_own_patterns_count_as_well() -> None:
    selection = Selection(exclude=("x" * (MAX_PATTERN_BYTES + 1),))
    with pytest.raises(InvalidInput, match="Line 1 of the source's settings"):
        IgnoreRules.from_files({}, selection)


@pytest.mark.slow
def test_a_cancel_reaches_compiling_and_matching() -> None:
    calls = 0

    def checkpoint() -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise InterruptedError

    text = lines(lambda number: f"a*{number}*z")
    with pytest.raises(InterruptedError):
        IgnoreRules.from_files({".gitignore": text}, budget=IgnoreBudget(checkpoint))
    calls = -1_000_000
    budget = IgnoreBudget(checkpoint)
    rules = IgnoreRules.from_files({".gitignore": text}, budget=budget)
    calls = 1
    with pytest.raises(InterruptedError):
        rules.reason("ab", 1)


def test_a_cancel_comes_at_each_path_also_without_ignore_files() -> None:
    def checkpoint() -> None:
        raise InterruptedError

    rules = IgnoreRules.from_files({}, budget=IgnoreBudget(checkpoint))
    with pytest.raises(InterruptedError):
        rules.reason("a/b/c", 1)


def test_many_folders_are_not_all_remembered() -> None:
    rules = IgnoreRules.from_files({".gitignore": "z"})
    for number in range(60):
        assert rules.reason(f"{number}/" + "a/" * 900 + "x", 1) is None
    assert len(rules._directories) < 22_000


def test_nested_ignore_files_are_linked_not_copied() -> None:
    files = {"d/" * depth + ".gitignore": "*.log" for depth in range(900)}
    rules = IgnoreRules.from_files(files)
    assert rules.reason("d/" * 899 + "x.log", 1) == "ignored by .gitignore"
    assert rules.reason("d/" * 899 + "x.txt", 1) is None


def test_the_limits_leave_room_for_large_projects() -> None:
    # The largest public monorepos have a tenth of this.
    files = {f"p{number}/.gitignore": "dist/\n*.log\n" * 50 for number in range(5000)}
    budget = IgnoreBudget()
    for path, text in files.items():
        budget.add_file(path, len(text))
    rules = IgnoreRules.from_files(files, budget=budget)
    assert rules.reason("p7/dist/x", 1) == "ignored by .gitignore"
    assert ignore_limits.MAX_SECONDS >= 60
