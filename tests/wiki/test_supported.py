"""A page keeps what its evidence bears: the rest is written again, or cut."""

from __future__ import annotations

import re
from dataclasses import dataclass

from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.generation.material import do_nothing
from devrag.wiki.reuse.report import support_of
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.model.calls import Asking
from devrag.wiki.writing.model.supported import SupportedPage, hold_to_evidence
from devrag.wiki.writing.model.validators import said_as
from tests.wiki.model_pages import as_published, rules_of, write
from tests.wiki.scripted import ScriptedModel

PAGE = (
    "# A\n\nIt works [[E1]]. It never rests [[E1]].\n\n## B\n\n- It helps [[E1]].\n\n"
    "## C\n\nIt has a helper [[E1]].\n"
)


def refusing(*words: str) -> ScriptedModel:
    """A judge to whom claims with these words are not supported."""

    def verdicts(prompt: str) -> str:
        claims = re.findall(r"^(\d+)\| \(P[^)]*\) (.*)$", prompt, re.MULTILINE)
        return "\n".join(
            f"{n}| unsupported | not shown"
            if any(word in said for word in words)
            else f"{n}| supported"
            for n, said in claims
        )

    return ScriptedModel(verdicts=verdicts)


def hold(
    judge: ScriptedModel, writer: ScriptedModel, known: frozenset[str] = frozenset()
) -> SupportedPage:
    asking = Asking(writer, do_nothing)
    gates = rules_of().gates
    return hold_to_evidence(PAGE, gates, judge, asking, Brief("A"), known)


def test_a_page_that_its_evidence_supports_stays_as_it_is() -> None:
    judge, writer = ScriptedModel(), ScriptedModel()

    assert hold(judge, writer) == SupportedPage(PAGE, checked=4)
    assert len(judge.asked) == 1
    assert writer.asked == []


def test_unsupported_sentences_are_written_again_in_one_call() -> None:
    writer = ScriptedModel(
        rewriting=lambda _: "1| It calls `helper` [[E1]].\n2| It does work [[E1]]."
    )

    held = hold(refusing("never", "helps"), writer)

    assert "It works [[E1]]. It calls `helper` [[E1]].\n" in held.markdown
    assert "- It does work [[E1]].\n" in held.markdown
    assert (held.findings, held.checked, held.unsupported) == ((), 4, 2)
    assert len(writer.asked) == 1


def test_what_fails_again_is_cut_with_its_empty_heading() -> None:
    writer = ScriptedModel(rewriting=lambda _: "1| It calls `nowhere()` [[E1]].")

    held = hold(refusing("never", "helps"), writer)

    assert (
        held.markdown == "# A\n\nIt works [[E1]].\n\n## C\n\nIt has a helper [[E1]].\n"
    )
    assert [(f.gate, f.reason) for f in held.findings] == [("support", "not shown")] * 2


def test_known_sentences_are_not_judged() -> None:
    known = frozenset(map(said_as, ["It works.", "It never rests.", "It helps."]))
    judge = refusing("never")

    assert hold(judge, ScriptedModel(), known) == SupportedPage(PAGE, checked=1)


@dataclass
class Checked:
    """A page that was written and judged. asked: what the judge was asked."""

    draft: DraftedPage
    asked: int


def written(judge: ScriptedModel, published: DraftedPage | None = None) -> Checked:
    draft = write(ScriptedModel(), published=published, checker=judge)
    return Checked(draft, len(judge.asked))


def test_the_page_counts_what_was_judged_and_the_next_run_asks_nothing() -> None:
    first = written(ScriptedModel())
    assert first.draft.claims_checked > 0
    assert (first.draft.claims_unsupported, first.asked) == (0, 1)

    again = written(ScriptedModel(), as_published(first.draft))

    assert (again.draft.claims_checked, again.asked) == (0, 0)


def test_the_report_tells_the_share() -> None:
    draft = written(refusing("How it works")).draft
    checked = draft.claims_checked

    assert "How it works”, the file" not in draft.markdown
    assert support_of([draft])["share"] == round(draft.claims_unsupported / checked, 4)
    assert draft.claims_unsupported > 0
    assert support_of([]) == {"checked": 0, "unsupported": 0, "share": None}


def test_without_a_judge_nothing_is_judged() -> None:
    assert write(ScriptedModel()).claims_checked == 0
