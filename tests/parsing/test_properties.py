"""Whatever the text: no exception, and every line with text is in a chunk."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.parsing.api import decode, detect_language, parse_file

from .cases import (
    PATHS,
    SLICES,
    check_covered,
    check_mutated,
    check_shape,
    fixture_text,
    mutated,
    relaxed,
)

KINDS = ("rst", "adoc", "org", "html", "ipynb", "sql", "proto", "graphql")
CODE_LANGUAGES = (
    *("bash", "c", "cpp", "csharp", "elixir", "go", "java", "javascript", "kotlin"),
    *("lua", "php", "python", "ruby", "rust", "scala", "swift", "tsx", "typescript"),
)
CODE = [
    name for name, path in PATHS.items() if detect_language(path).name in CODE_LANGUAGES
]
PYTHON = [fixture_text(name) for name in PATHS if name.endswith(".py")]
OTHERS = [name for name in PATHS if not name.endswith(".py")]


@relaxed
@given(st.sampled_from(CODE), SLICES)
def test_mutated_code(name: str, edits: list[tuple[int, int, str]]) -> None:
    check_mutated(PATHS[name], fixture_text(name), edits)


@pytest.mark.slow
@relaxed
@given(SLICES)
def test_mutated_markdown(edits: list[tuple[int, int, str]]) -> None:
    text = mutated(fixture_text("guide.md"), edits)
    facts = parse_file("docs/a.md", text)
    check_shape(facts)
    check_covered(facts, text)


@relaxed
@given(st.text(st.sampled_from("#=-`~>*\n ab[](){}|:漢字\t1."), max_size=400))
def test_markdown_keeps_every_word(text: str) -> None:
    facts = parse_file("a.md", f"x\n{text}")
    whole = facts.chunks[0].text
    assert sorted(re.findall(r"[ab漢字]", whole)) == sorted(
        re.findall(r"[ab漢字]", text)
    )
    check_shape(facts)


@pytest.mark.slow
@relaxed
@given(st.sampled_from(OTHERS), SLICES)
def test_mutated_manifests(name: str, edits: list[tuple[int, int, str]]) -> None:
    text = mutated(fixture_text(name), edits)
    facts = parse_file(PATHS[name], text)
    check_shape(facts)
    check_covered(facts, text)


@relaxed
@given(
    st.text(),
    st.sampled_from(
        [
            "a.py",
            "a.md",
            "a.txt",
            "a.rs",
            ".gitlab-ci.yml",
            *(f"a.{kind}" for kind in KINDS),
        ]
    ),
)
def test_random_text(text: str, path: str) -> None:
    facts = parse_file(path, text)
    check_shape(facts)
    check_covered(facts, text)


@relaxed
@given(st.binary(max_size=3000))
def test_random_bytes_decode_to_clean_text(data: bytes) -> None:
    decoded = decode(data)
    if decoded is not None:
        assert "\x00" not in decoded.text
        assert "\r" not in decoded.text
        decoded.text.encode("utf-8")
