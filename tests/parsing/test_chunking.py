"""Chunk sizes as options: what follows from what, and that all parsers keep to them."""

from __future__ import annotations

import json
import pickle
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.parsing.api import estimate_tokens, parse_file, text_windows, window_spans
from devrag.parsing.chunking import (
    DEFAULT_CHUNKING,
    MAX_TOKENS,
    MIN_TOKENS,
    ChunkOptions,
    complete_options,
    parser_version,
)
from devrag.parsing.documents.pdf_text import PAGE_BREAK
from devrag.parsing.tokens import token_weight
from devrag.parsing.types import FACTS_VERSION
from tests.parsing.cases import FIXTURES, PATHS

SMALL = complete_options(100)
# Sections hold their children, and entries are whole: neither is a window.
CUT = {"window", "symbol"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((800, None, None), ChunkOptions(800, 200, 3000)),
        ((400, None, None), ChunkOptions(400, 100, 1500)),
        ((400, 0, None), ChunkOptions(400, 0, 1500)),
        ((400, None, 6000), ChunkOptions(400, 100, 6000)),
        ((800, None, 700), ChunkOptions(200, 50, 700)),
    ],
)
def test_what_is_left_out_follows_in_proportion(
    given: tuple[int, int | None, int | None], expected: ChunkOptions
) -> None:
    assert complete_options(*given) == expected


def test_usual_sizes_make_the_facts_of_the_parser() -> None:
    assert DEFAULT_CHUNKING.facts_version() == FACTS_VERSION
    assert complete_options(800) == DEFAULT_CHUNKING
    assert parse_file("a.py", "x = 1\n").facts_version == FACTS_VERSION


def test_other_sizes_are_another_version_of_the_same_parser() -> None:
    steps = range(MIN_TOKENS, MAX_TOKENS + 1, 50)
    sizes = [complete_options(n, n // part) for n in steps for part in (2, 4, 8)]
    versions = {each.facts_version() for each in sizes}
    assert len(versions) == len(sizes)
    assert all(0 < version < 2**31 for version in versions)
    assert {parser_version(version) for version in versions} == {FACTS_VERSION}
    assert parse_file("a.py", "", SMALL).facts_version == SMALL.facts_version()


def test_sizes_travel_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(SMALL)) == SMALL


@pytest.mark.parametrize(("name", "path"), PATHS.items())
def test_every_parser_keeps_to_the_sizes(name: str, path: str) -> None:
    text = (FIXTURES / f"{name}.txt").read_text()
    for chunk in parse_file(path, text * 8, SMALL).chunks:
        if chunk.kind in CUT and chunk.start_line < chunk.end_line:
            assert chunk.tokens <= SMALL.block_tokens, chunk


_WORDS = "Tea is poured into cups of every colour. "
_KEYS: dict[str, Any] = {
    f"key{n}": {"about": _WORDS, "more": _WORDS * 2} for n in range(40)
}
_KEYS["counts"] = {"all": [f"{n} cups" for n in range(200)]}
_TAGS = "<meta name=x>\n" * 200
_CELL = {"cell_type": "code", "source": [f"x{n} = {n} * tea\n" for n in range(300)]}
_LONG = {
    "menu.vue": "<script>\nlet a = 1\n</script>\n" + f"<p>{_WORDS}</p>\n" * 60,
    "tea.ipynb": json.dumps({"cells": [_CELL], "nbformat": 4}, indent=1),
    "menu.json": json.dumps(_KEYS, indent=1),
    "menu.html": f"<head>{_TAGS}</head><h1>A</h1>" + f"<p>{_WORDS * 3}</p>\n" * 60,
    "menu.pdf": f"{PAGE_BREAK}\n".join([f"{_WORDS}\n" * 60] * 3),
}


@pytest.mark.parametrize("path", _LONG)
def test_windows_of_every_format_keep_to_the_size(path: str) -> None:
    chunks = parse_file(path, _LONG[path], SMALL).chunks
    windows = [chunk for chunk in chunks if chunk.kind == "window"]
    assert len(windows) > 3
    assert max(chunk.tokens for chunk in windows) <= SMALL.tokens + 1


def test_keys_of_data_share_chunks_of_the_size() -> None:
    text = json.dumps({f"key{n}": _WORDS for n in range(8)}, indent=1)
    assert [chunk.heading for chunk in parse_file("a.json", text).chunks] == [""]
    small = parse_file("a.json", text, SMALL).chunks
    assert [chunk.heading.count("key") for chunk in small] == [6, 2]


@pytest.mark.parametrize("path", ["a.txt", "a.md", "a.xyz", "a.html", "a.json"])
def test_half_the_size_is_at_least_as_many_chunks(path: str) -> None:
    lines = [f"Line {number} is about tea and cups." for number in range(400)]
    text = "\n\n".join(lines)
    counts = [
        len(parse_file(path, text, complete_options(n)).chunks) for n in (800, 200)
    ]
    assert counts[1] > 2 * counts[0]


@pytest.mark.parametrize("overlap", [0, 20, 50])
def test_windows_overlap_by_the_option(overlap: int) -> None:
    lines = [f"line {number} " + "x" * 20 for number in range(300)]
    options = ChunkOptions(100, overlap, 400)
    windows = text_windows(lines, options=options)
    for left, right in pairwise(windows):
        shared = "\n".join(lines[right.start_line - 1 : left.end_line])
        assert max(0, overlap - 12) <= estimate_tokens(shared) <= overlap


@given(
    st.integers(MIN_TOKENS, MAX_TOKENS),
    st.integers(0, MAX_TOKENS // 2),
    st.lists(st.text(st.characters(exclude_characters="\n"), max_size=600)),
)
def test_windows_of_any_size_cover_every_line(
    tokens: int, overlap: int, lines: list[str]
) -> None:
    options = complete_options(tokens, min(overlap, tokens // 2))
    windows = text_windows(lines, options=options)
    for number, line in enumerate(lines, start=1):
        if line.strip():
            around = [w for w in windows if w.start_line <= number <= w.end_line]
            assert around
            if token_weight(line) + 1 <= tokens:
                assert any(line in window.text for window in around)


def test_spans_of_any_size() -> None:
    assert window_spans(250, 100, 50) == [(0, 100), (50, 150), (100, 200), (150, 250)]
