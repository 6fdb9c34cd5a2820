"""The lines of a docstring in which a text ends."""

from __future__ import annotations

import pytest

from devrag.wiki.writing.structural.topic_page.home import end_of_text, line_of

LINES = [
    '    """Reads.',
    "    path:",
    "        Where the rows",
    "        are read from.",
    "    size: How many.",
    '    """',
]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("Where the rows are read from.", 2, 4),
        ("How many.", 5, 5),
        ("Not there.", 2, 2),
    ],
)
def test_a_text_ends_where_its_last_words_stand(
    text: str, start: int, end: int
) -> None:
    assert end_of_text(LINES, text, start, len(LINES)) == end


def test_a_japanese_text_begins_in_the_line_that_has_its_beginning() -> None:
    lines = [
        "def count():",
        '    """注文の数を数え、',
        "    合計を返します。",
        '    """',
    ]
    text = "注文の数を数え、合計を返します。"
    assert line_of(lines, text, (1, 4)) == 2
