"""Comments inside of code that are sentences are kept, with their lines."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.inner_comments import inner_comments

TEXT = """def send():
    # The connection is taken from the pool,
    # so that it need not be opened.
    a = 1
    /* The block is answered
     * by another server here. */
    b = 2
"""


def test_lines_and_blocks_are_joined() -> None:
    lines = TEXT.split("\n")
    found = inner_comments(lines, 1, len(lines))
    assert [(c.text, c.start_line, c.end_line) for c in found] == [
        (
            "The connection is taken from the pool, so that it need not be opened.",
            2,
            3,
        ),
        ("The block is answered by another server here.", 5, 6),
    ]


@pytest.mark.parametrize(
    "comment",
    [
        "# TODO: take the connection from the pool again",
        "# noqa: this line is long for a good reason",
        "# pool.take(connection); connection = open(url, timeout=5)",
        "# one two three",
    ],
)
def test_remarks_and_dead_code_tell_nothing(comment: str) -> None:
    assert inner_comments(["def f():", comment, "x"], 1, 3) == []


def test_comments_of_what_stands_inside_are_not_its_own() -> None:
    lines = ["def f():", "    def g():", "        # The pool is shared by all clients."]
    assert len(inner_comments(lines, 1, 3)) == 1
    assert inner_comments(lines, 1, 3, [(2, 3)]) == []
