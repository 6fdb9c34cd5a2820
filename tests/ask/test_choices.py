"""What a model wrote as what it wants to read."""

from __future__ import annotations

import pytest

from devrag.ask.agent.choices import (
    MOST_CHOICES,
    MOST_SEARCHES,
    Choice,
    read_choices,
)


@pytest.mark.parametrize(
    ("line", "choice"),
    [
        ("23", Choice(number=23)),
        ("- 23.", Choice(number=23)),
        ("23 checkout", Choice(number=23)),
        ("23:40-52", Choice(number=23, lines=(40, 52))),
        ("23:40-52 checkout", Choice(number=23, lines=(40, 52))),
        ("src/cart.py:1-30", Choice(path="src/cart.py", lines=(1, 30))),
        ("`src/cart.py:7`", Choice(path="src/cart.py", lines=(7, 7))),
        ("Cart.add", Choice(name="Cart.add")),
        ("`Cart::add()`", Choice(name="Cart::add")),
        ("? where tax is added", Choice(query="where tax is added")),
    ],
)
def test_each_line_is_something_to_read(line: str, choice: Choice) -> None:
    assert read_choices(f"{line}\n") == [choice]


def test_several_numbers_may_stand_in_a_line() -> None:
    assert read_choices("4, 12 7:1-9") == [
        Choice(number=4),
        Choice(number=12),
        Choice(number=7, lines=(1, 9)),
    ]


def test_what_is_odd_is_left_out_and_nothing_is_chosen_twice() -> None:
    said = "I would read these definitions:\n4\n\n?\n*\nCart.add\n4\n"
    assert read_choices(said) == [Choice(number=4), Choice(name="Cart.add")]


def test_searches_come_last_and_are_few() -> None:
    said = "\n".join(["? a b", "? c d", "? e f", "? g h", *map(str, range(1, 40))])
    found = read_choices(said)
    assert len(found) == MOST_CHOICES + MOST_SEARCHES
    assert [each.query for each in found[-MOST_SEARCHES:]] == ["a b", "c d", "e f"]
    assert found[0] == Choice(number=1)
