"""What is new on a page is judged at once against the lines that are cited."""

from __future__ import annotations

from devrag.wiki.evidence.blocks import split_blocks
from devrag.wiki.generation.material import do_nothing
from devrag.wiki.writing.model.supported import (
    Claim,
    Judged,
    SupportJudge,
    claims_of,
    sentences_known,
    widened,
)
from tests.wiki.model_pages import LONG_WORK, WORK, refusing, rules_of, spans_of
from tests.wiki.scripted import ScriptedModel

NOTHING: frozenset[str] = frozenset()


def claimed(markdown: str, known: frozenset[str] = NOTHING) -> list[str]:
    return list(claims_of(split_blocks(markdown), rules_of().gates, spans_of(), known))


def test_a_claim_is_shown_the_lines_that_readers_will_see() -> None:
    said = "`helper` helps [[E1]]."

    gates, spans = rules_of(text=LONG_WORK).gates, spans_of(LONG_WORK)

    found = claims_of(split_blocks(f"It works. {said}\n"), gates, spans, NOTHING)

    (part,) = found[said].excerpts
    assert part.startswith("shop/a.py\n")
    assert "def helper(n):" in part
    assert "def work():" not in part
    assert found["It works."].excerpts == (part,)


def test_a_claim_knows_what_gives_its_subject() -> None:
    text = (
        "`work()` does this:\n\n- It returns early. It helps [[E1]].\n"
        "  - It never rests [[E1]].\n\n### Ends\n\nIt ends [[E1]].\n"
    )

    found = claims_of(split_blocks(text), rules_of().gates, spans_of(), NOTHING, "Work")

    assert found["It helps [[E1]]."].context == "Work > `work()` does this:"
    assert found["It helps [[E1]]."].alone().context == (
        "Work > `work()` does this: / It returns early."
    )
    assert found["It never rests [[E1]]."].context == (
        "Work > `work()` does this: > It returns early."
    )
    assert found["It ends [[E1]]."].context == "Work > Ends"


def test_a_claim_is_widened_to_all_that_it_cites() -> None:
    gates, spans = rules_of(text=LONG_WORK).gates, spans_of(LONG_WORK)
    said = "`helper` helps [[E1]]."
    (claim,) = claims_of(split_blocks(f"{said}\n"), gates, spans, NOTHING).values()

    wide = widened(said, claim, gates, spans)

    assert wide is not None
    assert "def work():" in wide.excerpts[0]
    assert widened(said, wide, gates, spans) is None


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

    judged = judge.judge(
        {"It works [[E1]].": Claim((WORK,)), "It never rests [[E1]].": Claim((WORK,))}
    )

    assert judged == Judged({"It never rests [[E1]].": "not shown"}, checked=2)
    assert len(model.asked) == 1


def test_without_claims_nothing_is_asked() -> None:
    model = ScriptedModel()

    assert SupportJudge(model, do_nothing).judge({}) == Judged({})
    assert model.asked == []


def test_what_an_answer_does_not_confirm_is_not_checked() -> None:
    model = ScriptedModel(verdicts=lambda _prompt: "I cannot tell.")
    said = "It opens the shop at nine [[E1]]."

    judged = SupportJudge(model, do_nothing).judge({said: Claim((WORK,))})

    assert judged == Judged({}, checked=0, unknown=frozenset({said}))
