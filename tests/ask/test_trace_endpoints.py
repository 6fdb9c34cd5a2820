"""Ends of a trace in plain words, found by search in an indexed repository."""

from __future__ import annotations

import pytest

from devrag.ask.trace.answer import trace_answer
from devrag.ask.trace.endpoints import find_endpoint
from devrag.ask.trace.question import TraceEnd
from devrag.ask.types import AskRequest
from devrag.core.principal import SYSTEM
from devrag.sources.models import Source
from tests.conftest import Repository

pytestmark = pytest.mark.django_db


def ask(question: str) -> str:
    answer = trace_answer(AskRequest(question, SYSTEM, mode="trace"))
    assert answer is not None
    return answer.markdown


def test_plain_words_are_the_definitions_that_search_finds(
    indexed: Repository,
) -> None:
    told = ask("from checkout of the cart to taking money from the customer")
    assert "“checkout of the cart” is interpreted as `Cart" in told
    assert "“taking money from the customer” is interpreted as `charge`" in told
    assert "`Cart.checkout` reaches `charge` in 1 call:" in told


def test_words_that_nothing_fits_are_unknown(indexed: Repository) -> None:
    told = ask("from qqzzxx wwvvkk to charge")
    assert "There is no definition `qqzzxx wwvvkk` in the current version." in told


def test_code_is_not_searched_for_by_words(indexed: Repository) -> None:
    sources = list(Source.objects.values_list("pk", flat=True))
    request = AskRequest("", SYSTEM, mode="trace")
    end = TraceEnd("takes_the_money", is_code=True)
    assert find_endpoint(end, request, sources).candidates == ()
