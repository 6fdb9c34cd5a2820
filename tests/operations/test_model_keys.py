"""A key that is set in a shell and not where the server runs: everybody is told."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
import redis
from django.conf import settings as live_settings
from django.contrib.auth.models import User
from django.test import Client

from devrag.core.principal import SYSTEM
from devrag.jobs.heartbeat import leave_heartbeat
from devrag.jobs.models import Job
from devrag.operations.doctor import diagnose
from devrag.operations.findings import DoctorFinding
from devrag.operations.health import describe_health
from devrag.operations.model_keys import _KEY, missing_here, missing_on_server
from devrag.operations.status import describe_status
from devrag.operations.tasks import report_missing_keys
from devrag.search.models import EmbeddingSpec
from devrag.search.semantic.request import request_lacking
from devrag.search.semantic.specs import ensure_active_spec, ensure_spec, make_embedder
from devrag.sources.models import Source
from tests.conftest import Repository, run_job
from tests.indexing.test_index import index

pytestmark = pytest.mark.django_db(transaction=True)
EMBEDDING_KEYS = {"openai": "OPENAI_API_KEY", "gemini": "GEMINI_API_KEY"}
CHAT_KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
ADVICE = "in the server's environment and restart the server (`devrag server restart`)."


@pytest.fixture(autouse=True)
def no_report(settings: Any) -> Iterator[None]:
    """No worker has reported yet, and no key is set anywhere."""
    for name in {*EMBEDDING_KEYS.values(), *CHAT_KEYS.values()}:
        setattr(settings, name, "")
    make_embedder.cache_clear()
    with redis.Redis.from_url(live_settings.BROKER_URL) as client:
        client.delete(_KEY)
        yield
        client.delete(_KEY)
    make_embedder.cache_clear()


def prepare_model(provider: str) -> EmbeddingSpec:
    """Let a remote model be prepared beside the local one."""
    ensure_active_spec()
    spec = ensure_spec(provider, "model-x", 8)
    EmbeddingSpec.objects.filter(pk=spec.pk).update(is_next=True)
    return spec


def found(name: str) -> DoctorFinding:
    (finding,) = [each for each in diagnose() if each.name == name]
    return finding


@pytest.mark.parametrize(("provider", "key"), EMBEDDING_KEYS.items())
def test_the_server_lacks_the_key_that_the_shell_has(
    settings: Any, provider: str, key: str
) -> None:
    leave_heartbeat()
    prepare_model(provider)
    report_missing_keys()  # as a worker without the key
    setattr(settings, key, "only-here")  # as a shell with it
    assert missing_here() == []
    finding = found("embeddings")
    assert (finding.state, finding.detail) == (
        "broken",
        f"{key} is not set in the server's environment",
    )
    assert finding.advice == f"{provider}/model-x needs {key}: set it {ADVICE}"
    assert finding in describe_status(SYSTEM).parts
    health = describe_health()
    assert (health["status"], health["models"]) == ("ok", finding.detail)
    report_missing_keys()  # as the worker after its restart
    assert missing_on_server() == []
    assert found("embeddings").state == "note"
    assert describe_health()["models"] == "ok"


@pytest.mark.parametrize(("provider", "key"), CHAT_KEYS.items())
def test_the_server_lacks_the_key_of_the_language_model(
    settings: Any, provider: str, key: str
) -> None:
    ensure_active_spec()
    settings.LLM_PROVIDER = provider
    report_missing_keys()
    setattr(settings, key, "only-here")
    finding = found("language model")
    assert finding.state == "broken"
    assert finding.advice.endswith(f"needs {key}: set it {ADVICE}")
    assert "only-here" not in repr(finding)
    assert (
        describe_health()["models"] == f"{key} is not set in the server's environment"
    )


def test_a_server_of_ones_own_may_want_no_key(settings: Any) -> None:
    settings.EMBEDDING_BASE_URL = settings.LLM_BASE_URL = "http://localhost:1/v1"
    settings.LLM_PROVIDER, settings.LLM_MODEL = "openai", "tiny"
    prepare_model("openai")
    report_missing_keys()
    assert missing_on_server() == []


def test_an_embedding_server_needs_no_key() -> None:
    prepare_model("grpc")
    assert missing_here() == []


@pytest.mark.slow
def test_pages_and_the_job_say_it_and_a_restart_goes_on(
    shop: Repository, settings: Any, client: Client
) -> None:
    spec = prepare_model("openai")
    index(shop)
    report_missing_keys()
    job = run_job(Job.objects.get(kind="embed", params__specID=spec.pk))
    assert (job.state, job.error_code) == ("failed", "embedding_unavailable")
    assert "Set OPENAI_API_KEY; for what the server does" in job.error
    assert "devrag server restart" in job.error
    client.force_login(User.objects.create_superuser("admin"))
    source = Source.objects.select_related("product").get()
    for page in (f"/p/{source.product.name}/", f"/p/{source.product.name}/s/{source}/"):
        text = unescape(client.get(page).content.decode())
        assert "OPENAI_API_KEY is not set in the server's environment" in text, page
    request_lacking()  # what `prepare` does at each start of the server
    assert Job.objects.filter(state="pending", params__specID=spec.pk).exists()
