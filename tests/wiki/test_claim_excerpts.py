"""Excerpts of many claims are shown with each line of a file once."""

from __future__ import annotations

from devrag.wiki.writing.model.claim_excerpts import show_excerpts

LINES = [f"pour({n})" for n in range(10)]


def excerpt(first: int, end: int, path: str = "tea.py", beside: str = "") -> str:
    return "\n".join([path, beside, *LINES[first:end]])


def test_an_excerpt_inside_another_is_a_piece_of_it() -> None:
    outer, inner = excerpt(0, 10), excerpt(4, 6)

    shown = show_excerpts([inner, outer])

    assert [body for _, _, body in shown.pieces] == [
        "\n".join(LINES[:4]),
        "\n".join(LINES[4:6]),
        "\n".join(LINES[6:]),
    ]
    assert shown.references([inner]) == "P2"
    assert shown.references([outer]) == "P1-P3"


def test_excerpts_that_continue_each_other_share_their_lines() -> None:
    one, other = excerpt(0, 6), excerpt(2, 10)

    shown = show_excerpts([one, other])

    text = shown.text("word")
    assert all(text.count(line) == 1 for line in LINES)
    assert shown.references([one]) == "P1-P2"
    assert shown.references([other]) == "P2-P3"


def test_equal_lines_of_two_files_stay_apart() -> None:
    one, other = excerpt(0, 3), excerpt(0, 3, "pot.py")

    shown = show_excerpts([one, other])

    assert shown.files == ["tea.py", "pot.py"]
    assert shown.references([one, other]) == "P1-P2"


def test_a_file_is_named_once_above_its_pieces() -> None:
    shown = show_excerpts([excerpt(0, 2, beside="Tea"), excerpt(5, 7, beside="Pot")])

    assert shown.text("word").split("\n") == [
        *("word tea.py", "word P1 Tea", "pour(0)", "pour(1)"),
        *("word P2 Pot", "pour(5)", "pour(6)"),
    ]


def test_indentation_and_empty_comments_are_left_out() -> None:
    lines = "    /// <summary>\n    /// Pours.\n    /// </summary>\n    Pour();"

    (piece,) = show_excerpts([f"tea.cs\nPour\n{lines}"]).pieces

    assert piece == ("tea.cs", "Pour", "/// Pours.\nPour();")


def test_pieces_of_references_that_are_apart_are_listed() -> None:
    texts = [excerpt(0, 2), excerpt(4, 6), excerpt(8, 10)]

    shown = show_excerpts(texts)

    assert shown.references([texts[0], texts[2]]) == "P1, P3"
