"""The language model of a product in a search, over HTTP; rules where it fails."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from devrag.core.principal import SYSTEM, Principal, Role
from devrag.products.models import Product
from devrag.search.query_model import summarize_result
from devrag.search.service import search
from devrag.search.types import SearchQuery, SearchResult
from devrag.spending.models import ModelCall
from tests.conftest import Repository
from tests.llm.chat_server import ChatServer, Reply, chat_server, use_server
from tests.scripted_server import Scripted
from tests.search.hits import make_hit

pytestmark = pytest.mark.django_db
QUESTION = SearchQuery(
    "Where do customers pay?", SYSTEM, product="tea", mode="keyword", rewrite=True
)


@pytest.fixture
def server(settings: Any) -> Iterator[ChatServer]:
    with chat_server() as server:
        use_server(server, settings)
        yield server


@pytest.fixture
def tea(indexed: Repository) -> Product:
    return Product.objects.get(name="tea")


def test_a_query_is_rewritten_once_and_paid_by_the_product(
    server: ChatServer, tea: Product
) -> None:
    server.script = [Reply("charge")]
    for _ in range(2):
        result = search(QUESTION)
        assert result.notes[0] == "Searched for “charge”."
        assert "shop/till.py" in {hit.path for hit in result.hits}
    call = ModelCall.objects.get()
    assert (call.product, call.purpose) == (tea, "search")


def test_the_results_are_summed_up_from_fenced_texts(
    server: ChatServer, tea: Product
) -> None:
    server.script = [Reply("charge"), Reply("They pay at\nthe till [1].")]
    assert summarize_result(search(QUESTION)) == "They pay at the till [1]."
    asked = server.seen[-1].prompt
    assert "[1] shop/till.py:" in asked
    assert re.search(r"<<DATA-(\w+) query\nWhere do customers pay\?\nDATA-\1>>", asked)


def test_a_question_is_rewritten_without_its_filters_which_stay(
    server: ChatServer, tea: Product
) -> None:
    server.script = [Reply("charge source:nowhere /x/")]
    result = search(replace(QUESTION, text="Where product:tea do lang:python pay?"))
    assert "lang:" not in server.seen[0].prompt
    assert "product:" not in server.seen[0].prompt
    assert {hit.language for hit in result.hits} == {"python"}


def test_no_model_reads_a_wiki_as_results(server: ChatServer, tea: Product) -> None:
    hit = make_hit(kind="wiki", product_name="tea", text="A claim.")
    result = SearchResult(QUESTION, (hit,), 1.0)
    assert summarize_result(result) == "1 result, 1 file of 1 source, 8 characters."
    assert server.seen == []


def test_texts_of_a_closed_product_stay(server: ChatServer, tea: Product) -> None:
    tea.is_external_models_allowed = False
    tea.save()
    result = search(SearchQuery("charge", SYSTEM, mode="keyword"))
    assert summarize_result(result).startswith("3 results")
    assert server.seen == []


def test_texts_of_two_products_reach_no_model(server: ChatServer, tea: Product) -> None:
    result = search(SearchQuery("/charge product:tea|charge/", SYSTEM))
    first, *rest = result.hits
    mixed = replace(result, hits=(replace(first, product_name="other"), *rest))
    assert summarize_result(mixed).startswith("3 results")
    assert server.seen == []


def test_no_call_is_paid_while_one_types(server: ChatServer, tea: Product) -> None:
    search(replace(QUESTION, is_typing=True))
    assert server.seen == []


@pytest.mark.parametrize(
    "limits",
    [{"role": Role.VIEWER}, {"role": Role.ADMIN, "scopes": frozenset({"read"})}],
)
def test_who_may_only_read_spends_nothing(
    server: ChatServer, tea: Product, limits: dict[str, Any]
) -> None:
    reader = Principal("reader", **limits)
    asked = SearchQuery("charge", reader, product="tea", mode="keyword")
    assert summarize_result(search(asked)).startswith("3 results")
    assert server.seen == []


def test_a_model_that_fails_leaves_the_rules(server: ChatServer, tea: Product) -> None:
    server.write = lambda _: Scripted(401, {"error": {"message": "wrong key"}})
    result = search(SearchQuery("charge", SYSTEM, product="tea", rewrite=True))
    assert result.hits
    assert summarize_result(result).startswith("3 results")
