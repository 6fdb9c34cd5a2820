from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.parsing.api import estimate_tokens, parse_file, text_windows, window_spans


@pytest.mark.parametrize(
    ("total", "spans"),
    [
        (0, []),
        (800, [(0, 800)]),
        (801, [(0, 800), (600, 801)]),
        (2000, [(0, 800), (600, 1400), (1200, 2000)]),
        (2600, [(0, 800), (600, 1400), (1200, 2000), (1800, 2600)]),
    ],
)
def test_spans(total: int, spans: list[tuple[int, int]]) -> None:
    assert window_spans(total) == spans


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("abcdefg", 2), ("abcdefgh", 3), ("日本語ab", 4)]
)
def test_token_estimate(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@pytest.mark.parametrize(("size", "chunks"), [(3000, 1), (3001, 2)])
def test_text_is_split_beyond_3000_characters(size: int, chunks: int) -> None:
    line = "y" * 99 + "\n"
    text = (line * 31)[:size]
    assert len(parse_file("a.txt", text).chunks) == chunks


def test_windows_are_whole_lines_with_overlap() -> None:
    lines = [f"line {number} " + "x" * 60 for number in range(200)]
    windows = text_windows(lines)
    assert windows[0].start_line == 1
    assert windows[-1].end_line == 200
    for window in windows:
        assert window.text.split("\n") == lines[window.start_line - 1 : window.end_line]
        assert estimate_tokens(window.text) <= 860
    for left, right in pairwise(windows):
        shared = "\n".join(lines[right.start_line - 1 : left.end_line])
        assert 100 <= estimate_tokens(shared) <= 200


def test_a_window_ends_with_a_paragraph_where_it_can() -> None:
    paragraph = ["word " * 20] * 9 + [""]
    windows = text_windows(paragraph * 12)
    assert all(window.end_line % 10 == 9 for window in windows)


def test_a_line_longer_than_a_window_is_cut_by_characters() -> None:
    windows = text_windows(["short", "x" * 10_000, "end"])
    assert [(w.start_line, w.end_line) for w in windows] == [
        (1, 1),
        (2, 2),
        (2, 2),
        (2, 2),
        (2, 2),
        (2, 2),
        (3, 3),
    ]
    assert max(estimate_tokens(window.text) for window in windows) <= 800


@given(st.lists(st.text(st.characters(exclude_characters="\n"), max_size=900)))
def test_windows_cover_every_line_with_text(lines: list[str]) -> None:
    windows = text_windows(lines)
    for number, line in enumerate(lines, start=1):
        if line.strip():
            around = [w for w in windows if w.start_line <= number <= w.end_line]
            assert any(line in window.text for window in around)
