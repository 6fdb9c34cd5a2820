"""The reranker's client against a server that speaks both formats."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from devrag.llm.errors import RerankerError
from devrag.llm.providers import Endpoint, Reranker, build_reranker
from devrag.llm.remote.tokens import estimate_tokens
from tests.rerank_server import RerankServer, rerank_server
from tests.scripted_server import KEY, Scripted

QUERY = "green tea"
TEXTS = ["a cup of coffee", "green tea", "tea"]


@pytest.fixture(params=["documents", "texts"])
def server(request: pytest.FixtureRequest) -> Iterator[RerankServer]:
    with rerank_server(request.param) as server:
        yield server


@pytest.fixture
def common() -> Iterator[RerankServer]:
    with rerank_server() as server:
        yield server


def build(server: RerankServer, model: str = "m", key: str = KEY) -> Reranker:
    return build_reranker(
        model, Endpoint(server.url, key, "RERANK_API_KEY", "RERANK_BASE_URL")
    )


def failure_of(reranker: Reranker) -> RerankerError:
    with pytest.raises(RerankerError) as caught:
        reranker.rerank(QUERY, TEXTS, 0.3)
    return caught.value


def test_scores_are_in_the_order_of_the_texts(server: RerankServer) -> None:
    assert build(server).rerank(QUERY, TEXTS, 5).scores == (0.0, 1.0, 0.5)


def test_the_format_is_found_out_once(server: RerankServer) -> None:
    reranker = build(server)
    for _ in range(3):
        reranker.rerank(QUERY, TEXTS, 5)
    tried = 2 if server.speaks == "texts" else 1
    assert len(server.seen) == tried + 2
    assert {request.path for request in server.seen} == {"/v1/rerank"}


def test_a_server_of_the_other_format_may_take_the_address_over(
    server: RerankServer,
) -> None:
    reranker = build(server)
    reranker.rerank(QUERY, TEXTS, 5)
    server.speaks = "texts" if server.speaks == "documents" else "documents"
    failure_of(reranker)
    assert reranker.rerank(QUERY, TEXTS, 5).scores == (0.0, 1.0, 0.5)


def test_the_common_format_names_the_model_and_wants_all(common: RerankServer) -> None:
    build(common).rerank(QUERY, TEXTS, 5)
    (seen,) = common.seen
    assert seen.body == {
        "model": "m",
        "query": QUERY,
        "documents": TEXTS,
        "top_n": len(TEXTS),
    }
    assert seen.headers["authorization"] == f"Bearer {KEY}"


def test_no_model_and_no_key_are_not_sent(common: RerankServer) -> None:
    reranker = build(common, model="", key="")
    reranker.rerank(QUERY, TEXTS, 5)
    assert "model" not in common.seen[0].body
    assert "authorization" not in common.seen[0].headers
    assert reranker.name == f"127.0.0.1:{common.server_port}"


def test_an_address_may_end_in_the_path(common: RerankServer) -> None:
    reranker = build_reranker("m", Endpoint(f"{common.url}/rerank/"))
    reranker.rerank(QUERY, TEXTS, 5)
    assert common.seen[0].path == "/v1/rerank"


def test_tei_gets_no_more_texts_at_a_time_than_it_takes() -> None:
    texts = [f"tea {number}" for number in range(49)] + ["green tea"]
    with rerank_server("texts") as server:
        scores = build(server).rerank(QUERY, texts, 5).scores
    sizes = [len(request.body.get("texts", ())) for request in server.seen]
    assert sizes == [0, 32, 18]
    assert scores == (*[0.5] * 49, 1.0)
    assert server.seen[1].body["truncate"] is True


def test_tokens_are_the_providers_or_estimated() -> None:
    with rerank_server("documents") as server:
        assert build(server).rerank(QUERY, TEXTS, 5).tokens == 90
    with rerank_server("texts") as server:
        estimated = sum(map(estimate_tokens, (QUERY, *TEXTS)))
        assert build(server).rerank(QUERY, TEXTS, 5).tokens == estimated


def test_long_questions_and_texts_are_cut(common: RerankServer) -> None:
    reranker = build(common)
    assert len(reranker.fit("tea " * 5000)) < 2_000
    reranker.rerank("tea " * 5000, ["tea"], 5)
    assert len(common.seen[0].body["query"]) < 500


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<html>", "no list of scores"),
        ({"results": "none"}, "no list of scores"),
        ({"data": []}, "no list of scores"),
        (["tea"], "without an index"),
        ([{"index": 0, "score": "high"}] * 3, "not numbers"),
        ([{"index": True, "score": 1}], "not numbers"),
        ([{"score": 1.0}], "not numbers"),
        ([{"index": 0, "score": float("nan")}], "not finite"),
        ([{"index": 0, "score": float("inf")}], "not finite"),
        ([{"index": 3, "score": 1.0}], "text 3 of 3"),
        ([{"index": -1, "score": 1.0}], "text -1 of 3"),
        ([{"index": 1, "score": 1.0}] * 2, "two scores for text 1"),
        ([{"index": 1, "score": 1.0}], "1 scores for 3 texts"),
        ([], "0 scores for 3 texts"),
    ],
)
def test_an_odd_answer_is_told(common: RerankServer, body: object, said: str) -> None:
    common.script = [Scripted(body=body)]
    failure = failure_of(build(common))
    assert said in failure.message
    assert "RERANK_BASE_URL" in failure.message


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (401, "Check RERANK_API_KEY"),
        (404, "RERANK_BASE_URL"),
        (413, "rejected the texts"),
        (429, "asks to slow down"),
        (500, "failed"),
        (302, "redirects"),
    ],
)
def test_a_refusal_is_told_and_not_asked_again(
    common: RerankServer, status: int, said: str
) -> None:
    common.script = [Scripted(status, {"error": f"no {KEY}"}, {"Retry-After": "7"})]
    failure = failure_of(build(common))
    assert said in failure.message
    assert KEY not in failure.message
    assert failure.retry_after_seconds == (7 if status == 429 else 0)
    assert len(common.seen) == 1


def test_what_no_format_gets_through_is_told_as_it_was_first(
    common: RerankServer,
) -> None:
    common.script = [Scripted(422, {"error": "no such model"}), Scripted(400, "oops")]
    assert "no such model" in failure_of(build(common)).message


def test_a_slow_server_is_given_up(common: RerankServer) -> None:
    common.script = [Scripted(is_late=True)]
    assert "did not respond within 0.3 s" in failure_of(build(common)).message


def test_a_server_that_is_away_is_told() -> None:
    with rerank_server() as server:
        reranker = build(server)
    assert "Cannot reach the reranker at" in failure_of(reranker).message
