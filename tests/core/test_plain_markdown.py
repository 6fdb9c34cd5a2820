"""Excerpts of Markdown as words."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.core.plain_markdown import to_plain


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("# Refunds\n\nWithin *14* days.", "Refunds: Within *14* days."),
        ("* one\n* two", "• one • two"),
        ("see [the guide](https://a.b/c) and ![plan](p.png)", "see the guide and plan"),
        ("call `__init__` **now**", "call __init__ now"),
        ("> said\n>> before", "said before"),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |", "a · b; 1 · 2"),
        ("```py\nif  x: # no heading\n```", "if x: # no heading"),
        ("```sh\n# Build it\nmake\n  ## Try.\n#!x\n```", "Build it: make Try. #!x"),
        ("one\n\n---\n\ntwo", "one two"),
        ("one<br>two<br />three", "one two three"),
        ('<a name="top"></a>Top of <b>all</b>', "Top of all"),
        ('<p align="center">\n<img src="a.png"\n  alt="x > y">\n</p>\nText', "Text"),
        ("<!-- a\nnote -->Text", "Text"),
        ("`<br>` ends a line", "<br> ends a line"),
        ("```html\n<p>kept</p>\n```", "<p>kept</p>"),
        ("a <b and List<Item> or <- c", "a <b and List<Item> or <- c"),
        ("[![Build](b.svg)](https://ci/x) [![N][n]][m]Text", "Text"),
        ("[one](a_(b).md 'title') [two][t] <https://a.b/c>", "one two https://a.b/c"),
        (r"Docs \& C, a\_b &amp; d", "Docs & C, a_b & d"),
        ("---\nlayout: home\n---\n\n# Tea\n\nHot.", "Tea: Hot."),
        ("---\n\nNo front matter", "No front matter"),
        ("::: tip Hint\nUse it.\n:::", "Hint Use it."),
        ("### 返金とは？\n\n14日以内", "返金とは？ 14日以内"),
    ],
)
def test_marks_go_and_words_stay(markdown: str, plain: str) -> None:
    assert to_plain(markdown) == plain


@pytest.mark.parametrize(
    "piece", ["<a ", '<a "', "[![a](", "[a](<", "<!-- ", "`", " " * 20]
)
def test_unfinished_markup_takes_no_long_time(piece: str) -> None:
    started = time.process_time()
    to_plain(piece * 3_000)
    assert time.process_time() - started < 2


def test_a_heading_that_stands_above_is_not_repeated() -> None:
    text = "### Rin, 2026-03-01\n\nDecided.\n\n### Rin, 2026-03-01"
    assert to_plain(text, "Rin, 2026-03-01") == "Decided. Rin, 2026-03-01:"
    assert to_plain("1.0 / 2026\n====\n\n * One", "1.0 / 2026") == "• One"


@given(st.text(alphabet="ab#*`[]()|-> \n", max_size=80))
def test_no_letter_is_lost(text: str) -> None:
    # Only the target of a link goes.
    kept = to_plain(text.replace("](", "] ("))
    assert [c for c in kept if c in "ab"] == [c for c in text if c in "ab"]
