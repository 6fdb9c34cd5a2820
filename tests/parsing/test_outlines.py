"""A snippet of each language that is known by its outline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.parsing.api import detect_language, parse_file
from devrag.parsing.languages.outlines import OUTLINES

from .cases import SLICES, check_mutated, relaxed

SNIPPETS = {
    path.name[: -len(".txt")]: path.read_text(encoding="utf-8")
    for path in sorted((Path(__file__).parent / "outlines").glob("*.txt"))
}
EXPECTED = json.loads(
    (Path(__file__).parent / "outlines" / "expected.json").read_text(encoding="utf-8")
)


def outline(path: str, text: str) -> list[str]:
    """Return names, kinds and lines of what the file defines, and its sections."""
    facts = parse_file(path, text)
    assert not facts.warnings
    return [
        *(
            f"{s.kind} {s.qualified_name} {s.start_line}-{s.end_line}"
            for s in facts.symbols
        ),
        *(
            f"depth {c.depth} {c.heading} {c.start_line}-{c.end_line}"
            for c in facts.chunks
            if c.kind == "section"
        ),
    ]


@pytest.mark.parametrize("path", SNIPPETS)
def test_a_snippet_gives_its_outline(path: str) -> None:
    assert outline(path, SNIPPETS[path]) == EXPECTED[path]


def test_every_outlined_language_has_a_snippet() -> None:
    assert set(OUTLINES) <= {detect_language(path).name for path in SNIPPETS}


@pytest.mark.slow
@relaxed
@given(st.sampled_from(sorted(SNIPPETS)), SLICES)
def test_mutated_snippets(path: str, edits: list[tuple[int, int, str]]) -> None:
    check_mutated(path, SNIPPETS[path], edits)
