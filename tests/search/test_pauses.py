"""Pausing and limiting the embedding."""

from __future__ import annotations

import json
import math
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from devrag.core.errors import NotFound, PermissionDenied
from devrag.core.principal import SYSTEM, Principal, Role
from devrag.jobs import engine
from devrag.jobs.models import Job, JobState
from devrag.jobs.progress import describe_progress
from devrag.products.models import Product
from devrag.search.models import ProviderPace
from devrag.search.semantic.coverage import vector_share
from devrag.search.semantic.pauses import (
    pause_embedding,
    resume_embedding,
    seconds_to_wait,
    spend,
)
from tests.conftest import Repository, run_job

pytestmark = pytest.mark.django_db


@pytest.fixture
def job(indexed: Repository) -> Job:
    return run_job(Job.objects.get(kind="embed"), queues=("parse",))


def command(*argv: str) -> str:
    out = StringIO()
    call_command("embeddings", *argv, stdout=out)
    return out.getvalue()


def seconds(provider: str = "local") -> float:
    pace = ProviderPace.objects.get(provider=provider)
    last = max(pace.texts_free_at, pace.requests_free_at)
    return (last - timezone.now()).total_seconds()


def test_a_paused_job_waits_and_goes_on_where_it_was(job: Job) -> None:
    product = Product.objects.get()
    assert pause_embedding(principal=SYSTEM, product=product)
    assert math.isinf(seconds_to_wait(job))
    assert engine.claim_batch(job.pk, "embed") is None
    assert vector_share(product).is_paused
    assert resume_embedding(principal=SYSTEM, product=product)
    assert not vector_share(product).is_paused
    assert run_job(job).state == JobState.COMPLETED
    said = list(job.events.values_list("message", flat=True))
    assert [text.split()[0] for text in said] == ["Paused", "Resumed"]


def test_a_job_that_is_held_says_why_it_stands_still(job: Job, settings: Any) -> None:
    def said() -> str:
        phase = describe_progress(job).current
        assert phase is not None
        return phase.note

    assert said() == ""
    pause_embedding(principal=SYSTEM, product=job.product)
    assert said() == "paused"
    listed = StringIO()
    call_command("jobs", "list", "--open", stdout=listed)
    assert listed.getvalue().rstrip().endswith("chunks  paused")
    resume_embedding(principal=SYSTEM, product=job.product)
    settings.EMBEDDING_REQUESTS_PER_MINUTE = 6
    spend("local", texts=64)
    assert said() == "on hold for at least 10 s"


def test_a_pause_holds_for_its_product_only(job: Job) -> None:
    other = Product.objects.create(name="other")
    pause_embedding(principal=SYSTEM, product=other)
    assert seconds_to_wait(job) == 0


def test_a_pause_of_everything_holds_for_each_product(job: Job) -> None:
    pause_embedding(principal=SYSTEM, product=None)
    assert not resume_embedding(principal=SYSTEM, product=job.product)
    assert math.isinf(seconds_to_wait(job))
    assert resume_embedding(principal=SYSTEM, product=None)
    assert seconds_to_wait(job) == 0


def test_pausing_twice_says_so_once(job: Job) -> None:
    assert pause_embedding(principal=SYSTEM, product=job.product)
    assert not pause_embedding(principal=SYSTEM, product=job.product)
    assert job.events.count() == 1


def test_a_viewer_may_not_pause(job: Job) -> None:
    viewer = Principal(name="Charlie", role=Role.VIEWER, user_id=None)
    for product in (job.product, None):
        with pytest.raises(PermissionDenied, match="Charlie is not allowed to pause"):
            pause_embedding(principal=viewer, product=product)


def test_without_limits_nothing_waits(job: Job) -> None:
    spend("local", texts=64)
    assert not ProviderPace.objects.exists()
    assert seconds_to_wait(job) == 0


@pytest.mark.parametrize(
    ("limit", "value", "expected"),
    [
        ("EMBEDDING_TEXTS_PER_MINUTE", 640, 6.0),
        ("EMBEDDING_REQUESTS_PER_MINUTE", 6, 10.0),
    ],
)
def test_what_was_sent_moves_the_next_batch(
    job: Job, settings: Any, limit: str, value: int, expected: float
) -> None:
    setattr(settings, limit, value)
    spend("local", texts=64)
    assert expected - 2 < seconds_to_wait(job) <= expected
    assert engine.claim_batch(job.pk, "embed") is None
    spend("local", texts=64)
    assert 2 * expected - 2 < seconds() <= 2 * expected
    ProviderPace.objects.update(
        texts_free_at=timezone.now(),
        requests_free_at=timezone.now() - timedelta(seconds=1),
    )
    assert engine.claim_batch(job.pk, "embed") is not None


def test_idle_time_is_not_saved_up(job: Job, settings: Any) -> None:
    settings.EMBEDDING_TEXTS_PER_MINUTE = 640
    spend("local", texts=64)
    ProviderPace.objects.update(texts_free_at=timezone.now() - timedelta(hours=1))
    spend("local", texts=64)
    assert 4 < seconds() <= 6


def test_the_commands_pause_tell_and_resume(job: Job) -> None:
    assert "paused" in command("pause", "--product", "tea")
    assert "paused" in command("status", "--product", "tea")
    state = json.loads(command("status", "--json"))
    assert state["products"][0]["paused"] is True
    assert "is resumed" in command("resume")
    assert "not paused" in command("resume")
    run_job(job)
    text = command("status")
    assert "100%" in text
    assert "shop" in text  # the source
    state = json.loads(command("status", "--product", "tea", "--json"))
    (product,) = state["products"]
    assert product["embedded"] == product["chunks"] > 0
    assert state["orphans"] == 0


def test_an_unknown_product_is_named() -> None:
    with pytest.raises(NotFound, match="nothing-there"):
        command("pause", "--product", "nothing-there")
