"""Search with a reranker on loopback: order, scores, reasons, and all that can fail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from devrag.core.principal import SYSTEM
from devrag.products.models import Product
from devrag.search.reranking.endpoint import forget_failures
from devrag.search.reranking.rerank import RERANKED, as_probabilities
from devrag.search.service import search
from devrag.search.types import MAX_LIMIT, SearchQuery, SearchResult
from devrag.spending.models import RERANK_PURPOSE, ModelCall
from devrag.spending.totals import add_up, calls_of_month, calls_of_run
from tests.rerank_server import RerankServer, rerank_server
from tests.scripted_server import KEY, Scripted

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("indexed")]
# Words that a test has, which the usual order ranks lower.
QUERY = "checkout adds tax, cart of tea"


@pytest.fixture(params=["documents"])
def server(request: pytest.FixtureRequest, settings: Any) -> Iterator[RerankServer]:
    with rerank_server(request.param) as server:
        settings.RERANK_BASE_URL = server.url
        settings.RERANK_API_KEY = KEY
        settings.RERANK_MODEL = "judge-1"
        forget_failures()
        yield server
    forget_failures()


def ask(text: str = QUERY, **options: Any) -> SearchResult:
    """Search without a limit of time: the model of vectors may be loading still."""
    return search(make_query(text, **options), is_patient=True)


def make_query(text: str = QUERY, **options: Any) -> SearchQuery:
    return SearchQuery(text=text, principal=SYSTEM, **{"limit": 50} | options)


def keys(result: SearchResult) -> list[int]:
    return [hit.chunk_id for hit in result.hits]


def usual(**options: Any) -> SearchResult:
    return ask(rerank=False, **options)


@pytest.mark.parametrize("server", ["documents", "texts"], indirect=True)
def test_hits_are_in_the_order_of_the_scores_that_they_show(
    server: RerankServer,
) -> None:
    before, after = usual(), ask()
    assert keys(before) != keys(after)
    assert set(keys(before)) == set(keys(after))
    scores = [hit.score for hit in after.hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert after.hits[0].path == "tests/test_cart.py"
    assert after.reranked_by == "judge-1"
    assert (before.reranked_by, before.notes) == ("", after.notes)


def test_each_reranked_hit_says_so_first(server: RerankServer) -> None:
    assert {hit.why[0] for hit in ask().hits} == {"reranked by judge-1"}
    reasons = {reason for hit in usual().hits for reason in hit.why}
    assert "reranked by judge-1" not in reasons


def test_equal_scores_keep_the_usual_order(server: RerankServer) -> None:
    before = usual()
    rows = [{"index": n, "relevance_score": 0.5} for n in range(len(before.hits))]
    server.script = [Scripted(body={"results": rows})]
    assert keys(ask()) == keys(before)


def test_what_ranks_first_is_found_beyond_the_limit(server: RerankServer) -> None:
    before = keys(usual())
    count = len(before)
    rows = [{"index": n, "relevance_score": n / count} for n in range(count)]
    server.script = [Scripted(body={"results": rows})]
    assert keys(ask(limit=1)) == before[-1:]


def test_every_result_that_can_be_shown_is_reranked() -> None:
    assert RERANKED >= MAX_LIMIT


@pytest.mark.parametrize(
    "options",
    [
        {"rerank": False},
        {"is_typing": True},
        {"mode": "keyword"},
        {"text": "Cart"},
        {"text": 'exact:"checkout"'},
    ],
)
def test_the_reranker_is_not_asked(
    server: RerankServer, options: dict[str, Any]
) -> None:
    result = ask(**options)
    assert (server.seen, result.reranked_by) == ([], "")


def test_it_gets_texts_under_their_place(server: RerankServer) -> None:
    ask()
    (seen,) = server.seen
    assert seen.body["query"] == QUERY
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert any(
        text.startswith("tests/test_cart.py") and "def test_checkout" in text
        for text in server.texts
    )


def test_what_looks_like_a_secret_does_not_leave(server: RerankServer) -> None:
    ask("where is the tax when password=abcdefgh12345678")
    assert "password" in server.seen[0].body["query"]
    assert "abcdefgh12345678" not in str(server.seen[0].body)


def test_texts_of_a_product_that_keeps_them_do_not_leave(server: RerankServer) -> None:
    Product.objects.update(is_external_models_allowed=False)
    result = ask()
    assert server.seen == []
    assert keys(result) == keys(usual())
    assert (
        "Results are not reranked because 'tea' does not allow external models."
        in result.notes
    )


def test_each_call_is_counted_apart_from_language_models(server: RerankServer) -> None:
    ask()
    (call,) = ModelCall.objects.filter(purpose=RERANK_PURPOSE)
    assert (call.product, call.model) == (Product.objects.get(), "judge-1")
    assert (call.input_tokens, call.cost) == (90, None)
    assert call.finished_at is not None
    assert add_up(calls_of_month(call.product_id)).calls == 0
    assert add_up(calls_of_run(call.run)).calls == 0


# -- failures: the usual order, and a note -------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        Scripted(500, {"error": "oops"}),
        Scripted(401, {"error": "no"}),
        Scripted(body="<html>"),
        Scripted(body={"results": [{"index": 0, "relevance_score": 0.9}]}),
        Scripted(body=[{"index": 99, "score": 0.9}]),
        Scripted(body=[{"index": 0, "score": 0.9}] * 2),
        Scripted(body=[{"index": 0, "score": float("nan")}]),
    ],
    ids=["500", "401", "html", "partial", "out of range", "twice", "nan"],
)
def test_a_failure_leaves_the_usual_order_with_a_note(
    server: RerankServer, answer: Scripted
) -> None:
    before = usual()
    server.script = [answer]
    result = ask()
    assert (result.hits, result.reranked_by) == (before.hits, "")
    note = result.notes[-1]
    assert note.startswith(f"The reranker at {server.url} ")
    assert note.endswith("Results are in their original order.")


def test_a_slow_one_leaves_the_usual_order_in_time(
    server: RerankServer, settings: Any
) -> None:
    before = usual()  # its vector is known to what follows
    server.script = [Scripted(is_late=True)] * 9
    settings.SEARCH_TIMEOUT = 2.0
    for _ in range(3):
        result = search(make_query())
        assert result.hits == before.hits
        assert result.notes[-1] == (
            f"The reranker at {server.url} did not respond in time. "
            "Results are in their original order."
        )
    assert len(server.seen) == 1  # then it is left alone
    assert ModelCall.objects.count() == 0


def test_one_that_is_away_leaves_the_usual_order(settings: Any) -> None:
    with rerank_server() as gone:
        settings.RERANK_BASE_URL = gone.url
    forget_failures()
    result = ask()
    forget_failures()
    assert result.hits == usual().hits
    assert f"Cannot reach the reranker at {gone.url}" in result.notes[-1]


# -- scores --------------------------------------------------------------------------


def test_scores_within_their_range_stay() -> None:
    assert as_probabilities([0.0, 0.25, 1.0]) == [0.0, 0.25, 1.0]


def test_raw_scores_are_brought_into_the_range_in_their_order() -> None:
    low, middle, high = as_probabilities([-1e9, 0.0, 4.0])
    assert (low, middle) == (0.0, 0.5)
    assert 0.98 < high < 0.99


def test_raw_scores_that_look_equal_keep_their_order(server: RerankServer) -> None:
    count = len(usual().hits)
    rows = [{"index": n, "score": 1000.0 + n} for n in range(count)]
    server.script = [Scripted(body=rows)]
    after = ask()
    assert keys(after) == keys(usual())[::-1]
    assert {hit.score for hit in after.hits} == {1.0}
