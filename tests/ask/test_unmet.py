"""Words that the sources do not have together keep a question from an answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from devrag.ask.evidence.gathering import gather_evidence
from devrag.ask.evidence.unmet import (
    Unmet,
    explain_unmet,
    find_unmet,
    judge_words,
    telling_words,
)
from devrag.ask.extractive import extractive_answer, split_nearest
from devrag.ask.types import AskRequest, Evidence
from devrag.core.principal import SYSTEM
from tests.ask.passages import passage
from tests.conftest import Repository

MANUAL = passage(
    "E1",
    "docs/manual.md",
    "# Files\n\nSend a file as a download.\n",
    kind="documentation",
    title="Files",
)
HISTORY = passage(
    "E2",
    "HISTORY.md",
    "# 1.0 / 2025-02-01\n\nFirst release with HTTP/2.\n",
    kind="documentation",
    title="1.0 / 2025-02-01",
)
BOTH = (MANUAL, HISTORY)


def judge(question: str, **counts: int) -> Unmet | None:
    """Return what is not met of a question, its words in that many passages."""
    words = telling_words(question, BOTH)
    by_word = {each.text: counts.get(each.text, 20) for each in words}
    missing = [each for each in words if not by_word[each.text]]
    return judge_words(question, words, by_word, missing, BOTH)


def test_a_year_apart_from_the_rest_is_no_answer() -> None:
    unmet = judge("How many downloads were there in 2025?")
    assert unmet
    assert unmet.words == ("2025",)
    assert "downloads" in unmet.others


def test_the_same_in_japanese() -> None:
    unmet = judge("2025 年のダウンロード数")
    assert unmet == Unmet(("2025",), ("ダウンロード",))
    assert "“2025” together with “ダウンロード”" in explain_unmet(unmet)


def test_a_rare_word_that_is_nowhere_is_no_answer() -> None:
    unmet = judge("How do I draw a chart?", chart=0, draw=0)
    assert unmet == Unmet(("draw", "chart"))
    assert explain_unmet(unmet).endswith("nothing mentions “draw”, “chart”.")


def test_words_that_are_together_are_met_whatever_else_is_missing() -> None:
    assert judge("How do I stream a file as a download?", stream=0) is None


def test_a_version_is_there_as_a_whole_or_not_at_all() -> None:
    assert judge("Which release has HTTP/2?") is None
    unmet = judge("Which release has HTTP/3?")
    assert unmet
    assert unmet.words == ("HTTP/3",)


def test_inflected_japanese_words_decide_little() -> None:
    counts = {"ダウンロード": 3, "ファイル": 9, "求める": 0}
    assert judge("ファイルのダウンロードを求めるには？", **counts) is None


def test_a_loan_word_away_from_the_others_is_no_answer() -> None:
    unmet = judge("レジストリのファイルは？", レジストリ=4)
    assert unmet == Unmet(("レジストリ",), ("ファイル",))


def test_an_unmet_question_is_not_answered_and_shows_what_is_near() -> None:
    evidence = Evidence(
        BOTH,
        is_found=True,
        notes=("Not found in the sources: “chart”.", "Vectors are missing."),
        missing_notes=("Not found in the sources: “chart”.",),
    )
    answer = extractive_answer(evidence, unmet=Unmet(("chart",)))
    assert answer.outcome == "not_found"
    assert answer.notes == ("Vectors are missing.",)
    said, nearest = split_nearest(answer.markdown)
    assert said == "The sources do not answer this: nothing mentions “chart”."
    assert nearest.startswith("1. “Files” in `docs/manual.md`")


def test_other_answers_have_no_part_to_fold() -> None:
    answer = extractive_answer(Evidence(BOTH, is_found=True))
    assert split_nearest(answer.markdown) == (answer.markdown, "")


@pytest.mark.django_db
def test_the_index_tells_what_is_nowhere(indexed: Repository) -> None:
    request = AskRequest("How is a kubernetes migration scheduled?", SYSTEM)
    unmet = find_unmet(request, gather_evidence(request))
    assert unmet
    assert "kubernetes" in unmet.words


@pytest.mark.django_db
def test_questions_with_an_answer_are_met(indexed: Repository) -> None:
    for question in (
        "How is the customer charged for everything in the cart?",
        "カートは税金をどう計算しますか",
    ):
        request = AskRequest(question, SYSTEM)
        assert find_unmet(request, gather_evidence(request)) is None


@pytest.mark.django_db
def test_a_named_definition_answers_by_itself(indexed: Repository) -> None:
    request = AskRequest("What does checkout do?", SYSTEM)
    evidence = gather_evidence(request)
    assert find_unmet(request, replace(evidence, named=("E1",))) is None


def test_a_name_that_is_nowhere_is_missing_whatever_else_is_there() -> None:
    question = "COBOL のダウンロードとファイルの規則"
    assert judge(question, cobol=0) == Unmet(("COBOL",))


def test_a_name_that_no_found_passage_has_is_missing_there() -> None:
    unmet = judge("COBOL のファイルのダウンロード", cobol=12)
    assert unmet
    assert (unmet.words, set(unmet.others)) == (
        ("COBOL",),
        {"ファイル", "ダウンロード"},
    )
    assert judge("COBOL のファイルのダウンロード", cobol=200) is None


def test_a_name_beside_the_name_of_a_document_only_is_alone() -> None:
    rules = replace(MANUAL, path="docs/file_rules.md", title="", text="As in COBOL.")
    words = telling_words("Which file rules are there for COBOL?", [rules])
    counts = {each.text: 12 for each in words}
    question = "Which file rules are there for COBOL?"
    unmet = judge_words(question, words, counts, [], [rules])
    assert unmet
    assert unmet.words == ("COBOL",)
    told = replace(rules, text="As in COBOL, the rules of a file.")
    assert judge_words(question, words, counts, [], [told]) is None


def test_a_name_of_which_only_when_is_asked_is_not_alone() -> None:
    rules = replace(MANUAL, text="Use StringBuilder for text that changes.")
    question = "StringBuilder はいつ使うべき？"
    words = telling_words(question, [rules])
    counts = {each.text: 12 for each in words}
    assert judge_words(question, words, counts, [], [rules]) is None


def test_a_word_that_only_an_example_has_is_no_answer(indexed: Repository) -> None:
    example = replace(MANUAL, text="# Start\n\n```\ninit token\n```\n", title="Start")
    request = AskRequest("Which token does it use?", SYSTEM)
    unmet = find_unmet(request, Evidence((example,), is_found=True))
    assert unmet == Unmet(("token",), is_only_in_examples=True)
    assert explain_unmet(unmet).endswith("nothing is about “token”.")
    told = replace(example, text="# Start\n\nThe token is read.\n")
    assert find_unmet(request, Evidence((told,), is_found=True)) is None
