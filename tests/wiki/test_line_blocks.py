"""Lines are completed to their paragraph and block, whatever the language."""

from __future__ import annotations

import pytest

from devrag.wiki.writing.model.line_blocks import (
    completed,
    joined,
    passages,
    pieces_of,
)

CODE = """\
func Serve(port int) error {
	listener := open(port)

	for {
		request := next(listener)
		if request == nil {
			log("empty")
			continue
		}

		handle(request)
	}
	return nil
}

func Other() {
}
""".splitlines()
DOCUMENT = """\
# Tea

Water first.
It boils.

- Then the leaves,
  which are green.
""".splitlines()


@pytest.mark.parametrize(
    ("lines", "part", "most", "found"),
    [
        (CODE, (7, 7), 4, (6, 9)),  # the branch, with the condition that opens it
        (CODE, (7, 7), 9, (4, 12)),  # the loop around it
        (CODE, (7, 7), 40, (1, 14)),  # and never the function below
        (DOCUMENT, (4, 4), 2, (3, 4)),
        (DOCUMENT, (7, 7), 3, (6, 7)),
    ],
)
def test_lines_are_completed_as_far_as_there_is_room(
    lines: list[str], part: tuple[int, int], most: int, found: tuple[int, int]
) -> None:
    assert completed(lines, part, (1, 14), most) == found


def test_a_paragraph_without_end_gives_the_lines_beside() -> None:
    assert completed(["word"] * 100, (50, 50), (1, 100), 40) == (44, 56)


def test_what_is_around_is_never_left() -> None:
    assert completed(CODE, (7, 7), (6, 7), 40) == (6, 7)


@pytest.mark.parametrize(
    ("ranges", "found"),
    [
        ([(5, 9), (1, 4)], [(1, 9)]),
        ([(1, 4), (6, 9), (1, 4)], [(1, 9)]),
        ([(1, 4), (20, 24)], [(1, 4), (20, 24)]),
        ([(1, 9), (3, 4)], [(1, 9)]),
        ([(1, 8), (6, 14)], [(1, 8), (9, 14)]),  # more than 10 lines together
    ],
)
def test_ranges_that_meet_become_one(
    ranges: list[tuple[int, int]], found: list[tuple[int, int]]
) -> None:
    assert joined(ranges, 10) == found


def test_pieces_end_at_blank_lines() -> None:
    assert pieces_of(CODE, (1, 14), 10) == [(1, 10), (11, 14)]
    assert pieces_of(["word"] * 25, (1, 25), 10) == [(1, 10), (11, 20), (21, 25)]


def test_paragraphs_of_a_document_keep_what_belongs_to_them() -> None:
    lines = [
        *("# Tea", "", "It is hot.", "Very hot.", "", "So it is brewed:", ""),
        *("```sh", "brew", "", "pour", "```", "", "It is drunk."),
    ]

    assert passages(lines, (1, len(lines))) == [(1, 4), (6, 12), (14, 14)]
