"""A remote model at work: limits, failures, costs, and products that keep theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from devrag.core.errors import ProviderError
from devrag.jobs.models import Batch, Job
from devrag.products.models import Product
from devrag.search.models import Embedding, EmbeddingSpec, ProviderPace
from devrag.search.semantic import retriever as semantic_ask
from devrag.search.semantic.pauses import seconds_to_wait
from devrag.search.semantic.specs import active_spec, ensure_active_spec, ensure_spec
from devrag.search.service import search
from devrag.sources.models import Chunk
from tests.conftest import Repository, run_job
from tests.indexing.test_index import index
from tests.model_server import ModelServer, Scripted
from tests.search.shop import embed_all
from tests.search.test_search import ask

pytestmark = pytest.mark.django_db


@pytest.fixture
def remote(models: ModelServer) -> ModelServer:
    """The small remote model, active from the start."""
    spec = ensure_spec("openai", "small", 8)
    EmbeddingSpec.objects.filter(pk=spec.pk).update(is_active=True)
    return models


@pytest.fixture
def indexed(
    shop: Repository, remote: ModelServer, follow: Callable[[], Any]
) -> Repository:
    index(shop)
    follow()
    return shop


def rerun(job: Job, times: int = 6) -> Job:
    """Run a job over its waits."""
    for _ in range(times):
        run_job(job)
        Batch.objects.filter(job=job, state="open").update(not_before=None)
        ProviderPace.objects.all().delete()
    job.refresh_from_db()
    return job


@pytest.mark.usefixtures("indexed")
@pytest.mark.parametrize(
    ("failures", "calls", "state"), [(9, 4, "failed"), (3, 5, "completed")]
)
def test_a_failing_server_is_asked_four_times(
    remote: ModelServer, settings: Any, failures: int, calls: int, state: str
) -> None:
    settings.EMBEDDING_BATCH_SIZE = 64  # all texts in one call
    remote.script = [Scripted(500, {"error": "oops"})] * failures
    job = rerun(Job.objects.get(kind="embed"))
    assert (job.state, len(remote.seen)) == (state, min(calls, failures + 1))


@pytest.mark.usefixtures("indexed")
def test_a_limit_holds_the_provider_as_long_as_it_asks(remote: ModelServer) -> None:
    body = {"error": {"message": "slow down"}}
    remote.script = [Scripted(429, body, {"Retry-After": "77"})] * 4
    job = run_job(Job.objects.get(kind="embed"))
    assert 70 < seconds_to_wait(job) <= 4 * 77
    pace = ProviderPace.objects.get(provider="openai")
    assert pace.requests_free_at > timezone.now()
    assert rerun(job).state == "completed"


@pytest.mark.slow
@pytest.mark.usefixtures("indexed")
def test_no_text_is_paid_for_twice(remote: ModelServer, settings: Any) -> None:
    settings.EMBEDDING_BATCH_SIZE = 1
    settings.EMBEDDING_CONCURRENCY = 1
    embedded = Scripted(200, {"data": [{"index": 0, "embedding": [1.0] * 8}]})
    remote.script = [embedded, embedded, Scripted(500, {"error": "oops"})]
    job = run_job(Job.objects.get(kind="embed"))
    assert Embedding.objects.count() == len(remote.seen) - 1
    failed = remote.seen[2].texts
    assert rerun(job).state == "completed"
    assert sorted(remote.texts) == sorted([*set(remote.texts), *failed])


@pytest.mark.usefixtures("indexed")
def test_what_looks_like_a_secret_does_not_leave(
    indexed: Repository, remote: ModelServer
) -> None:
    indexed.commit({"conf.py": 'api_key = "abcdefgh12345678"\n'})
    index(indexed)
    embed_all()
    sent = [text for text in remote.texts if "api_key" in text]
    assert sent
    assert "abcdefgh12345678" not in "".join(remote.texts)


@pytest.mark.usefixtures("indexed")
def test_keywords_answer_while_the_server_is_slow(remote: ModelServer) -> None:
    embed_all()
    remote.script = [Scripted(500, {"error": "oops"})]
    asked = len(remote.seen)
    for _ in range(3):
        result = search(ask("charge the customer"))
        assert result.hits
        assert "unavailable" in result.notes[0]
    # It is left alone for a while: not each question waits for it.
    assert len(remote.seen) == asked + 1
    with pytest.raises(ProviderError):
        search(ask("charge the customer", mode="semantic"))
    semantic_ask.forget_answers()
    assert search(ask("charge the customer")).notes == ()


@pytest.mark.slow
@pytest.mark.usefixtures("indexed")
def test_the_same_question_is_sent_once(remote: ModelServer) -> None:
    embed_all()
    asked = len(remote.seen)
    for _ in range(3):
        search(ask("charge the customer"))
    assert len(remote.seen) == asked + 1


# -- products without external models ------------------------------------------------


@pytest.fixture
def secret(tmp_path: Any, remote: ModelServer) -> Repository:
    """A repository of a product that keeps its texts."""
    call_command("product", "add", "tea", "--external-models", "no")
    secret = Repository(tmp_path / "vault")
    secret.commit({"vault.py": 'def unlock():\n    """Open the vault."""\n'})
    index(secret)
    return secret


@pytest.mark.usefixtures("secret")
def test_no_text_of_it_leaves_and_its_vectors_are_local(remote: ModelServer) -> None:
    embed_all()
    assert remote.seen == []
    assert {row.spec.provider for row in Embedding.objects.all()} == {"local"}
    hits = search(ask("open the vault", mode="semantic")).hits
    assert [hit.path for hit in hits] == ["vault.py"]
    assert remote.seen == []


@pytest.mark.slow
@pytest.mark.usefixtures("secret")
def test_a_question_over_both_asks_both_models(
    remote: ModelServer, shop: Repository, follow: Callable[[], Any]
) -> None:
    index(shop, product_name="other")
    embed_all()
    assert not [text for text in remote.texts if "vault" in text]
    hits = search(ask("tax of the customer", mode="semantic", limit=50)).hits
    assert len(hits) == Chunk.objects.count()
    # The first of either model's list; whose scores are higher says nothing.
    assert "vault.py" in {hit.path for hit in hits if hit.semantic_rank in (1, 2)}
    remote.script = [Scripted(500, {"error": "oops"})] * 2
    result = search(ask("price of tea", mode="semantic"))
    assert {hit.product_name for hit in result.hits} == {"tea"}
    assert "unavailable" in result.notes[0]


@pytest.mark.slow
def test_forbidding_it_later_stops_the_sending_and_makes_local_vectors(
    indexed: Repository, remote: ModelServer
) -> None:
    job = run_job(Job.objects.get(kind="embed"), queues=("parse",))
    call_command("product", "update", "tea", "--external-models", "no")
    assert run_job(job).state == "failed"
    assert "does not allow external models" in job.error
    assert remote.seen == []
    embed_all()
    assert search(ask("charge the customer", mode="semantic")).hits
    assert remote.seen == []


# The jobs are asked for when the change is committed.
@pytest.mark.django_db(transaction=True)
def test_the_admin_asks_for_local_vectors_when_it_forbids_external_models(
    indexed: Repository, admin_client: Client
) -> None:
    product = Product.objects.get()
    none = {"TOTAL_FORMS": 0, "INITIAL_FORMS": 0}
    form = {
        "name": product.name,
        "visibility": "everyone",
        "wiki_settings": "{}",
        **{f"memberships-{name}": value for name, value in none.items()},
    }
    url = reverse("admin:products_product_change", args=[product.pk])
    assert admin_client.post(url, form).status_code == 302
    local = EmbeddingSpec.objects.get(provider="local")
    newest = Job.objects.filter(kind="embed").latest("created_at")
    assert newest.params["specID"] == local.pk


# -- the first start ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, "local/multilingual-e5-small-code (384)"),
        ({"OPENAI_API_KEY": "k"}, "openai/text-embedding-3-small (1536)"),
        (
            {"OPENAI_API_KEY": "k", "EMBEDDING_PROVIDER": "local"},
            "local/multilingual-e5-small-code (384)",
        ),
        ({"EMBEDDING_PROVIDER": "gemini"}, "gemini/gemini-embedding-001 (1536)"),
        (
            {
                "EMBEDDING_PROVIDER": "openai",
                "EMBEDDING_MODEL": "bge-m3",
                "EMBEDDING_DIMENSION": 1024,
            },
            "openai/bge-m3 (1024)",
        ),
    ],
)
def test_a_first_start_takes_what_is_set(
    settings: Any, values: dict[str, Any], expected: str
) -> None:
    for name, value in values.items():
        setattr(settings, name, value)
    assert str(ensure_active_spec()) == expected
    settings.EMBEDDING_PROVIDER = "gemini"
    assert str(ensure_active_spec()) == expected
    assert active_spec() == ensure_active_spec()
