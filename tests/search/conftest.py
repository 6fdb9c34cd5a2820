"""A remote embedding model on loopback, and nothing remembered between tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from devrag.jobs.models import Job
from devrag.search.semantic import ask
from devrag.search.semantic.specs import make_embedder
from tests.conftest import run_job
from tests.model_server import KEY, ModelServer, model_server

SMALL, LARGE = "openai/small", "openai/large"


@pytest.fixture
def models(settings: Any) -> Iterator[ModelServer]:
    """Serve the models `small` and `large`, of 8 and 12 dimensions, as `openai`."""
    with model_server(small=8, large=12) as server:
        settings.EMBEDDING_BASE_URL = server.url
        settings.EMBEDDING_API_KEY = KEY
        _forget()
        yield server
    _forget()


def _forget() -> None:
    make_embedder.cache_clear()
    ask.forget_answers()


def embed_all() -> list[Job]:
    """Run the open embedding jobs to their end; return them, oldest first."""
    jobs = Job.objects.filter(kind="embed", state="pending").order_by("created_at")
    return [run_job(job) for job in list(jobs)]
