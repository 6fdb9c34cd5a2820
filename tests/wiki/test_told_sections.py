"""A section's text beside the tables, diagrams and code that it shows."""

from __future__ import annotations

from devrag.wiki.writing.model.facts import SHOWN
from devrag.wiki.writing.model.rewrite import (
    failed_sentences,
    read_rewritten,
    with_sentences,
)
from devrag.wiki.writing.model.told_sections import check_told
from tests.wiki.model_pages import rules_of

LEAD = "`work()` is called with these options [[E1]]:"


def test_a_sentence_may_lead_to_what_the_page_shows() -> None:
    blocks, findings = check_told(f"{LEAD}\n\n[[F1]]\n", rules_of(), {"F1": "Options"})
    assert findings == []
    assert [(b.kind, b.text) for b in blocks] == [
        ("paragraph", LEAD),
        (SHOWN, "Options"),
    ]


def test_a_heading_over_what_the_page_shows_stays() -> None:
    blocks, _ = check_told("### Options\n\n[[F1]]\n", rules_of(), {"F1": "Options"})
    assert [block.kind for block in blocks] == ["heading", SHOWN]


def test_a_sentence_that_leads_to_nothing_goes() -> None:
    blocks, findings = check_told(f"{LEAD}\n\n[[F9]]\n", rules_of(), {"F1": "Options"})
    assert blocks == []
    assert [finding.gate for finding in findings] == ["format"]


def test_a_refused_diagram_is_put_right_with_the_sentences() -> None:
    text = "It is drawn here:\n\n```mermaid\nflowchart TD\n  a -->\n```\n"
    _, findings = check_told(text, rules_of(), {})
    failed = failed_sentences(findings)
    answer = "1|\n```mermaid\nflowchart TD\n  a[work] --> b[helper]\n```"
    better = with_sentences(text, read_rewritten(answer, list(failed)))
    blocks, left = check_told(better, rules_of(), {})
    assert [block.kind for block in blocks] == ["paragraph", "fence"]
    assert left == []
