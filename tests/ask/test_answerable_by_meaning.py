"""Questions neither in English nor in Japanese are answered by meaning."""

from __future__ import annotations

from dataclasses import replace

import pytest

from devrag.ask.evidence.answerable import judge_answerable
from devrag.ask.evidence.gathering import gather_evidence
from devrag.ask.evidence.retrieval import retrieve
from devrag.ask.types import AskRequest, Evidence
from devrag.core.principal import SYSTEM
from tests.conftest import Repository

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def has_vectors() -> bool:
    return True


def ask(question: str) -> Evidence:
    return gather_evidence(AskRequest(question, SYSTEM))


def test_a_question_in_another_language_is_answered_by_meaning(
    indexed: Repository,
) -> None:
    for question in ("Wo wird der Kunde belastet?", "Где списывают деньги с клиента?"):
        evidence = ask(question)
        assert evidence.is_found
        assert evidence.passages
        assert "selected by meaning" in " ".join(evidence.notes)
        assert "Not found in the sources" not in " ".join(evidence.notes)
    named = ask("Was macht die Variable SHOP_CACHE_DIR mit dem Warenkorb?")
    assert not named.is_found
    assert "Not found in the sources: “SHOP_CACHE_DIR”." in named.notes


def test_a_few_words_that_are_nowhere_tell_nothing_either(indexed: Repository) -> None:
    text = "Wo wird der customer cart order tax charge checkout total amount price"
    request = AskRequest(text, SYSTEM)
    found = retrieve(request, text)
    unlikely = replace(found, hits=tuple(replace(h, score=0.1) for h in found.hits))
    judged = judge_answerable(request, text, replace(unlikely, is_found=True))
    assert (judged.is_found, judged.notes) == (True, ())
