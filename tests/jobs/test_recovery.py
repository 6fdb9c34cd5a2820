"""Lost workers: batches come back, dangerous ones split in two, the tick wakes."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from devrag.jobs import engine, recovery, services
from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Batch, BatchState, Job, JobState
from devrag.products.models import Product
from tests.conftest import run_job
from tests.jobs import sample
from tests.jobs.sample import ask

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("samples"),
]


def claim(job: Job) -> BatchRun:
    run = engine.claim_batch(job.pk, "parse")
    assert run is not None
    return run


def lose(job: Job, times: int = 1) -> None:
    """Let the worker of the first batch die so many times."""
    for _ in range(times):
        run = claim(job)
        Batch.objects.filter(pk=run.batch.pk).update(lease_until=timezone.now())
        assert recovery.release_lost_batches() == 1


@pytest.fixture
def job(product: Product) -> Job:
    started = ask(product)
    engine.start_job(started.pk)
    return started


def payloads(job: Job) -> list[list[int]]:
    batches = job.batches.filter(phase=0).order_by("ordinal")
    return [batch.payload["numbers"] for batch in batches]


def test_an_expired_lease_gives_the_batch_back(job: Job) -> None:
    lose(job)
    batch = job.batches.get(ordinal=0)
    assert (batch.state, batch.losses, batch.attempts) == (BatchState.OPEN, 1, 1)
    assert run_job(job).state == JobState.COMPLETED


def test_a_dead_worker_of_this_host_is_noticed_at_once(job: Job) -> None:
    run = claim(job)
    dead = run.batch.worker.rpartition(":")[0] + ":1"  # its pid, begun at boot
    Batch.objects.filter(pk=run.batch.pk).update(worker=dead)
    assert recovery.release_lost_batches() == 1


def test_a_worker_of_another_container_is_left_to_its_lease(job: Job) -> None:
    run = claim(job)
    host, _, process = run.batch.worker.partition("/")
    elsewhere = f"{host}/another-one:{2**22 + 1}:{process.rpartition(':')[2]}"
    Batch.objects.filter(pk=run.batch.pk).update(worker=elsewhere)
    assert recovery.release_lost_batches() == 0


def test_a_batch_that_lost_two_workers_is_halved(job: Job) -> None:
    lose(job, 2)
    assert payloads(job) == [[4], [1], [2, 3]]
    halves = job.batches.filter(ordinal__gt=1)
    assert set(halves.values_list("attempts", "losses", "units")) == {
        (0, 0, 1),
        (0, 0, 2),
    }
    assert job.events.filter(message__contains="split in two").exists()
    assert run_job(job).state == JobState.COMPLETED
    assert sample.done == [[4], [1], [2, 3], [0]]


def test_halves_are_halved_again(job: Job) -> None:
    run_job_of = claim(job)
    Batch.objects.filter(job=job).exclude(pk=run_job_of.batch.pk).delete()
    Batch.objects.filter(pk=run_job_of.batch.pk).update(lease_until=timezone.now())
    recovery.release_lost_batches()
    lose(job)
    Batch.objects.filter(job=job, payload={"numbers": [1]}).delete()
    lose(job, 2)
    assert payloads(job) == [[2], [3]]


def test_an_indivisible_batch_fails_the_job_in_the_end(job: Job) -> None:
    Batch.objects.filter(job=job, ordinal=0).delete()
    lose(job, engine.MAX_ATTEMPTS)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert f"crashed {engine.MAX_ATTEMPTS} times" in job.error


def test_losses_do_not_use_up_the_tries_of_failures(job: Job) -> None:
    Batch.objects.filter(job=job, ordinal=0).delete()
    lose(job, engine.MAX_ATTEMPTS - 1)
    run = claim(job)
    engine._settle(run, services.DevragError("Busy.", permanent=False))
    batch = Batch.objects.get(pk=run.batch.pk)
    assert batch.state == BatchState.OPEN
    assert batch.not_before is not None
    assert batch.not_before < timezone.now() + timedelta(seconds=2)


def test_two_ticks_release_a_batch_once(job: Job) -> None:
    for _ in range(2):
        claim(job)
    Batch.objects.filter(job=job).update(lease_until=timezone.now(), losses=1)
    Batch.objects.filter(job=job, ordinal=1).update(payload={"numbers": [4, 5]})
    released: list[int] = []

    def tick() -> None:
        released.append(recovery.release_lost_batches())
        connection.close()

    threads = [threading.Thread(target=tick) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(released) == 2
    assert sorted(payloads(job)) == [[1], [2, 3], [4], [5]]


def test_the_tick_wakes_what_the_broker_forgot(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = ask(product)
    sent: list[tuple[Any, ...]] = []
    monkeypatch.setattr(recovery, "wake", lambda *args, **_: sent.append(args))
    recovery.wake_stalled_jobs()
    assert sent == [(job.pk, "tick")]


def test_the_tick_has_ended_jobs_tidied(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[Any, ...]] = []
    monkeypatch.setattr(recovery, "wake", lambda *args, **_: sent.append(args))
    assert recovery.wake_for_tidying() == 0
    services.cancel_job(job=job)
    recovery.wake_for_tidying()
    assert sent == [(job.pk, "tick")]


def test_the_tick_does_not_wait_for_a_worker_that_plans(job: Job) -> None:
    """Entering a phase may take long; all ticks would stand behind it."""
    Batch.objects.filter(job=job).update(state=BatchState.DONE)
    is_held, may_end = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            Job.objects.select_for_update().get(pk=job.pk)
            is_held.set()
            may_end.wait(30)
        connection.close()

    planner = threading.Thread(target=hold)
    planner.start()
    assert is_held.wait(30)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '3s'")
    recovery.wake_stalled_jobs()
    may_end.set()
    planner.join()
