"""The rules of the queue: Latest Only, lanes, cancel, retry, what is left behind."""

from __future__ import annotations

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from devrag.core.errors import Conflict, DevragError
from devrag.core.texts import gettext, translate_stored
from devrag.jobs import engine, services, tasks
from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Batch, BatchState, Job, JobEvent, JobState
from devrag.jobs.selectors import get_waiting
from devrag.jobs.wording import describe_waiting
from devrag.products.models import Product
from tests.conftest import run_job
from tests.jobs import sample
from tests.jobs.sample import ask
from tests.waiting import wait_for_lock_waiters

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("samples"),
]


def states(jobs: list[Job]) -> list[str]:
    return [Job.objects.get(pk=job.pk).state for job in jobs]


def test_of_three_requests_for_one_thing_the_newest_is_done(product: Product) -> None:
    first, second, newest = (ask(product, lane="a.md") for _ in range(3))
    other = ask(product, lane="b.md")
    assert set(Job.objects.filter(state=JobState.PENDING)) == {newest, other}
    run_job(newest)
    assert states([first, second, newest]) == ["skipped", "skipped", "completed"]
    assert run_job(other).state == JobState.COMPLETED


def test_a_skipped_job_names_its_successor(product: Product) -> None:
    older = ask(product)
    newer = ask(product)
    older.refresh_from_db()
    assert older.superseded_by == newer
    assert older.finished_at is not None


def test_flags_pass_through_every_skipped_request(product: Product) -> None:
    ask(product, full=True)
    ask(product, generateWiki=True, full=False)
    newest = ask(product, generateWiki=False)
    assert newest.params == {"generateWiki": True, "full": True}


def test_a_running_job_is_not_replaced(product: Product) -> None:
    running = ask(product, full=True)
    engine.start_job(running.pk)
    newer = ask(product)
    assert states([running, newer]) == ["running", "pending"]
    assert "full" not in newer.params
    assert run_job(running).state == JobState.COMPLETED
    assert run_job(newer).state == JobState.COMPLETED


def test_other_refs_do_not_wait(product: Product) -> None:
    jobs = [ask(product, lane=f"index:1:{ref}") for ref in ("main", "next")]
    for job in jobs:
        engine.start_job(job.pk)
    assert states(jobs) == ["running", "running"]


def test_a_waiting_job_knows_the_one_of_its_lane(product: Product) -> None:
    running = ask(product)
    engine.start_job(running.pk)
    job = ask(product)
    waiting = get_waiting(job)
    assert waiting is not None
    assert waiting.behind == running.pk
    assert "another sample job of shop" in describe_waiting(job, waiting)


def test_a_waiting_job_counts_those_ahead(product: Product) -> None:
    running = ask(product, lane="busy")
    engine.start_job(running.pk)
    ask(product, lane="busy")  # waits for its lane, not for a worker
    ask(product, lane="first")
    job = ask(product, lane="second")
    waiting = get_waiting(job)
    assert waiting is not None
    assert (waiting.ahead, waiting.behind) == (1, None)
    assert "1 job is ahead" in describe_waiting(job, waiting)
    running.refresh_from_db()
    assert get_waiting(running) is None


def test_retry_does_not_take_the_place_of_a_newer_request(product: Product) -> None:
    old = ask(product)
    services.cancel_job(job=old)
    newer = ask(product)
    old.refresh_from_db()
    with pytest.raises(Conflict, match=str(newer.pk)):
        services.retry_job(job=old)
    assert states([newer]) == ["pending"]


def test_a_cancel_wakes_the_next_of_the_lane(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = ask(product)
    engine.start_job(running.pk)
    waiting = ask(product)
    sent: list[uuid.UUID] = []
    monkeypatch.setattr(services, "wake", lambda key, _queue: sent.append(key))
    services.cancel_job(job=running)
    assert sent == [waiting.pk]


def test_a_job_enqueued_while_its_lane_becomes_free_is_woken(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = ask(product)
    engine.start_job(running.pk)
    sent: list[uuid.UUID] = []
    monkeypatch.setattr(services, "wake", lambda key, _queue: sent.append(key))
    with transaction.atomic(), ThreadPoolExecutor(1) as other:
        services.wake_lane(running.lane)  # nothing waits yet

        def enqueue() -> uuid.UUID:
            try:
                return ask(product).pk
            finally:
                connection.close()

        waiting = other.submit(enqueue).result()
        assert sent == [waiting]  # too early: the lane is taken
    assert sent == [waiting, waiting]


def test_a_job_whose_work_is_done_cannot_be_cancelled(product: Product) -> None:
    job = run_until_last(product)
    run = engine.claim_batch(job.pk, "plan")
    assert run is not None
    engine.run_batch(run)  # the worker dies here, before the job completes
    with pytest.raises(Conflict, match="about to complete"):
        services.cancel_job(job=job)
    engine.advance_job(job.pk)
    assert states([job]) == ["completed"]


def run_until_last(product: Product) -> Job:
    return run_job(ask(product), queues=("parse",))


def test_a_cancel_waits_for_a_batch_that_commits(product: Product) -> None:
    """Either the batch commits and the job completes, or it commits nothing."""
    job = run_until_last(product)
    run = engine.claim_batch(job.pk, "plan")
    assert run is not None
    errors: list[Conflict] = []

    def cancel() -> None:
        try:
            services.cancel_job(job=job)
        except Conflict as error:
            errors.append(error)
        connection.close()

    thread = threading.Thread(target=cancel)
    with transaction.atomic():
        engine.run_batch(run)
        thread.start()
        wait_for_lock_waiters()
    thread.join()
    assert [str(error) for error in errors] != []
    assert Batch.objects.get(pk=run.batch.pk).state == BatchState.DONE


def test_nothing_is_committed_after_a_cancel(product: Product) -> None:
    job = ask(product)
    engine.start_job(job.pk)
    run = engine.claim_batch(job.pk, "parse")
    assert run is not None
    with pytest.raises(Conflict):
        write_while_cancelled(run)
    assert not job.events.filter(message="written").exists()


def write_while_cancelled(run: BatchRun) -> None:
    with run.fenced():
        JobEvent.objects.create(job=run.job, message="written")
        cancel = threading.Thread(target=cancel_elsewhere, args=(run.job,))
        cancel.start()
        cancel.join()


def cancel_elsewhere(job: Job) -> None:
    services.cancel_job(job=job)
    connection.close()


def test_an_ended_job_is_tidied_once(product: Product) -> None:
    job = ask(product)
    engine.start_job(job.pk)
    tasks.work(str(job.pk), "tick")
    assert sample.discarded == []
    services.cancel_job(job=job)
    tasks.work(str(job.pk), "tick")
    tasks.work(str(job.pk), "tick")
    assert sample.discarded == [job.pk]


def test_a_job_that_never_ran_leaves_nothing_to_tidy(product: Product) -> None:
    job = ask(product)
    services.cancel_job(job=job)
    tasks.work(str(job.pk), "tick")
    assert sample.discarded == []


def test_finished_jobs_go_after_a_day(product: Product) -> None:
    now = timezone.now()
    ages = {
        "old": timedelta(hours=24, seconds=1),
        "young": timedelta(hours=23, minutes=59),
    }
    jobs = {}
    for name, age in ages.items():
        job = run_job(ask(product))
        Job.objects.filter(pk=job.pk).update(finished_at=now - age)
        jobs[name] = job
    running = ask(product)
    assert services.expire_jobs(retention=timedelta(hours=24)) == 1
    assert set(Job.objects.all()) == {jobs["young"], running}
    assert sample.discarded == [jobs["old"].pk]
    assert isinstance(running.pk, uuid.UUID)


def test_an_expired_job_goes_with_all_its_rows(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("devrag.core.deletion._ROWS", 3)
    job = run_job(ask(product))
    JobEvent.objects.bulk_create(
        JobEvent(job=job, message=str(number)) for number in range(10)
    )
    Job.objects.update(finished_at=timezone.now() - timedelta(days=2))
    services.expire_jobs(retention=timedelta(hours=24))
    assert (Job.objects.count(), Batch.objects.count()) == (0, 0)
    assert not JobEvent.objects.exists()


def test_a_failure_is_stored_with_what_it_is_made_of(product: Product) -> None:
    job = Job.objects.create(
        kind="sample", lane="l", product=product, state=JobState.RUNNING, phase=0
    )
    text = gettext("%(seconds)s s") % {"seconds": 8}
    services.fail_job(job=job, error=DevragError(text))
    job.refresh_from_db()
    assert (job.error, translate_stored(job.error_text)) == ("8 s", "8 s")
