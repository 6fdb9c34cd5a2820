"""Overloads are told apart by how many arguments a call passes."""

from __future__ import annotations

import time

import pytest

from devrag.wiki.analysis.overloads import count_arguments, overload_of
from devrag.wiki.analysis.survey import SurveySymbol


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("Run();", 0),
        ("x.Run(a, b);", 2),
        ('Run(new Map<string, int>(), (a, b) => a > b, "x, y");', 3),
        ("Run<Map<A, B>>(a[1, 2]);", 1),
        ("Run(x => {\n  Stop(x, 1);\n}, token);", 2),
        ("Walk(a);", None),
        ("Run(a, // of them, don't stop\n  b);", 2),
        ("Run(a /* one, two */, b);", 2),
        ("Run(/* nothing, yet */);", 0),
        ("/* Run(a, b, c) */ Run(a);", 1),
        ('Run("http://tea, cups", a);', 2),
        ('Run(@"C:\\tea\\", "x, y");', 2),
        ('Run("""\n  say "tea, cups"\n  """, a);', 2),
    ],
)
def test_arguments_are_counted_up_to_the_closing_bracket(
    line: str, arguments: int | None
) -> None:
    assert count_arguments(line.split("\n"), 1, "Run") == arguments


def overload(number: int, signature: str) -> SurveySymbol:
    return SurveySymbol(
        id=number,
        file=1,
        kind="method",
        name="Run",
        qualified_name="Job.Run",
        start_line=number,
        end_line=number,
        signature=signature,
    )


@pytest.mark.parametrize(
    ("signature", "arguments", "is_meant"),
    [
        ("void Run(int a, int b = 1)", 1, True),
        ("void Run(int a, int b = 1)", 3, False),
        ("void Run(params int[] all)", 7, True),
        ("void Run(String... all)", 0, True),
        ("static void Run<T>(this Job<T> job, int a)", 1, True),
        ("void Run(Map<string, int> map)", 2, False),
        ("int Run", 2, True),
        ('void Run(string separator = ",")', 1, True),
        ("void Run(int a /* of one, two */)", 2, False),
    ],
)
def test_an_overload_takes_so_many_arguments(
    signature: str, arguments: int, *, is_meant: bool
) -> None:
    found = overload_of(overload(1, signature), [], arguments)
    assert (found is not None) is is_meant


def test_the_overload_beside_it_is_meant() -> None:
    one, two = overload(1, "void Run(int a)"), overload(2, "void Run(int a, int b)")
    assert overload_of(one, [one, two], 2) is two


@pytest.mark.parametrize("text", ['"' * 12_000, "<" * 12_000, "/*/" * 4_000])
def test_hostile_arguments_are_counted_at_once(text: str) -> None:
    started = time.process_time()
    count_arguments([f"Run({text}", "x" * 12_000], 1, "Run")
    assert time.process_time() - started < 2
