"""A page takes three calls at most: it is written, checked, and put right once."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.reuse.report import support_of
from tests.wiki.model_pages import (
    DESIGN,
    as_published,
    gates_of,
    refusing,
    write,
)
from tests.wiki.scripted import ScriptedModel, claims_in, in_parts
from tests.wiki.shop import SHOP

# E7 is the first item that the page is offered.
NEVER = "It never rests at all [[E7]]."
GONE = "It is in `gone()` that it takes orders [[E7]]."


def saying(*sentences: str, rewriting: str = "-") -> ScriptedModel:
    """A writer whose introduction is these sentences."""

    def fault(_prompt: str) -> str:
        return in_parts({0: " ".join(sentences), 1: "-", 2: "-"})

    return ScriptedModel(faults=[fault], rewriting=lambda _: rewriting)


def many(count: int) -> list[str]:
    letters = (chr(ord("a") + n // 26) + chr(ord("a") + n % 26) for n in range(count))
    return [f"The shop takes orders of kind {each} [[E7]]." for each in letters]


@dataclass
class Written:
    """A page that was written and judged."""

    draft: DraftedPage
    writer: ScriptedModel
    judge: ScriptedModel

    @property
    def repairs(self) -> list[str]:
        about = self.writer.about("These sentences of a page")
        return [messages[-1].content for messages in about]


def written(writer: ScriptedModel, judge: ScriptedModel) -> Written:
    return Written(write(writer, design=DESIGN, checker=judge), writer, judge)


def test_a_page_that_its_evidence_supports_takes_two_calls() -> None:
    page = written(saying("The shop takes orders [[E7]]."), ScriptedModel())

    assert page.draft.findings == ()
    assert (len(page.writer.asked), len(page.judge.asked)) == (1, 1)


def test_one_call_repairs_what_any_check_refused() -> None:
    writer = saying(
        *("The shop takes orders [[E7]].", NEVER, GONE),
        rewriting="1| The shop sells books [[E7]].\n2| The shop keeps a stock [[E7]].",
    )

    page = written(writer, refusing("never"))

    assert len(page.repairs) == 1
    assert NEVER in page.repairs[0]
    assert "   not shown" in page.repairs[0]
    assert GONE in page.repairs[0]
    assert page.draft.findings == ()
    assert "sells books" in page.draft.markdown
    assert "never" not in page.draft.markdown


def judged(page: Written) -> list[list[str]]:
    """Return the claims of each call of the judge."""
    asked = (messages[-1].content for messages in page.judge.asked)
    return [[said for _, said in claims_in(prompt)] for prompt in asked]


def test_only_what_was_written_again_is_judged_again() -> None:
    writer = saying(
        *("The shop takes orders [[E7]].", NEVER, GONE),
        rewriting="1| The shop sells books [[E7]].\n2| The shop keeps a stock [[E7]].",
    )

    page = written(writer, refusing("never"))

    again = judged(page)[1:]
    assert [sorted(each) for each in again] == [
        ["The shop keeps a stock.", "The shop sells books."]
    ]
    assert (page.draft.claims_checked, page.draft.claims_unsupported) == (4, 1)


def test_what_is_written_again_without_support_is_cut() -> None:
    writer = saying(
        *("The shop takes orders [[E7]].", NEVER),
        rewriting="1| It never ever rests [[E7]].",
    )

    page = written(writer, refusing("never"))

    assert "never" not in page.draft.markdown
    assert [(f.gate, f.text) for f in page.draft.findings] == [
        ("support", "It never ever rests.")
    ]


def test_what_was_refused_already_is_not_judged() -> None:
    page = written(saying("The shop takes orders [[E7]].", GONE), ScriptedModel())

    (asked,) = page.judge.asked
    assert [text for _, text in claims_in(asked[-1].content)] == [
        "The shop takes orders."
    ]


def test_what_fails_again_is_cut_and_reported() -> None:
    writer = saying(
        *("The shop takes orders [[E7]].", NEVER),
        rewriting="1| It is in `nowhere()` [[E7]].",
    )

    page = written(writer, refusing("never"))

    assert gates_of(page.draft) == ["name"]
    assert "nowhere" not in page.draft.markdown
    assert page.draft.claims_unsupported == 1


def test_what_no_answer_puts_right_is_reported_with_its_reason() -> None:
    page = written(saying("The shop takes orders [[E7]].", NEVER), refusing("never"))

    assert [(f.gate, f.reason) for f in page.draft.findings] == [
        ("support", "not shown")
    ]
    assert "never" not in page.draft.markdown


@pytest.mark.parametrize(("sound", "repairs"), [(6, 1), (30, 0)])
def test_a_few_of_many_sentences_are_cut_rather_than_asked_for(
    sound: int, repairs: int
) -> None:
    page = written(saying(*many(sound), NEVER), refusing("never"))

    assert len(page.repairs) == repairs
    assert gates_of(page.draft) == ["support"]
    assert "of kind ab" in page.draft.markdown


def test_a_section_that_would_be_empty_is_asked_for() -> None:
    def fault(_prompt: str) -> str:
        return in_parts({0: " ".join(many(30)), 1: NEVER, 2: "-"})

    writer = ScriptedModel(
        faults=[fault], rewriting=lambda _: "1| The shop sells books [[E7]]."
    )

    page = written(writer, refusing("never"))

    assert len(page.repairs) == 1
    assert "## Placing an order\n\nThe shop sells books" in page.draft.markdown
    assert "never" not in page.draft.markdown


def test_sentences_that_continue_one_that_was_cut_are_reported() -> None:
    def fault(_prompt: str) -> str:
        text = f"The shop takes orders [[E7]].\n\n- {NEVER} The shop ships [[E7]]."
        return in_parts({0: text, 1: "-", 2: "-"})

    page = written(ScriptedModel(faults=[fault]), refusing("never"))

    assert "The shop ships" not in page.draft.markdown
    assert [(f.reason, f.text) for f in page.draft.findings] == [
        ("not shown", "It never rests at all."),
        ("the sentence that it continues was cut", "The shop ships."),
    ]


def test_the_next_run_judges_nothing_that_it_has_judged() -> None:
    first = write(ScriptedModel(), checker=ScriptedModel())
    judge = ScriptedModel()

    again = write(ScriptedModel(), published=as_published(first), checker=judge)

    assert first.claims_checked > 0
    assert (again.claims_checked, judge.asked) == (0, [])


def test_the_report_tells_the_share() -> None:
    draft = write(ScriptedModel(), checker=refusing("How it works"))
    checked = draft.claims_checked

    assert "How it works”, the file" not in draft.markdown
    assert support_of([draft])["share"] == round(draft.claims_unsupported / checked, 4)
    assert draft.claims_unsupported > 0
    assert support_of([]) == {"checked": 0, "unsupported": 0, "share": None}


def test_without_a_judge_nothing_is_judged() -> None:
    assert write(ScriptedModel()).claims_checked == 0


def test_a_diagram_among_many_sentences_is_asked_for() -> None:
    broken = "```mermaid\nflowchart TD\n  a -->\n```"

    def fault(_prompt: str) -> str:
        told = f"{' '.join(many(30))}\n\n{broken}"
        return in_parts({0: told, 1: "-", 2: "-"})

    better = broken.replace("a -->", "orders --> stock")
    writer = ScriptedModel(faults=[fault], rewriting=lambda _: f"1|\n{better}")

    page = written(writer, ScriptedModel())

    assert len(page.repairs) == 1
    assert "orders --> stock" in page.draft.markdown


TILL = (
    "class Till:\n"
    '    """Holds the money of one day."""\n\n'
    "    def charge(self, amount):\n"
    "        return self.checked(amount)\n\n"
    "    def checked(self, amount):\n"
    "        return amount if amount < 500 else refuse(amount)\n\n"
    + "".join(f"    def count_{n}(self):\n        return {n}\n\n" for n in range(20))
)
SERVICE = "shop/orders/service.py"
TILLS = {**SHOP, SERVICE: f"{SHOP[SERVICE]}\n\n{TILL}"}
CHARGES = (
    "`charge` takes an amount",
    "`charge` returns an amount",
    "`charge` of an amount is checked",
)


def about_the_till(rewriting: str = "-") -> ScriptedModel:
    """A writer of sentences that more than the method they name shows."""

    def fault(prompt: str) -> str:
        items = re.findall(r"<<DATA-\w+ (E\d+) (.*?)\nDATA-", prompt, re.DOTALL)
        till = next(key for key, text in items if "def checked" in text)
        told = " ".join(f"{said} [[{till}]]." for said in CHARGES)
        other = next(key for key, text in items if "def checked" not in text)
        others = " ".join(many(6)).replace("E8", other)
        return in_parts({0: f"{told} {others}", 1: "-", 2: "-"})

    return ScriptedModel(faults=[fault], rewriting=lambda _: rewriting)


def seeing(line: str) -> ScriptedModel:
    """A judge who refuses claims about `charge` where a line is not shown."""

    def verdicts(prompt: str) -> str:
        claims = claims_in(prompt)
        failed = [n for n, said in claims if "`charge`" in said and line not in prompt]
        lines = [f"{number}| not shown" for number in failed]
        return "\n".join([*lines, f"checked| {len(claims)}"])

    return ScriptedModel(verdicts=verdicts)


def written_about_the_till(judge: ScriptedModel, rewriting: str = "-") -> Written:
    writer = about_the_till(rewriting)
    draft = write(writer, design=DESIGN, checker=judge, tree=TILLS)
    return Written(draft, writer, judge)


def test_a_sentence_that_all_of_its_item_bears_cites_all_of_it() -> None:
    page = written_about_the_till(seeing("refuse(amount)"))

    assert len(page.judge.asked) == 2
    assert judged(page)[1] == [f"{said}." for said in CHARGES]
    assert page.draft.claims_unsupported == 0
    assert all(said in page.draft.markdown for said in CHARGES)
    cited = [c for c in page.draft.claims if CHARGES[0] in c.sentence]
    assert cited
    assert any("refuse(amount)" in claim.excerpt for claim in cited)


def test_a_sentence_that_nothing_of_its_item_bears_is_cut() -> None:
    page = written_about_the_till(seeing("no such line"))

    assert len(page.judge.asked) == 2
    assert "`charge`" not in page.draft.markdown
    assert page.draft.claims_unsupported == 3


def test_a_refused_sentence_stays_refused_where_no_second_answer_comes() -> None:
    asked: list[str] = []

    def verdicts(prompt: str) -> str:
        asked.append(prompt)
        return refuse(prompt) if refuse and len(asked) == 1 else ""

    refuse = seeing("no such line").verdicts
    page = written_about_the_till(ScriptedModel(verdicts=verdicts))

    assert len(page.judge.asked) == 2
    assert "`charge`" not in page.draft.markdown


def test_a_sentence_that_holds_is_kept_rather_than_what_was_written_for_it() -> None:
    page = written_about_the_till(
        seeing("refuse(amount)"), "1| The shop takes some money [[E1]]."
    )

    assert "takes some money" not in page.draft.markdown
    assert all(said in page.draft.markdown for said in CHARGES)
