"""The length of a page counts what is read."""

from __future__ import annotations

from devrag.wiki.writing.structural.length import count_words


def test_words_are_counted_without_code_markers_and_addresses() -> None:
    blocks = [
        "# Two words",
        "See [one](features/one.md). [[E12]]",
        "```python\nx = 1\n```",
        "| --- | --- |",
    ]
    assert count_words(blocks) == 4


def test_two_characters_of_japanese_are_a_word() -> None:
    assert count_words(["音声合成 `run.py`"]) == 3
