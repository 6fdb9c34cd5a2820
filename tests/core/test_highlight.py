"""Highlighting: one safe fragment a line, whatever the text."""

from __future__ import annotations

import html
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.core import highlight
from devrag.core.highlight import highlight_lines, mark_terms, split_lines


def _text(fragment: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", fragment))


def test_tokens_carry_classes() -> None:
    assert highlight_lines("import os\n", "python") == [
        '<span class="kn">import</span> <span class="nn">os</span>'
    ]


def test_a_token_over_lines_is_closed_and_opened_again() -> None:
    lines = highlight_lines('x = """a\nb"""\n', "python")
    assert len(lines) == 2
    for line in lines:
        assert line.count("<span") == line.count("</span>")
    assert '<span class="s' in lines[1]


def test_an_unknown_language_is_escaped_text() -> None:
    assert highlight_lines("a < b", "klingon") == ["a &lt; b"]


def test_leading_and_trailing_blank_lines_keep_their_numbers() -> None:
    assert len(highlight_lines("\n\nx = 1\n\n\n", "python")) == 5


def test_carriage_returns_end_lines() -> None:
    assert split_lines("a\r\nb\rc\n") == ["a", "b", "c"]


def test_an_empty_file_has_one_empty_line() -> None:
    assert highlight_lines("", "python") == [""]


def test_too_many_lines_are_not_highlighted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(highlight, "MAX_LINES", 2)
    assert highlight_lines("def\ndef\ndef\n", "python") == ["def"] * 3


def test_very_long_lines_are_not_highlighted() -> None:
    assert "<span" not in highlight_lines("x=1;" * 2_000, "javascript")[0]


@given(
    st.text(alphabet="abc \t\n\"'#/*<>&`{}()=漢\\\f\x1d", max_size=120),
    st.sampled_from(["python", "javascript", "markdown", "html", "bash", ""]),
)
def test_the_text_survives(text: str, language: str) -> None:
    assert [_text(line) for line in highlight_lines(text, language)] == split_lines(
        text
    )


def test_terms_are_marked_in_text_only() -> None:
    assert (
        mark_terms('<span class="nf">class_name</span> &amp; amp', ["class", "amp"])
        == '<span class="nf"><mark>class</mark>_name</span> &amp; <mark>amp</mark>'
    )


def test_terms_match_without_regard_to_case() -> None:
    assert mark_terms("Hash", ["hash"]) == "<mark>Hash</mark>"


@pytest.mark.parametrize(
    ("language", "unit"),
    [("java", "a b "), ("java", "case a of "), ("html", "<!--"), ("jinja", "#{")],
)
def test_a_lexer_that_reads_on_to_the_end_is_stopped(
    monkeypatch: pytest.MonkeyPatch, language: str, unit: str
) -> None:
    monkeypatch.setattr(highlight, "_MOST_SECONDS", 0.2)
    line = (unit * 1_300)[: highlight.MAX_LINE_CHARACTERS]
    used = time.thread_time()
    lines = highlight_lines("\n".join([line] * 60), language)
    assert time.thread_time() - used < 4
    assert [_text(fragment) for fragment in lines] == [line] * 60
