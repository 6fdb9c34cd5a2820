"""A model is asked once whether the cited lines say what many sentences say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from devrag.llm.chat import Completion, Message, Schema
from devrag.llm.errors import ChatRefused
from devrag.wiki.checking.support import SupportClaim, Verdict
from devrag.wiki.writing.model.claim_excerpts import show_excerpts
from devrag.wiki.writing.model.support import (
    MOST_CLAIMS,
    batches,
    check_support,
    support_request,
)
from tests.wiki.scripted import completion

LINES = "tea.py\ndef brew(minutes=3):\n    return pour()"


@dataclass
class Judge:
    """Answers as it is told to; asked: the prompts."""

    answer: Callable[[str], str]
    provider: str = "scripted"
    model: str = "judge"
    asked: list[str] = field(default_factory=list)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_output_tokens: int = 2048,
        temperature: float = 0.2,
        schema: Schema | None = None,
    ) -> Completion:
        self.asked.append(messages[-1].content)
        return completion(self.answer(self.asked[-1]))


def claims(*sentences: str) -> list[SupportClaim]:
    return [SupportClaim(n, said, (LINES,)) for n, said in enumerate(sentences, 1)]


def test_one_call_judges_all_claims_and_shows_an_excerpt_once() -> None:
    judge = Judge(lambda _: "3| it is 3\nchecked| 3\n")

    verdicts = check_support(judge, claims("It pours.", "It brews.", "It takes 5."))

    assert verdicts == [
        Verdict(1, "supported"),
        Verdict(2, "supported"),
        Verdict(3, "unsupported", "it is 3"),
    ]
    assert len(judge.asked) == 1
    assert judge.asked[0].count("def brew") == 1
    assert "3| (P1) It takes 5." in judge.asked[0]


def test_what_is_not_answered_stays_as_words_tell() -> None:
    judge = Judge(lambda _: "All of them are fine.\n9| no such claim")

    verdicts = check_support(judge, claims("It pours.", "It calls `stir()`."))

    assert [v.support for v in verdicts] == ["unknown", "unsupported"]


@pytest.mark.parametrize("end", ["", "checked| 2", "checked|"])
def test_silence_is_no_support_without_the_right_count(end: str) -> None:
    judge = Judge(lambda _: f"1| it does not\n{end}")

    verdicts = check_support(judge, claims("It pours.", "It brews.", "It helps."))

    assert [v.support for v in verdicts] == ["unsupported", "unknown", "unknown"]


def test_a_verdict_in_words_is_understood() -> None:
    judge = Judge(lambda _: "1| supported\n- 2| unsupported | it is 3\n**Checked**: 2.")

    verdicts = check_support(judge, claims("It pours.", "It takes 5."))

    assert verdicts == [Verdict(1, "supported"), Verdict(2, "unsupported", "it is 3")]


def test_a_refusal_leaves_what_words_tell() -> None:
    def refuse(_prompt: str) -> str:
        raise ChatRefused("no")

    verdicts = check_support(Judge(refuse), claims("It pours."))

    assert [v.support for v in verdicts] == ["unknown"]


def test_no_claims_cost_no_call() -> None:
    judge = Judge(lambda _: "")

    assert check_support(judge, []) == []
    assert judge.asked == []


def test_many_claims_go_in_several_calls() -> None:
    many = claims(*["It pours."] * (MOST_CLAIMS + 1))

    assert [len(batch) for batch in batches(many)] == [MOST_CLAIMS, 1]


def asked_about(*claims: SupportClaim) -> str:
    shown = show_excerpts(text for claim in claims for text in claim.excerpts)
    return support_request(claims, shown)[-1].content


def test_a_claim_names_its_excerpts() -> None:
    part = "tea.py\nbrew\n    return pour()"
    whole = "tea.py\n\ndef brew(minutes=3):\n    return pour()"
    other = "pot.py\n\n    return pour()"

    asked = asked_about(
        SupportClaim(1, "It pours.", (part, whole)),
        SupportClaim(2, "It returns.", (other,)),
    )

    assert asked.count("tea.py") == 1
    assert "1| (P1-P2) It pours." in asked
    assert "2| (P3) It returns." in asked


def test_claims_that_stand_together_share_their_context() -> None:
    asked = asked_about(
        SupportClaim(1, "It pours.", (LINES,), context="Tea"),
        SupportClaim(2, "It brews.", (LINES,), context="Tea"),
        SupportClaim(3, "It ends.", (LINES,)),
    )

    assert "= Tea\n1| (P1) It pours.\n2| (P1) It brews.\n=\n3| (P1) It ends." in asked


def test_reasons_name_files_and_no_numbers_of_excerpts() -> None:
    judge = Judge(lambda _: "1| P1 does not pour\n2| not in P1-P3 or P9\nchecked| 2")

    verdicts = check_support(judge, claims("It pours.", "It brews."))

    assert [v.reason for v in verdicts] == [
        "tea.py does not pour",
        "not in tea.py or the excerpt",
    ]
