"""Tables of many things, without columns that say nothing."""

from __future__ import annotations

from devrag.wiki.writing.structural.tables import table


def test_a_column_without_cells_is_left_out() -> None:
    rows = [["`a`", "", "1"], ["`b`", "", ""]]
    assert table(["Name", "What it is", "By default"], rows) == [
        "| Name | By default |\n| --- | --- |\n| `a` | 1 |\n| `b` |  |"
    ]


def test_a_bar_in_a_cell_ends_no_cell() -> None:
    (text,) = table(["Name"], [["a|b"]])
    assert text.endswith(r"| a\|b |")


def test_no_rows_are_no_table() -> None:
    assert table(["Name"], []) == []
