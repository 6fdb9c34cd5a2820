"""`eval_search` over checkouts, over one source, and over plain documents."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from devrag.core.errors import InvalidInput
from devrag.jobs.api import details_of
from devrag.jobs.models import Job
from devrag.sources.models import Source
from devrag.use_cases.job_waiter import JobWaiter
from tests.conftest import SHOP, Repository, run_job

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


def test_a_root_of_a_whole_repository_narrows_the_answers(
    questions: Path, shop: Repository
) -> None:
    call_command("index", str(shop.path), product="tea", stdout=io.StringIO())
    narrow = run("--queries", questions, "--source", "shop", "--root", "shop/")
    hits = [hit for each in narrow["questions"] for hit in each["hits"]]
    assert all(hit.startswith("shop/") for hit in hits)
    whole = run("--queries", questions, "--source", "shop", "--mode", "keyword")
    assert whole["overall"]["recall@10"] == 1.0


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
    with pytest.raises(InvalidInput, match="Say what to ask"):
        run("--queries", questions)
    with pytest.raises(InvalidInput, match="no source 'none'"):
        run("--queries", questions, "--source", "none")
    repos = tmp_path / "repos.json"
    repos.write_text('[{"name": "shop"}]')
    with pytest.raises(InvalidInput, match="needs --checkouts"):
        run("--queries", questions, "--repos", repos)
    with pytest.raises(InvalidInput, match="There is no folder"):
        run("--queries", questions, "--repos", repos, "--checkouts", tmp_path)
    repos.write_text('["shop"]')
    with pytest.raises(InvalidInput, match="must be a JSON list"):
        run("--queries", questions, "--repos", repos, "--checkouts", tmp_path)
