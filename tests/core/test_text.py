"""Text for people and terminals."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from devrag.core.text import one_line


def test_control_characters_are_shown() -> None:
    assert one_line("esc\x1b[31mred\x07\n") == r"esc\x1b[31mred\x07\x0a"


@given(st.text())
def test_a_line_stays_one(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1
