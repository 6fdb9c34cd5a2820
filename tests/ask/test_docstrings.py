"""Long docstrings are left out of definitions."""

from __future__ import annotations

import pytest

from devrag.ask.evidence.docstrings import split_at_docstring
from tests.ask.test_selection import candidate

LONG = ["def charge(", "    amount: int,", ") -> int:", '    """Take the money.']
LONG += ["", *[f"    >>> charge({n})" for n in range(20)], '    """', "    return 1"]


def _split(lines: list[str]) -> list[tuple[int, int]]:
    whole = candidate("till.py", 3, 2 + len(lines), 0.5)
    parts = split_at_docstring(whole, ["", "", *lines, "after = 1"])
    return [(each.start_line, each.end_line) for each in parts]


def test_the_head_and_the_body_remain() -> None:
    assert _split(LONG) == [(3, 9), (29, 29)]


def test_a_file_weighs_no_more_than_before() -> None:
    whole = candidate("till.py", 1, len(LONG), 0.5)
    parts = split_at_docstring(whole, LONG)
    assert [each.file_weight for each in parts] == [0.5, 0.0]
    assert [each.weight for each in parts] == [0.5, 0.5]


def test_a_definition_that_is_only_documented_keeps_its_head() -> None:
    assert _split(LONG[:-1]) == [(3, 9)]
    assert _split(LONG[:-2]) == [(3, 9)]


@pytest.mark.parametrize(
    "lines",
    [
        ["def f():", *["    x = 1"] * 30],
        ["def f():", '    """One line."""', *["    x = 1"] * 30],
        ["def f():", '    """Two', '    lines."""', *["    x = 1"] * 30],
        ["def f():", "    x = call(", '    """text', *["more"] * 20, '    """)'],
    ],
)
def test_what_has_no_long_docstring_stays_whole(lines: list[str]) -> None:
    assert _split(lines) == [(3, 2 + len(lines))]
