"""What is new on a page is judged at once against the lines that are cited."""

from __future__ import annotations

from devrag.wiki.evidence.blocks import split_blocks
from devrag.wiki.generation.material import do_nothing
from devrag.wiki.writing.model.supported import (
    SupportJudge,
    claims_of,
    sentences_known,
)
from tests.wiki.model_pages import WORK, refusing, rules_of, spans_of
from tests.wiki.scripted import ScriptedModel

NOTHING: frozenset[str] = frozenset()


def claimed(markdown: str, known: frozenset[str] = NOTHING) -> list[str]:
    return list(claims_of(split_blocks(markdown), rules_of().gates, spans_of(), known))


def test_a_claim_is_shown_the_lines_that_readers_will_see() -> None:
    said = "`helper` helps [[E1]]."

    found = claims_of(
        split_blocks(f"It works. {said}\n"), rules_of().gates, spans_of(), NOTHING
    )

    whole, part = found["It works."], found[said]
    assert WORK.strip() in whole[0]
    assert part[0].startswith("shop/a.py\n")
    assert "def helper(n):" in part[0]
    assert "def work():" not in part[0]


def test_known_sentences_are_no_claims() -> None:
    known = sentences_known(["# A\n\nIt works [1](cite:1).\n\nIt never rests.\n"])

    assert claimed("It never rests [[E1]]. It helps [[E1]].\n", known) == [
        "It helps [[E1]]."
    ]


def test_what_leads_to_a_list_or_to_another_page_claims_nothing() -> None:
    text = (
        "### Steps of `work()`\n\nIt works. It takes these steps [[E1]]:\n\n"
        "- It helps [[E1]].\n- See [the rest](../index.md) [[E1]].\n"
        "- How it ends is told in [the rest](../index.md) [[E1]].\n"
    )

    assert claimed(text) == ["It works.", "It helps [[E1]]."]


def test_the_judge_tells_which_sentences_fail_in_one_call() -> None:
    model = refusing("never")
    judge = SupportJudge(model, do_nothing)

    failed = judge.unsupported(
        {"It works [[E1]].": (WORK,), "It never rests [[E1]].": (WORK,)}
    )

    assert failed == {"It never rests [[E1]].": "not shown"}
    assert len(model.asked) == 1


def test_without_claims_nothing_is_asked() -> None:
    model = ScriptedModel()

    assert SupportJudge(model, do_nothing).unsupported({}) == {}
    assert model.asked == []
