"""What the sources do not have is named."""

from __future__ import annotations

import pytest

from devrag.ask.evidence.answerable import explain_missing
from devrag.ask.evidence.gathering import gather_evidence
from devrag.ask.types import AskRequest, Evidence
from devrag.core.principal import SYSTEM
from devrag.sources.models import Chunk
from tests.conftest import Repository

pytestmark = pytest.mark.django_db


def ask(question: str) -> Evidence:
    return gather_evidence(AskRequest(question, SYSTEM))


def test_a_name_that_is_nowhere_is_told(indexed: Repository) -> None:
    evidence = ask("What does the SHOP_CACHE_DIR variable control in the cart?")
    assert not evidence.is_found
    assert "Not found in the sources: “SHOP_CACHE_DIR”." in evidence.notes


@pytest.mark.slow
def test_a_part_of_a_name_is_not_the_name(indexed: Repository) -> None:
    assert not ask("What does Cart.checkout_later do?").is_found
    assert ask("What does Cart.checkout do?").is_found


def test_a_question_with_an_answer_has_no_such_note(indexed: Repository) -> None:
    evidence = ask("How is the customer charged for everything in the cart?")
    assert evidence.is_found
    assert not any("Nowhere" in note for note in evidence.notes)


def test_words_that_are_mostly_nowhere_outweigh_what_else_is_found(
    indexed: Repository,
) -> None:
    evidence = ask("Where is the kubernetes migration for the customer?")
    assert not evidence.is_found
    assert "Not found in the sources: “kubernetes”, “migration”." in evidence.notes


def test_a_japanese_word_counts_as_what_code_calls_it(indexed: Repository) -> None:
    assert ask("カートは税金をどう計算しますか").is_found


def test_a_japanese_word_without_a_counterpart_decides_nothing_about_english_sources(
    indexed: Repository,
) -> None:
    question = "顧客を弾く処理はどこ？"
    assert any("弾" in note for note in ask(question).notes)
    Chunk.objects.filter(language="ja").update(language="en")
    assert not any("弾" in note for note in ask(question).notes)


def test_a_word_that_only_asks_is_not_missing() -> None:
    text = "What happens when a tea kettle explodes?"
    assert explain_missing(text, ["happens"], []) == ""
    assert "explodes" in explain_missing(text, ["happens", "explodes"], [])
    assert "happens" not in explain_missing(text, ["happens", "explodes"], [])


def test_what_is_missing_is_said_once(indexed: Repository) -> None:
    notes = ask("Where is the kubernetes migration?").notes
    assert sum(note.startswith("Not found in the sources") for note in notes) == 1


@pytest.mark.parametrize("word", ["answer", "decide", "違い", "教える"])
def test_words_that_ask_are_not_missing(word: str) -> None:
    assert explain_missing("x", [word], []) == ""
