"""Cells of a table know their column."""

from __future__ import annotations

import pytest

from devrag.core.markdown import render_markdown

WIDE = "| Name | *Default* | `Meaning` |\n|---|---|---|\n| a | 1 | x |\n| b | | y |\n"


def test_cells_of_a_wide_table_have_the_words_of_their_head() -> None:
    html = render_markdown(WIDE).html
    assert html.count('data-label="Name"') == 2
    assert html.count('data-label="Default"') == 2
    assert '<td data-label="Meaning">x</td>' in html


@pytest.mark.parametrize(
    "text", ["| a | b |\n|---|---|\n| 1 | 2 |\n", "No table", "| a |\n|---|\n"]
)
def test_other_texts_have_no_labels(text: str) -> None:
    assert "data-label" not in render_markdown(text).html


def test_each_table_has_its_own_heads() -> None:
    other = WIDE.replace("Name", "Key")
    html = render_markdown(f"{WIDE}\n{other}").html
    assert (html.count('data-label="Name"'), html.count('data-label="Key"')) == (2, 2)


def test_markup_in_a_head_stays_text() -> None:
    html = render_markdown('| "<b>" | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n').html
    assert "<b>" not in html
