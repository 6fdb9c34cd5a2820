"""Jobs on a real database: lanes, leases, retries, Latest Only, expiry."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from devrag.core.errors import Conflict, InvalidInput, ProviderError, ServiceError
from devrag.jobs import engine, recovery, services
from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Batch, BatchState, Job, JobEvent, JobState
from devrag.jobs.progress import describe_progress
from devrag.jobs.workflow import BatchPlan, Phase, Workflow
from devrag.products.models import Product
from tests.conftest import run_job
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

done: list[str] = []
failures: list[Exception] = []


def plan_two(_job: Job) -> Iterator[BatchPlan]:
    yield BatchPlan({"name": "a"}, units=3)
    yield BatchPlan({"name": "b"}, units=1)


def plan_none(_job: Job) -> tuple[BatchPlan, ...]:
    return ()


def plan_badly(_job: Job) -> tuple[BatchPlan, ...]:
    raise KeyError("sourceID")


def note(run: BatchRun) -> dict[str, Any]:
    if failures:
        raise failures.pop(0)
    done.append(run.payload.get("name", "-"))
    return {"n": 1}


WORKFLOWS = {
    "sample": Workflow(
        phases=(
            Phase("first", "parse", plan_two, note),
            Phase("empty", "parse", plan_none, note),
            Phase("last", "plan", lambda _job: (BatchPlan(),), note, is_atomic=False),
        ),
        finish=lambda job: {"batches": job.batches.count()},
    ),
    "broken": Workflow(
        phases=(Phase("first", "parse", plan_badly, note),), finish=lambda _job: {}
    ),
}


@pytest.fixture(autouse=True)
def workflows(settings: Any) -> None:
    settings.JOB_WORKFLOWS = "tests.jobs.test_engine.WORKFLOWS"
    done.clear()
    failures.clear()


@pytest.fixture
def product() -> Product:
    return Product.objects.create(name="shop")


def ask(product: Product, lane: str = "lane", **params: Any) -> Job:
    return services.enqueue_job(
        kind="sample", lane=lane, product=product, params=params
    )


def test_a_job_runs_all_batches_and_skips_empty_phases(product: Product) -> None:
    job = run_job(ask(product))
    assert job.state == JobState.COMPLETED
    assert done == ["a", "b", "-"]
    assert job.report == {"batches": 3}


def test_progress_is_summed_from_batches(product: Product) -> None:
    job = ask(product)
    engine.start_job(job.pk)
    run = engine.claim_batch(job.pk, "parse")
    assert run is not None
    engine.run_batch(run)
    job.refresh_from_db()
    first = describe_progress(job).phases[0]
    assert (first.state, first.done, first.total, first.percent) == (
        "running",
        3,
        4,
        75,
    )


def test_a_lane_runs_one_job_at_a_time(product: Product) -> None:
    first = ask(product)
    assert engine.start_job(first.pk)
    second = ask(product)
    assert not engine.start_job(second.pk)
    other = ask(product, lane="other")
    assert engine.start_job(other.pk)


def test_two_workers_never_claim_the_same_batch(product: Product) -> None:
    job = ask(product)
    engine.start_job(job.pk)
    claimed: list[int] = []

    def claim() -> None:
        run = engine.claim_batch(job.pk, "parse")
        claimed.extend([run.batch.pk] if run else [])
        connection.close()

    threads = [threading.Thread(target=claim) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claimed) == len(set(claimed)) == 2


def test_a_passing_failure_is_tried_again_and_logged(product: Product) -> None:
    failures.append(ServiceError("The disk is busy."))
    job = ask(product)
    engine.start_job(job.pk)
    run = engine.claim_batch(job.pk, "parse")
    assert run is not None
    engine.run_batch(run)
    batch = Batch.objects.get(pk=run.batch.pk)
    assert batch.state == BatchState.OPEN
    assert batch.not_before is not None
    assert batch.not_before > timezone.now()
    assert JobEvent.objects.filter(job=job, message__contains="busy").exists()
    Batch.objects.filter(job=job).update(not_before=None)
    assert run_job(job).state == JobState.COMPLETED


def test_a_provider_that_wants_peace_gets_it(product: Product) -> None:
    failures.append(ProviderError("Slow down.", retry_after_seconds=600))
    job = run_job(ask(product))
    batch = job.batches.get(state=BatchState.OPEN, not_before__isnull=False)
    wait = (batch.not_before - timezone.now()).total_seconds()
    assert 590 < wait <= 600


def test_after_three_retries_the_job_fails(product: Product) -> None:
    failures.extend(ServiceError("Down.") for _ in range(8))
    job = ask(product)
    for attempt in (1, 2, 3, 4):
        assert run_job(job).is_open is (attempt < 4)
        Batch.objects.filter(job=job, state=BatchState.OPEN).update(not_before=None)
    job.refresh_from_db()
    assert (job.state, job.error, job.error_code) == (
        JobState.FAILED,
        "Down.",
        "service",
    )
    assert max(job.batches.values_list("attempts", flat=True)) == 4


def test_a_permanent_failure_fails_the_job_at_once(product: Product) -> None:
    failures.append(InvalidInput("No such branch."))
    job = run_job(ask(product))
    assert (job.state, job.error) == (JobState.FAILED, "No such branch.")
    assert job.finished_at is not None


def test_an_unexpected_error_names_its_phase(product: Product) -> None:
    failures.append(ValueError("odd"))
    job = run_job(ask(product))
    assert job.state == JobState.FAILED
    assert "ValueError in phase first: odd" in job.error


def test_an_unexpected_error_between_phases_fails_the_job(product: Product) -> None:
    """A job that stayed running would end every tick before the jobs behind it."""
    job = services.enqueue_job(kind="broken", lane="l", product=product, params={})
    engine.start_job(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "KeyError" in job.error
    assert recovery.wake_stalled_jobs() == 0


def test_a_worker_that_lost_its_lease_writes_nothing(product: Product) -> None:
    job = ask(product)
    engine.start_job(job.pk)
    late = engine.claim_batch(job.pk, "parse")
    assert late is not None
    Batch.objects.filter(pk=late.batch.pk).update(lease_until=timezone.now())
    recovery.release_lost_batches()
    engine.claim_batch(job.pk, "parse")
    engine.run_batch(late)
    assert Batch.objects.get(pk=late.batch.pk).state == BatchState.RUNNING
    assert done == []


def test_a_step_of_a_worker_that_lost_its_lease_writes_nothing(
    product: Product,
) -> None:
    job = ask(product)
    engine.start_job(job.pk)
    late = engine.claim_batch(job.pk, "parse")
    assert late is not None
    Batch.objects.filter(pk=late.batch.pk).update(attempts=2)
    with pytest.raises(Conflict, match="another worker"), late.fenced():
        done.append("late")
    assert done == []


def test_a_phase_that_says_nothing_keeps_its_lease(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("devrag.jobs.batch_run._KEEP_SECONDS", 0.01)
    job = ask(product)
    engine.start_job(job.pk)
    run = engine.claim_batch(job.pk, "parse")
    assert run is not None
    rows = Batch.objects.filter(pk=run.batch.pk)
    rows.update(lease_until=timezone.now())
    with run.kept():
        wait_until(lambda: rows.filter(lease_until__gt=timezone.now()).exists())
    assert recovery.release_lost_batches() == 0


def test_cancel_stops_a_running_job(product: Product) -> None:
    job = ask(product)
    engine.start_job(job.pk)
    run = engine.claim_batch(job.pk, "parse")
    assert run is not None
    services.cancel_job(job=job)
    engine.run_batch(run)
    assert run_job(job).state == JobState.CANCELLED
    assert Batch.objects.filter(job=job, state=BatchState.DONE).count() == 0
    with pytest.raises(Conflict, match="already cancelled"):
        services.cancel_job(job=job)


def test_retry_asks_again_as_a_new_job(product: Product) -> None:
    failures.append(InvalidInput("No."))
    failed = run_job(ask(product, full=True))
    again = services.retry_job(job=failed)
    assert again.pk != failed.pk
    assert again.params == failed.params
    assert run_job(again).state == JobState.COMPLETED


def test_a_cancel_reaches_a_step_at_its_next_checkpoint(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("devrag.jobs.batch_run._LOOK_SECONDS", 0.01)
    job = ask(product)
    engine.start_job(job.pk)
    run = engine.claim_batch(job.pk, "parse")
    assert run is not None
    run.checkpoint()

    def cancel() -> None:
        services.cancel_job(job=job)
        connection.close()

    def is_told() -> bool:
        try:
            run.checkpoint()
        except Conflict:
            return True
        return False

    thread = threading.Thread(target=cancel)
    # Within a COPY, too: the row is held then.
    with pytest.raises(Conflict, match="cancelled"), run.kept(), run.fenced():  # noqa: PT012 - the end of the step raises
        thread.start()
        thread.join()
        wait_until(is_told)


def test_a_long_step_that_holds_its_row_keeps_its_lease(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("devrag.jobs.batch_run._KEEP_SECONDS", 0.0)
    job = ask(product)
    engine.start_job(job.pk)
    run = engine.claim_batch(job.pk, "parse")
    assert run is not None
    rows = Batch.objects.filter(pk=run.batch.pk)
    rows.update(lease_until=timezone.now())
    with run.fenced():
        pass
    assert rows.filter(lease_until__gt=timezone.now()).exists()
