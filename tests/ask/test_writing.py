"""An answer from its first word to its end, whatever the model does."""

from __future__ import annotations

from devrag.ask.types import Checked, Draft, Evidence, Finished
from devrag.llm.errors import ChatRefused, ChatUnavailable
from devrag.spending.budget import CapReached
from tests.ask.passages import EVIDENCE, SpokenModel, answer_of, events_of

FIRST = "`charge` adds the tax to the amount [[E1]]."
SECOND = "The cart calls it with the sum of all prices [[E2]]."
LINKED = (
    "`charge` adds the tax to the amount [1](cite:1). "
    "The cart calls it with the sum of all prices [2](cite:2).\n"
)


def test_a_draft_comes_first_then_what_is_checked_then_the_answer() -> None:
    events = events_of(SpokenModel(f"{FIRST} {SECOND}"))
    drafts = "".join(each.text for each in events if isinstance(each, Draft))
    assert drafts == (
        "`charge` adds the tax to the amount. "
        "The cart calls it with the sum of all prices."
    )
    (checked,) = (each for each in events if isinstance(each, Checked))
    assert checked.markdown == "`charge` adds the tax to the amount [1](cite:1).\n"
    assert [each.id for each in checked.citations] == ["E1"]
    assert isinstance(events[-1], Finished)


def test_the_answer_has_its_citations_model_and_tokens() -> None:
    answer = answer_of(f"{FIRST} {SECOND}")
    assert answer.markdown == LINKED
    assert [each.id for each in answer.citations] == ["E1", "E2"]
    assert (answer.outcome, answer.is_extractive) == ("answered", False)
    assert answer.is_complete
    assert (answer.model, answer.input_tokens, answer.output_tokens) == (
        "told",
        100,
        20,
    )


def test_removed_sentences_are_told_with_their_reasons() -> None:
    answer = answer_of(f"{FIRST} `refund` pays it back [[E1]].")
    assert "refund" not in answer.markdown
    assert answer.removed[0].reason == "`refund` is in no passage"


def test_a_model_that_finds_nothing_gives_our_text() -> None:
    answer = answer_of("[[NONE]]\nVisit https://evil.example for more.")
    assert (answer.outcome, answer.is_extractive) == ("not_found", False)
    assert "evil" not in answer.markdown


def test_an_answer_that_only_says_what_is_missing_is_not_found() -> None:
    assert answer_of("The passages do not show refunds.").outcome == "not_found"


def test_the_passages_stand_in_where_nothing_passes() -> None:
    answer = answer_of("I am sorry, but I cannot help with that.")
    assert (answer.outcome, answer.is_extractive) == ("answered", True)
    assert "passed the checks" in answer.notes[-1]
    assert answer.removed


def test_without_passages_no_model_is_asked() -> None:
    model = SpokenModel(FIRST)
    answer = answer_of(model, evidence=Evidence((), is_found=False))
    assert answer.outcome == "not_found"
    assert not model.asked


def test_what_was_checked_is_kept_when_the_model_fails() -> None:
    error = ChatUnavailable("The model broke off.")
    answer = answer_of(SpokenModel(f"{FIRST} The cart c", error, size=27))
    assert answer.markdown == "`charge` adds the tax to the amount [1](cite:1).\n"
    assert not answer.is_complete
    assert answer.notes[-1] == "The answer was cut off: The model broke off."
    assert (answer.input_tokens, answer.output_tokens) == (100, 54)


def test_what_was_checked_is_kept_when_a_cap_is_reached() -> None:
    answer = answer_of(SpokenModel(f"{FIRST} The", CapReached("The cap is reached.")))
    assert "adds the tax" in answer.markdown
    assert "The cap is reached." in answer.notes[-1]


def test_the_passages_stand_in_for_a_model_that_refuses() -> None:
    answer = answer_of(SpokenModel("", ChatRefused("The model refuses.")))
    assert answer.is_extractive
    assert (
        answer.notes[-1] == "This answer was not written by a model: The model refuses."
    )


def test_an_answer_at_its_longest_says_so() -> None:
    answer = answer_of(SpokenModel(f"{FIRST} The cart calls", finish="length"))
    assert not answer.is_complete
    assert "maximum length" in answer.notes[-1]


def test_a_model_without_an_end_is_stopped() -> None:
    model = SpokenModel(f"{FIRST}\n\nThen {'and so on ' * 2000}", size=5000)
    answer = answer_of(model)
    assert model.is_closed
    assert not answer.is_complete
    assert "adds the tax" in answer.markdown


def test_another_language_is_noted() -> None:
    said = (
        "`charge` は金額に税金を加えます。これは `TAX_RATE` から読み込まれます [[E1]]。"
    )
    assert answer_of(said).notes[-1] == "The model answered in another language."


def test_closing_it_closes_the_model() -> None:
    model = SpokenModel(f"{FIRST} {SECOND}")
    events_of(model, until=lambda event: isinstance(event, Draft))
    assert model.is_closed


def test_notes_of_the_evidence_stay() -> None:
    evidence = Evidence(EVIDENCE.passages, is_found=True, notes=("No vectors yet.",))
    assert answer_of(FIRST, evidence=evidence).notes == ("No vectors yet.",)


def test_a_diagram_is_read_by_the_real_parser() -> None:
    good = 'flowchart LR\n a["checkout"] --> b["charge"]'
    text = f"{FIRST}\n\n```mermaid\n{good}\n```\n\n```mermaid\n{good} -->\n```"
    answer = answer_of(text)
    assert answer.markdown.count("```mermaid") == 1
    assert "does not parse" in answer.removed[0].reason
