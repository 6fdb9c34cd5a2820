"""What changed between two texts, sentence by sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.wiki.publishing.sentence_difference import compare_sentences


def _changes(before: str, after: str) -> list[tuple[str, str]]:
    """Return kind and text of what changed: [-gone-] and {+new+} within sentences."""
    marks = {"": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}
    return [
        (each.kind, "".join(marks[p.kind].format(p.text) for p in each.pieces))
        for each in compare_sentences(before, after)
        if each.kind != "same"
    ]


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ("It greets. It waves.", "It greets.", [("removed", "It waves.")]),
        ("It greets.", "It greets. It waves.", [("added", "It waves.")]),
        (
            "The server keeps 5 versions.",
            "The server keeps 10 versions.",
            [("reworded", "The server keeps [-5-]{+10+} versions.")],
        ),
        (
            "受付は九時に開く。担当は二名。",
            "受付は十時に開く。担当は二名。",
            [("reworded", "受付は[-九-]{+十+}時に開く。")],
        ),
        (
            "It calls `run_all()` now.",
            "It calls `run_one()` now.",
            [("reworded", "It calls [-`run_all()`-]{+`run_one()`+} now.")],
        ),
        (
            "| a | b |\n|---|---|\n| `x` | one |",
            "| a | b |\n|---|---|\n| `x` | two |",
            [("reworded", "`x` · [-one-]{+two+}")],
        ),
        ("It greets.[1](cite:1)", "It greets.[4](cite:4)", []),
        ("Apples grow.", "受付は十時に開く。", None),
    ],
)
def test_a_change_is_told_by_its_sentence(
    before: str, after: str, changes: list[tuple[str, str]] | None
) -> None:
    expected = [("added", after), ("removed", before)] if changes is None else changes
    assert sorted(_changes(before, after)) == sorted(expected)


def test_a_change_stands_below_its_heading() -> None:
    [change] = [
        each
        for each in compare_sentences("# A\n\n## B\n\nOne.", "# A\n\n## B\n\nOne. Two.")
        if each.kind != "same"
    ]
    assert (change.section, change.of) == ("B", "paragraph")


@given(st.text(alphabet="ab. 。\n#`|-", max_size=80))
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    assert _changes(text, text) == []
