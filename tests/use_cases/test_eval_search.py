"""`eval_search` over checkouts, over one source, and over plain documents."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from devrag.core.errors import InvalidInput, PermissionDenied
from devrag.jobs.api import details_of
from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.search.models import EmbeddingSpec
from devrag.search.reranking.endpoint import forget_failures
from devrag.search.semantic.retriever import forget_answers
from devrag.search.semantic.specs import active_spec, make_embedder
from devrag.sources.models import Source
from devrag.use_cases.job_waiter import JobWaiter
from tests.conftest import SHOP, Repository, run_job
from tests.model_server import model_server
from tests.rerank_server import RerankServer, rerank_server
from tests.scripted_server import Scripted

pytestmark = pytest.mark.django_db(transaction=True)

QUESTIONS = [
    {"id": 1, "repo": "shop", "query": "charge", "relevant": ["shop/till.py"]},
    {"id": 2, "repo": "shop", "query": "Cart", "relevant": ["shop/cart.py"]},
    {"id": 3, "repo": "unknown", "query": "Cart", "relevant": ["shop/cart.py"]},
]


@pytest.fixture(autouse=True)
def workers(monkeypatch: pytest.MonkeyPatch, follow: Callable[[], Any]) -> None:
    """Do in this process what a running server would do."""

    def wait(_self: JobWaiter, job_id: str) -> dict[str, Any]:
        done = run_job(Job.objects.get(pk=job_id))
        follow()
        return details_of(done)

    monkeypatch.setattr(JobWaiter, "wait", wait)


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    return write(tmp_path / "questions.jsonl", QUESTIONS)


@pytest.fixture
def checkouts(tmp_path: Path) -> Path:
    for path, text in SHOP.items():
        file = tmp_path / "checkouts" / "shop" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return tmp_path / "checkouts"


def write(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return path


def run(*arguments: object) -> dict[str, Any]:
    output = io.StringIO()
    call_command("eval_search", *map(str, arguments), "--json", stdout=output)
    answer = json.loads(output.getvalue())
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize("root", [None, "shop"])
def test_checkouts_are_indexed_and_asked(
    questions: Path, checkouts: Path, tmp_path: Path, root: str | None
) -> None:
    repos = tmp_path / "repos.json"
    repos.write_text(json.dumps([{"name": "shop", "benchmark_root": root}]))
    found = run("--queries", questions, "--repos", repos, "--checkouts", checkouts)
    assert found["overall"]["queries"] == 2
    assert found["overall"]["ndcg@10"] == 1.0
    assert found["overall"]["p95_ms"] > 0
    assert list(found["repositories"]) == ["shop"]


@pytest.mark.slow
def test_a_root_of_a_whole_repository_narrows_the_answers(
    questions: Path, shop: Repository
) -> None:
    call_command("index", str(shop.path), product="tea", stdout=io.StringIO())
    narrow = run("--queries", questions, "--source", "shop", "--root", "shop/")
    hits = [hit for each in narrow["questions"] for hit in each["hits"]]
    assert all(hit.startswith("shop/") for hit in hits)
    whole = run("--queries", questions, "--source", "shop", "--mode", "keyword")
    assert whole["overall"]["recall@10"] == 1.0


@pytest.mark.slow
def test_documents_are_ranked_by_their_best_passage(tmp_path: Path) -> None:
    documents = [
        {"id": "d1", "text": "緑茶は蒸した茶葉から作る。"},
        {"id": "d/2", "text": "Coffee beans are roasted.\n\n" * 200},
    ]
    corpus = write(tmp_path / "drinks.jsonl", documents)
    asked = [
        {"query": "茶葉", "relevant": ["d1"]},
        {"query": "roasted beans", "relevant": ["d/2"]},
    ]
    queries = write(tmp_path / "asked.jsonl", asked)
    found = run("--queries", queries, "--corpus", corpus, "--mode", "keyword")
    assert found["overall"]["ndcg@10"] == 1.0
    assert Source.objects.get().name == "eval-drinks"
    write(corpus, documents[1:])  # what left the corpus leaves the index
    found = run("--queries", queries, "--corpus", corpus, "--mode", "keyword")
    assert found["overall"]["recall@10"] == 0.5


def test_what_is_missing_is_named(questions: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="Choose what to query"):
        run("--queries", questions)
    with pytest.raises(InvalidInput, match="no source 'none'"):
        run("--queries", questions, "--source", "none")
    repos = tmp_path / "repos.json"
    repos.write_text('[{"name": "shop"}]')
    with pytest.raises(InvalidInput, match="requires --checkouts"):
        run("--queries", questions, "--repos", repos)
    with pytest.raises(InvalidInput, match="Folder not found"):
        run("--queries", questions, "--repos", repos, "--checkouts", tmp_path)
    repos.write_text('["shop"]')
    with pytest.raises(InvalidInput, match="must be a JSON list"):
        run("--queries", questions, "--repos", repos, "--checkouts", tmp_path)


# -- comparisons ---------------------------------------------------------------------

DRINKS = [
    {"id": "d1", "text": "Tea is made of leaves that were steamed."},
    {"id": "d2", "text": "Leaves of the coffee tree are not what coffee is made of."},
    {"id": "d3", "text": "Milk is what cows give."},
]
ASKED = [
    {"query": "what is coffee made of", "relevant": ["d2"]},
    {"query": "steamed leaves of tea", "relevant": ["d1"]},
]


@pytest.fixture
def drinks(tmp_path: Path) -> tuple[object, ...]:
    """Arguments that ask a corpus of drinks."""
    corpus = write(tmp_path / "drinks.jsonl", DRINKS)
    queries = write(tmp_path / "asked.jsonl", ASKED)
    return "--queries", queries, "--corpus", corpus


@pytest.fixture
def reranker(settings: Any) -> Iterator[RerankServer]:
    with rerank_server() as server:
        settings.RERANK_BASE_URL = server.url
        settings.RERANK_MODEL = "judge-1"
        forget_failures()
        yield server
    forget_failures()


def test_the_reranker_is_compared_with_the_own_order(
    drinks: tuple[object, ...], reranker: RerankServer
) -> None:
    found = run(*drinks, "--compare-reranker")
    before, after = found["variants"]
    assert (before["name"], before["reranked"]) == ("original order", 0)
    assert (after["name"], after["reranked"]) == ("judge-1", 2)
    assert after["overall"]["ndcg@10"] == 1.0
    assert found["gain"]["ndcg@10"] == pytest.approx(
        after["overall"]["ndcg@10"] - before["overall"]["ndcg@10"]
    )
    assert len(reranker.seen) == 2


@pytest.mark.slow
def test_what_a_failing_reranker_did_not_order_is_told(
    drinks: tuple[object, ...], reranker: RerankServer
) -> None:
    reranker.script = [Scripted(500, {"error": "oops"})]
    output = io.StringIO()
    call_command("eval_search", *map(str, drinks), "--compare-reranker", stdout=output)
    printed = output.getvalue()
    assert "judge-1:\n" in printed
    assert "0 of 2 reranked" in printed
    assert "2 times: The reranker at" in printed
    assert "0 queries better, 0 worse, 2 equal" in printed


@pytest.mark.slow
def test_two_embedding_models_are_compared(
    drinks: tuple[object, ...], settings: Any
) -> None:
    with model_server(small=8) as server:
        settings.EMBEDDING_BASE_URL = server.url
        make_embedder.cache_clear()
        arguments = (*drinks, "--compare-model", "openai/small", "--mode", "semantic")
        found = run(*arguments)
        made = [text for text in server.texts if text in {d["text"] for d in DRINKS}]
        run(*arguments)
    make_embedder.cache_clear()
    forget_answers()
    assert [each["name"] for each in found["variants"]] == [
        "local/multilingual-e5-small-code",
        "openai/small",
    ]
    assert {each["text"] for each in DRINKS} == set(made)
    again = [text for text in server.texts if text in set(made)]
    assert sorted(again) == sorted(made)  # no vector is made twice
    assert {each["query"] for each in ASKED} <= set(server.texts)
    assert active_spec() == EmbeddingSpec.objects.get(provider="local")
    assert not EmbeddingSpec.objects.filter(is_next=True).exists()


@pytest.mark.slow
def test_texts_of_a_product_that_keeps_them_are_not_compared(
    drinks: tuple[object, ...], settings: Any
) -> None:
    run(*drinks, "--mode", "keyword")
    Product.objects.update(is_external_models_allowed=False)
    with model_server(small=8) as server:
        settings.EMBEDDING_BASE_URL = server.url
        make_embedder.cache_clear()
        with pytest.raises(PermissionDenied, match="does not allow external models"):
            run(*drinks, "--compare-model", "openai/small")
    make_embedder.cache_clear()
    assert {text for text in server.texts if text != "dimensions"} == set()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--compare-reranker",), "Set RERANK_BASE_URL"),
        (("--compare-model", "local"), "is the active model"),
        (("--compare-model", "local", "--mode", "keyword"), "uses no embedding model"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    drinks: tuple[object, ...], arguments: tuple[str, ...], said: str
) -> None:
    with pytest.raises(InvalidInput, match=said):
        run(*drinks, *arguments)


def test_keywords_are_not_reranked(
    drinks: tuple[object, ...], reranker: RerankServer
) -> None:
    with pytest.raises(InvalidInput, match="never reranked"):
        run(*drinks, "--compare-reranker", "--mode", "keyword")
