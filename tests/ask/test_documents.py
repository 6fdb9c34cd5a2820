"""Answers as documents: citations that lead to lines, text that only grows."""

from __future__ import annotations

import pytest

from devrag.ask.documents import GrowingText, link_citations, without_links
from devrag.ask.types import Passage


def _passage(path: str) -> Passage:
    return Passage(
        id="E1",
        product="tea",
        source="shop",
        path=path,
        start_line=1,
        end_line=2,
        text="…",
        version_identifier="a" * 40,
        content_hash="b" * 64,
        kind="definition",
    )


@pytest.mark.parametrize(
    ("markdown", "linked"),
    [
        ("It pays [1](cite:1).", "It pays [1](/a.md)."),
        ("Both [1](cite:1) [2](cite:2)", "Both [1](/a.md) [2](/b_%281%29.md)"),
        ("No such [3](cite:3)", "No such [3]"),
        ("`x[1]` and [2](https://x)", "`x[1]` and [2](https://x)"),
    ],
)
def test_citations_lead_to_their_lines(markdown: str, linked: str) -> None:
    citations = (_passage("a.md"), _passage("b_(1).md"))
    link = "/{0.path}".format
    assert link_citations(markdown, citations, link) == linked


def test_without_addresses_numbers_stay() -> None:
    text = link_citations("It pays [1](cite:1).", (_passage("a"),), without_links)
    assert text == "It pays [1]."


def test_text_grows_by_what_is_new() -> None:
    text = GrowingText()
    assert [text.add("One."), text.add("One. Two."), text.finish("One. Two.")] == [
        *("One.", " Two.", "")
    ]


def test_an_answer_that_became_another_one_is_shown_whole() -> None:
    text = GrowingText()
    text.add("One.")
    assert text.add("Another.") == ""
    assert text.finish("Another. Two.") == "\n\n---\n\nAnother. Two."
