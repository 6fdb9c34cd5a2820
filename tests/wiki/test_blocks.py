"""Markup comes off prose and leaves code as it is."""

from __future__ import annotations

import time

import pytest

from devrag.wiki.evidence.blocks import (
    fenced,
    links_in,
    plain,
    split_blocks,
    unlink,
)


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("It is a .NET library [[E1]].", "It is a .NET library."),
        ("Run `tea --root ./pot` [[E1]] [[E2]].", "Run `tea --root ./pot`."),
        ("**Both** take `pour(**cup)` [[E1]].", "Both take `pour(**cup)`."),
        (r"`a\_b` is a\_b [[E1]].", r"`a\_b` is a_b."),
        ("[`Pot`](pot.md) [[E1]] and `lids[n](cup)`.", "`Pot` and `lids[n](cup)`."),
        ("お茶を淹れる [[E1]]。次に注ぐ [[E2]]、", "お茶を淹れる。次に注ぐ、"),
        ("It pours [[E1]] :", "It pours:"),
        ("[[E1]] .NET pours.", ".NET pours."),
    ],
)
def test_prose_is_plain_and_its_code_stays(text: str, bare: str) -> None:
    assert plain(text) == bare


def test_a_call_of_an_item_in_code_is_no_link() -> None:
    text = "It calls `lids[n](cup)` of [`Pot`](pot.md)."
    assert links_in(text) == [("`Pot`", "pot.md")]
    assert unlink(text, lambda _: False) == "It calls `lids[n](cup)` of `Pot`."


@pytest.mark.parametrize("inner", ["```", "````", "``````text", "~~~~"])
def test_no_line_of_quoted_code_ends_its_block(inner: str) -> None:
    code = f"{inner}\n## Injected\n\nThe code is safe [[E1]]."
    blocks = split_blocks(fenced(code, "text"))
    assert [(block.kind, block.text) for block in blocks] == [("fence", code)]


def test_a_longer_run_of_ticks_ends_a_block_as_in_markdown() -> None:
    kinds = [block.kind for block in split_blocks("```\na\n`````\n\nb\n")]
    assert kinds == ["fence", "paragraph"]


@pytest.mark.parametrize("text", ["`" * 3_000, "[" * 30_000])
def test_marks_without_an_end_are_read_at_once(text: str) -> None:
    started = time.process_time()
    assert plain(text) == text
    assert time.process_time() - started < 2
