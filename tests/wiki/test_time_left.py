"""The time that a run still takes: from its own pages, else from those before it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

import pytest
from django.utils import timezone

from devrag.jobs.api import describe_progress, describe_time_left
from devrag.jobs.models import Batch, BatchState, Job
from devrag.products.models import Product
from devrag.wiki.generation.job import WORKFLOW
from devrag.wiki.generation.time_left import (
    Pace,
    PageTime,
    measure_pace,
    seconds_for,
    seconds_left,
)
from devrag.wiki.models import Version
from tests.wiki.runs import begin, generate, run_phase

NOW = timezone.now()


def at(start: float, end: float | None, *, is_reused: bool = False) -> PageTime:
    """Return a page that was at work between these seconds before now."""
    ended = None if end is None else NOW - timedelta(seconds=end)
    return PageTime(NOW - timedelta(seconds=start), ended, is_reused)


def test_before_a_page_is_finished_the_pace_is_unknown() -> None:
    assert measure_pace([at(9, None)], NOW) is None


def test_pages_one_after_the_other_have_their_mean() -> None:
    assert measure_pace([at(30, 20), at(20, 0)], NOW) == Pace(15, 15, 1)


def test_pages_side_by_side_count_as_such() -> None:
    pace = measure_pace([at(20, 10), at(20, None), at(10, None)], NOW)
    assert pace == Pace(10, 10, 2)


def test_pages_that_were_kept_count_apart() -> None:
    pace = measure_pace([at(12, 10, is_reused=True), at(10, 0)], NOW)
    assert pace == Pace(6, 10, 1)


@pytest.mark.parametrize(
    ("remaining", "at_once", "at_work", "seconds"),
    [
        (3, 1, [], 30),
        (3, 3, [], 10),
        (1, 3, [], 10),
        (3, 1, [4], 26),
        (3, 1, [99], 20),
    ],
)
def test_what_began_is_partly_done(
    remaining: int, at_once: float, at_work: list[float], seconds: float
) -> None:
    assert seconds_for(remaining, 10, at_once, at_work) == seconds


def run(product: Product, seconds: Iterable[float] = (), **params: object) -> Job:
    """Plan a run that has written pages, one after the other, in so many seconds."""
    job = begin(product, **params)
    run_phase(job, 0)
    Batch.objects.update(state=BatchState.DONE)
    Job.objects.filter(pk=job.pk).update(phase=1)
    job.refresh_from_db()
    started = timezone.now() - timedelta(seconds=sum(seconds))
    for ordinal, each in enumerate(seconds):
        Batch.objects.create(
            job=job,
            phase=1,
            queue="wiki",
            ordinal=100 + ordinal,
            payload={"path": f"{ordinal}.md"},
            result={"isReused": False},
            state=BatchState.DONE,
            started_at=started,
            finished_at=started + timedelta(seconds=each),
            units=1,
            done_units=1,
        )
        started += timedelta(seconds=each)
    return job


def pages_of(job: Job) -> int:
    return len(Batch.objects.get(job=job, phase=0).result["pages"])


def test_a_run_is_measured_by_its_own_pages(shelf: Product) -> None:
    job = run(shelf, (40, 80))
    assert seconds_left(job) == pytest.approx((pages_of(job) - 2) * 60)


def test_a_first_run_says_nothing_before_its_first_page(shelf: Product) -> None:
    job = run(shelf)
    assert seconds_left(job) is None
    assert describe_time_left(describe_progress(job)) == ""


@pytest.mark.slow
def test_before_its_first_page_the_run_before_tells(shelf: Product) -> None:
    generate(shelf)
    pace = {"every": 3.0, "written": 30.0, "atOnce": 1.0}
    Version.objects.update(report={"pace": pace})
    job = run(shelf)
    assert seconds_left(job) == pages_of(job) * 3
    forced = run(shelf, isForced=True)
    assert seconds_left(forced) == pages_of(job) * 30


@pytest.mark.slow
def test_another_writer_tells_nothing_of_this_one(shelf: Product) -> None:
    generate(shelf)
    pace = {"every": 3.0, "written": 30.0, "atOnce": 1.0}
    Version.objects.update(report={"pace": pace}, writer="openai/gpt")
    assert seconds_left(run(shelf)) is None


def test_a_version_keeps_how_long_its_pages_took(shelf: Product) -> None:
    job = run(shelf, (40, 80))
    for number in range(1, len(WORKFLOW.phases)):
        run_phase(job, number)
    pace = Version.objects.get().report["pace"]
    assert pace["every"] == pytest.approx(60)


def test_where_progress_is_shown_the_time_is_too(shelf: Product) -> None:
    job = run(shelf, (60,))
    Batch.objects.create(
        job=job,
        phase=1,
        queue="wiki",
        ordinal=9,
        payload={"path": "9.md"},
        state=BatchState.RUNNING,
        started_at=timezone.now(),
    )
    progress = describe_progress(job)
    assert progress.current
    assert (progress.current.rate, progress.current.seconds_left) == (None, None)
    said = describe_time_left(progress)
    assert said == f"about {pages_of(job) - 1} min left in total"
