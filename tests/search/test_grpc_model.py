"""An embedding server in the place of the local model: the same vectors and hits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import grpc
import numpy as np
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from devrag.jobs.models import Job
from devrag.llm.local.embedder import LocalEmbedder
from devrag.search.models import Embedding
from devrag.search.semantic.providers import ask_embedding_provider
from devrag.search.semantic.specs import active_spec, ensure_active_spec
from devrag.search.service import search
from devrag.spending.models import ModelCall
from tests.conftest import Repository, run_job
from tests.indexing.test_index import index
from tests.llm.embedding_servers import scripted, serving_models
from tests.search.conftest import forget_models
from tests.search.shop import embed_all
from tests.search.test_remote_model import rerun
from tests.search.test_search import ask

pytestmark = pytest.mark.django_db
LOCAL, SERVED = "local/multilingual-e5-small-code", "grpc/multilingual-e5-small-code"


@pytest.fixture
def address(settings: Any) -> Iterator[str]:
    """Serve the local model; devrag knows where."""

    def build(name: str) -> LocalEmbedder:
        return LocalEmbedder(name, models_dir=settings.MODELS_DIR)

    with serving_models(build) as address:
        settings.EMBEDDING_GRPC_ADDRESS = address
        forget_models()
        yield address
    forget_models()


def vectors_of(provider: str) -> dict[int, Any]:
    rows = Embedding.objects.filter(spec__provider=provider, is_live=True)
    return dict(rows.values_list("chunk", "vector"))


def near() -> list[str]:
    hits = search(ask("charge the customer", mode="semantic", limit=50)).hits
    return [hit.path for hit in hits]


@pytest.mark.usefixtures("address")
def test_vectors_through_the_server_are_those_of_the_local_model(
    shop: Repository, follow: Callable[[], Any]
) -> None:
    index(shop)
    follow()
    embed_all()
    expected, before = vectors_of("local"), near()
    out = StringIO()
    call_command("embeddings", "use", SERVED, "--yes", stdout=out)
    assert "is being prepared" in out.getvalue()
    embed_all()
    spec = active_spec()
    assert spec is not None
    assert (spec.name, spec.dimensions) == (SERVED, 384)
    made = vectors_of("grpc")
    assert made.keys() == expected.keys()
    assert made
    for chunk, vector in made.items():
        assert np.allclose(vector, expected[chunk], atol=1e-6)
    assert near() == before
    assert set(ModelCall.objects.values_list("provider", "cost")) == {("grpc", 0)}


def test_a_first_start_takes_the_server_where_it_is_set(settings: Any) -> None:
    settings.EMBEDDING_PROVIDER = "grpc"
    assert str(ensure_active_spec()) == f"{SERVED} (384)"


def test_a_job_asks_a_failing_server_four_times_and_says_why(
    shop: Repository, settings: Any
) -> None:
    settings.EMBEDDING_PROVIDER, settings.EMBEDDING_BATCH_SIZE = "grpc", 64
    with scripted() as (service, address):
        settings.EMBEDDING_GRPC_ADDRESS = address
        service.size = 384
        forget_models()
        index(shop)
        service.script = [grpc.StatusCode.INTERNAL] * 9
        job = rerun(Job.objects.get(kind="embed"))
    forget_models()
    assert (job.state, len(service.seen)) == ("failed", 4)
    assert address in job.error


def test_keywords_answer_while_the_server_is_away(
    shop: Repository, settings: Any, address: str, follow: Callable[[], Any]
) -> None:
    settings.EMBEDDING_PROVIDER = "grpc"
    index(shop)
    follow()
    run_job(Job.objects.get(kind="embed"))
    settings.EMBEDDING_GRPC_ADDRESS = "127.0.0.1:9"
    forget_models()
    result = search(ask("charge the customer"))
    assert result.hits
    assert "127.0.0.1:9" in result.notes[0]


@pytest.mark.slow
def test_the_settings_show_it(address: str, admin_client: Client) -> None:
    page = admin_client.get(reverse("web:settings_models")).content.decode()
    assert "gRPC" in page
    assert address in page


@pytest.mark.usefixtures("address")
def test_a_trial_of_it_answers() -> None:
    ensure_active_spec()
    answer = ask_embedding_provider("grpc")
    assert (answer.model, answer.dimensions) == ("multilingual-e5-small-code", 384)
