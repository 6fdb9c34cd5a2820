"""Progress that tells the truth: counts, rates, time left, a log with an end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone, translation

from devrag.jobs import engine
from devrag.jobs.events import MAX_EVENTS, add_event
from devrag.jobs.models import Batch, BatchState, Job, JobEvent, JobState
from devrag.jobs.progress import PhaseProgress, describe_progress, units_per_second
from devrag.jobs.sentences import progress_words
from devrag.jobs.serializers import details_of
from devrag.jobs.wording import describe_phase, describe_seconds
from devrag.products.models import Product
from tests.jobs.sample import ask

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("samples")]


@pytest.fixture
def job(product: Product) -> Job:
    return Job.objects.create(
        kind="sample", lane="l", product=product, state=JobState.RUNNING, phase=0
    )


def add(job: Job, ordinal: int, state: BatchState, units: int, **fields: Any) -> None:
    done = units if state == BatchState.DONE else 0
    Batch.objects.create(
        job=job,
        phase=0,
        ordinal=ordinal,
        queue="parse",
        state=state,
        units=units,
        **{"done_units": done, **fields},
    )


def first(job: Job) -> PhaseProgress:
    return describe_progress(job).phases[0]


def test_the_rate_is_that_of_the_batches_done_lately(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    ten, five = timedelta(seconds=10), timedelta(seconds=5)
    long_ago = now - timedelta(hours=2)  # the worker was away since
    add(job, 0, BatchState.DONE, 500, started_at=long_ago, finished_at=long_ago)
    add(job, 1, BatchState.DONE, 60, started_at=now - ten, finished_at=now - five)
    add(job, 2, BatchState.DONE, 40, started_at=now - five, finished_at=now)
    add(job, 3, BatchState.OPEN, 100)
    phase = first(job)
    assert phase.rate == pytest.approx(10, rel=0.05)
    assert phase.seconds_left == pytest.approx(10, rel=0.05)
    assert describe_phase(phase).startswith("600 of 700 numbers, 10 numbers/s, 10 s")


def run_other(product: Product, *, started: timedelta = timedelta(0)) -> Job:
    """Make another job, whose batch is at work on the same queue."""
    other = Job.objects.create(
        kind="sample",
        lane=str(uuid4()),
        product=product,
        state=JobState.RUNNING,
        phase=0,
    )
    at = timezone.now() - started
    add(other, 0, BatchState.RUNNING, 100, started_at=at)
    add(other, 1, BatchState.OPEN, 100)
    return other


def do_turns(job: Job, *ago: int, units: int = 64, seconds: int = 2) -> None:
    """Record turns that ended so many seconds ago, then what is left to do."""
    now, took = timezone.now(), timedelta(seconds=seconds)
    for ordinal, end in enumerate(now - timedelta(seconds=each) for each in ago):
        times = {"started_at": end - took, "finished_at": end}
        add(job, ordinal, BatchState.DONE, units, **times)
    add(job, 99, BatchState.OPEN, 6400)


def test_waiting_for_its_turn_a_job_has_no_rate(job: Job, product: Product) -> None:
    do_turns(job, 50, 20)
    run_other(product)
    phase = first(job)
    assert (phase.note, phase.rate, phase.seconds_left) == (
        "waiting for its turn",
        None,
        None,
    )
    assert describe_phase(phase) == "128 of 6,528 numbers"
    said = progress_words(details_of(job))
    assert said == "count  128 of 6,528 numbers  waiting for its turn"
    with translation.override("ja"):
        assert first(job).note == "順番待ち"


def test_a_first_turn_is_waited_for_too(job: Job, product: Product) -> None:
    add(job, 0, BatchState.OPEN, 100)
    run_other(product)
    assert (first(job).note, first(job).rate) == ("waiting for its turn", None)


def test_the_rate_counts_only_the_seconds_of_its_turns(job: Job) -> None:
    do_turns(job, 50, 20)
    add(job, 2, BatchState.RUNNING, 64, started_at=timezone.now())
    phase = first(job)
    assert phase.rate == pytest.approx(32)
    assert phase.seconds_left == pytest.approx(6464 / 32)


def test_the_time_left_counts_the_turns_of_others(job: Job, product: Product) -> None:
    do_turns(job, 50, 20)
    add(job, 2, BatchState.RUNNING, 64, started_at=timezone.now())
    others = [run_other(product, started=timedelta(seconds=9)) for _ in range(3)]
    Batch.objects.filter(job__in=others, state=BatchState.RUNNING).update(
        state=BatchState.DONE, finished_at=timezone.now()
    )
    held = run_other(product)
    held.batches.filter(state=BatchState.RUNNING).delete()  # it has no turns
    phase = first(job)
    assert phase.rate == pytest.approx(32)
    assert phase.seconds_left == pytest.approx(4 * 6464 / 32)


def test_what_two_workers_do_at_once_counts_its_seconds_once() -> None:
    now = timezone.now()
    second = timedelta(seconds=1)
    spans = [
        (now, now + 4 * second, 40),
        (now + second, now + 2 * second, 10),
        (now + 2 * second, now + 6 * second, 40),
        (now + 26 * second, now + 30 * second, 20),
    ]
    assert units_per_second(spans) == pytest.approx(11)


def test_without_anything_done_lately_no_time_is_promised(job: Job) -> None:
    long_ago = timezone.now() - timedelta(hours=2)
    add(job, 0, BatchState.DONE, 500, started_at=long_ago, finished_at=long_ago)
    add(job, 1, BatchState.OPEN, 100)
    assert (first(job).rate, first(job).seconds_left) == (None, None)
    assert describe_phase(first(job)) == "500 of 600 numbers"


def test_from_half_a_second_of_work_no_time_is_promised(job: Job) -> None:
    now = timezone.now()
    half = {"started_at": now - timedelta(seconds=0.5), "finished_at": now}
    add(job, 0, BatchState.DONE, 64, **half)
    add(job, 1, BatchState.OPEN, 6400)
    assert first(job).rate == pytest.approx(64)
    assert first(job).seconds_left is None


def test_a_batch_that_tells_its_progress_has_a_rate_and_a_path(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("devrag.jobs.batch_run._RENEW_SECONDS", 0.0)
    job = ask(product)
    engine.start_job(job.pk)
    run = engine.claim_batch(job.pk, "parse")
    assert run is not None
    run.progress(1, units=100, note="src/a.py")
    job.refresh_from_db()
    assert first(job).rate is None  # the seconds before the first unit were no work
    run.progress(2, units=100, note="src/b.py")
    phase = first(job)
    assert (phase.done, phase.total, phase.note) == (2, 101, "src/b.py")
    assert phase.rate is not None
    assert phase.rate > 1


def test_a_batch_says_what_it_is_about_from_its_start(product: Product) -> None:
    job = ask(product)
    engine.start_job(job.pk)
    engine.claim_batch(job.pk, "parse")
    job.refresh_from_db()
    assert first(job).note == "one"


def test_a_finished_phase_promises_nothing(job: Job) -> None:
    now = timezone.now()
    add(
        job,
        0,
        BatchState.DONE,
        5,
        started_at=now - timedelta(seconds=4),
        finished_at=now,
    )
    job.state, job.phase = JobState.COMPLETED, 2
    phase = first(job)
    assert (phase.rate, phase.note, phase.seconds) == (None, "", 4.0)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(8.2, "8 s"), (200, "3 min"), (4800, "1 h 20 min")],
)
def test_durations_are_short(seconds: float, text: str) -> None:
    assert describe_seconds(seconds) == text


def test_the_log_has_an_end_and_says_so(job: Job) -> None:
    JobEvent.objects.bulk_create(
        JobEvent(job=job, message="odd") for _ in range(MAX_EVENTS - 1)
    )
    for number in range(5):
        add_event(job, f"line {number}", level="warning")
    added = job.events.exclude(message="odd").values_list("message", flat=True)
    assert len(added) == 2
    assert added[0] == "line 0"
    assert added[1].startswith("The log is full")


def test_the_error_that_ends_a_job_is_told_in_a_full_log(job: Job) -> None:
    JobEvent.objects.bulk_create(
        JobEvent(job=job, message="odd") for _ in range(MAX_EVENTS)
    )
    add_event(job, "No such branch.", level="error")
    assert job.events.filter(message="No such branch.").exists()
