"""What a docstring says of a name that already stands before it."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.without_name import without_name


@pytest.mark.parametrize(
    ("said", "name", "left"),
    [
        ("NewCommand returns a command.", "NewCommand", "returns a command."),
        (r"add\_book puts a book away.", "add_book", "puts a book away."),
        ("Options are the options of a shell.", "Option", "the options of a shell."),
        ("This class holds the state.", "State", "holds the state."),
        ("Command is just that, a command.", "Command", "Command is just that, a"),
        ("Returns the value.", "value", "Returns the value."),
        ("Commands returns all of them.", "Command", "Commands returns all of"),
    ],
)
def test_the_subject_is_left_out_where_it_is_the_name(
    said: str, name: str, left: str
) -> None:
    assert without_name(said, name).startswith(left)
