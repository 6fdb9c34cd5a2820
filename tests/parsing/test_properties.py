"""Whatever the text: no exception, and every line with text is in a chunk."""

from __future__ import annotations

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from devrag.parsing.api import decode, detect_language, parse_file
from devrag.parsing.types import FileFacts

from .cases import PATHS, fixture_text

KINDS = ("rst", "adoc", "org", "html", "ipynb", "sql", "proto", "graphql")
CODE_LANGUAGES = (
    *("bash", "c", "cpp", "csharp", "elixir", "go", "java", "javascript", "kotlin"),
    *("lua", "php", "python", "ruby", "rust", "scala", "swift", "tsx", "typescript"),
)
CODE = [
    name for name, path in PATHS.items() if detect_language(path).name in CODE_LANGUAGES
]
OTHERS = [name for name in PATHS if name not in CODE]
PYTHON = [fixture_text(name) for name in PATHS if name.endswith(".py")]
OTHERS = [name for name in PATHS if not name.endswith(".py")]
SLICES = st.lists(
    st.tuples(st.integers(0, 2000), st.integers(0, 60), st.text(max_size=12)),
    max_size=6,
)
relaxed = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def _mutated(text: str, edits: list[tuple[int, int, str]]) -> str:
    for start, length, inserted in edits:
        at = start % (len(text) + 1)
        text = text[:at] + inserted + text[at + length :]
    return text


def _check_lines(facts: FileFacts, text: str) -> None:
    """Each line with text stands in a chunk whose lines include it."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            around = [c for c in facts.chunks if c.start_line <= number <= c.end_line]
            assert any(line in chunk.text for chunk in around), (number, line)


def _check_shape(facts: FileFacts) -> None:
    assert [c.ordinal for c in facts.chunks] == list(range(len(facts.chunks)))
    assert [s.ordinal for s in facts.symbols] == list(range(len(facts.symbols)))
    for item in (*facts.chunks, *facts.symbols):
        assert 1 <= item.start_line <= item.end_line <= max(facts.lines, 1)
        assert item.parent is None or item.parent < item.ordinal
    for reference in facts.references:
        assert reference.symbol is None or reference.symbol < len(facts.symbols)


@relaxed
@given(st.sampled_from(CODE), SLICES)
def test_mutated_code(name: str, edits: list[tuple[int, int, str]]) -> None:
    mutated = decode(_mutated(fixture_text(name), edits).encode("utf-8", "replace"))
    if mutated is not None:
        facts = parse_file(PATHS[name], mutated.text)
        _check_shape(facts)
        _check_lines(facts, mutated.text)
        # What a language's own rules raise would be hidden by the windows.
        assert not any("parser failed" in warning for warning in facts.warnings)


@relaxed
@given(SLICES)
def test_mutated_markdown(edits: list[tuple[int, int, str]]) -> None:
    text = _mutated(fixture_text("guide.md"), edits)
    facts = parse_file("docs/a.md", text)
    _check_shape(facts)


@relaxed
@given(st.text(st.sampled_from("#=-`~>*\n ab[](){}|:漢字\t1."), max_size=400))
def test_markdown_keeps_every_word(text: str) -> None:
    facts = parse_file("a.md", f"x\n{text}")
    whole = facts.chunks[0].text
    assert sorted(re.findall(r"[ab漢字]", whole)) == sorted(
        re.findall(r"[ab漢字]", text)
    )
    _check_shape(facts)


@relaxed
@given(st.sampled_from(OTHERS), SLICES)
def test_mutated_manifests(name: str, edits: list[tuple[int, int, str]]) -> None:
    _check_shape(parse_file(PATHS[name], _mutated(fixture_text(name), edits)))


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
    _check_shape(parse_file(path, text))


@relaxed
@given(st.binary(max_size=3000))
def test_random_bytes_decode_to_clean_text(data: bytes) -> None:
    decoded = decode(data)
    if decoded is not None:
        assert "\x00" not in decoded.text
        assert "\r" not in decoded.text
        decoded.text.encode("utf-8")
