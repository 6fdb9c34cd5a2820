"""Waiting at a terminal: lines that say what happens, the job's error at the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.utils import timezone

from devrag.core.errors import DevragError, ServiceError
from devrag.core.progress_line import ProgressLine
from devrag.jobs.heartbeat import leave_heartbeat, leave_worker_sign, open_broker
from devrag.jobs.models import Batch, Job, JobEvent, JobState
from devrag.jobs.serializers import details_of
from devrag.products.models import Product
from devrag.use_cases import job_feed as module
from devrag.use_cases.add_repository import add_repository
from devrag.use_cases.job_feed import DatabaseJobFeed
from devrag.use_cases.job_waiter import JobWaiter
from tests.conftest import Repository, run_job
from tests.people import People

pytestmark = pytest.mark.django_db


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def waiter(lines: list[str]) -> JobWaiter:
    return waiter_of(ProgressLine(write=lines.append, is_terminal=False))


def waiter_of(progress: ProgressLine) -> JobWaiter:
    return JobWaiter(DatabaseJobFeed(), progress)


def ended(people: People, state: JobState, **fields: Any) -> Job:
    return Job.objects.create(
        kind="index",
        lane="index:1:",
        product=people.teahouse,
        source_name="teahouse-code",
        state=state,
        finished_at=timezone.now(),
        **fields,
    )


def test_a_finished_job_is_told_and_returned(
    shop: Repository, principal: Any, waiter: JobWaiter, lines: list[str]
) -> None:
    job = add_repository(
        principal=principal, location=str(shop.path), is_local_user=True
    )
    run_job(job)
    assert waiter.wait(str(job.pk))["report"]["added"] > 0
    said = "".join(lines)
    assert "index shop: completed" in said
    assert "· Reading shop at " in said
    assert "\x1b" not in said


def test_a_warning_stands_out(
    people: People, waiter: JobWaiter, lines: list[str]
) -> None:
    job = ended(people, JobState.COMPLETED)
    JobEvent.objects.create(job=job, level="warning", message="Trying again in 5 s.")
    waiter.wait(str(job.pk))
    assert "  ! Trying again in 5 s.\n" in lines


def test_a_line_is_not_repeated(
    people: People, waiter: JobWaiter, lines: list[str]
) -> None:
    job = ended(people, JobState.COMPLETED)
    waiter.wait(str(job.pk))
    waiter.wait(str(job.pk))
    assert len(lines) == 1


def test_a_terminal_is_written_in_place(people: People, lines: list[str]) -> None:
    waiter = waiter_of(ProgressLine(write=lines.append, is_terminal=True))
    waiter.wait(str(ended(people, JobState.COMPLETED).pk))
    assert lines[0].startswith("\r\x1b[2K")
    assert lines[-1] == "\r\x1b[2K"


def test_a_failed_job_raises_its_error(people: People, waiter: JobWaiter) -> None:
    with pytest.raises(DevragError, match=r"^No such branch\.$"):
        waiter.wait(str(ended(people, JobState.FAILED, error="No such branch.").pk))


def test_a_cancelled_job_says_so(people: People, waiter: JobWaiter) -> None:
    with pytest.raises(DevragError, match="was cancelled"):
        waiter.wait(str(ended(people, JobState.CANCELLED).pk))


def test_a_replaced_job_is_followed_to_its_successor(
    people: People, waiter: JobWaiter
) -> None:
    newer = ended(people, JobState.COMPLETED)
    older = ended(people, JobState.SKIPPED, superseded_by=newer)
    assert waiter.wait(str(older.pk))["jobID"] == str(newer.pk)


def test_a_waiting_job_says_what_it_waits_for(
    people: People, waiter: JobWaiter, lines: list[str]
) -> None:
    running = ended(people, JobState.RUNNING)
    job = ended(people, JobState.PENDING)
    waiter.show(details_of(job), 0.0)
    assert "index teahouse-code: Waiting for another index job" in lines[0]
    waiter.show(details_of(running), 0.0)
    assert "index teahouse-code: running" in lines[1]


def test_a_step_speaks_at_once_and_its_progress_now_and_then(
    people: People, waiter: JobWaiter, lines: list[str]
) -> None:
    job = ended(people, JobState.RUNNING, phase=1)
    batch = Batch.objects.create(
        job=job, phase=1, queue="parse", ordinal=0, units=40, state="running"
    )
    batch.note = "src/tea.py"
    for batch.done_units in (10, 20):
        batch.save()
        waiter.show(details_of(job), 1.0)
    assert lines == ["index teahouse-code: parse  10 of 40 files  src/tea.py  1 s\n"]


def test_a_job_that_nobody_takes_says_what_to_do(
    people: People, waiter: JobWaiter, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.BROKER_URL = "redis://127.0.0.1:9/0"
    monkeypatch.setattr(module, "_PENDING_SECONDS", -1.0)
    with pytest.raises(ServiceError, match="devrag server start"):
        waiter.wait(str(ended(people, JobState.PENDING).pk))


def test_a_waiting_job_is_no_worry_while_a_worker_lives(
    settings: Any, heartbeat: None
) -> None:
    DatabaseJobFeed().check_pending(module._PENDING_SECONDS + 1)


def test_a_waiting_job_is_no_worry_while_all_workers_are_busy() -> None:
    with open_broker() as broker:
        broker.flushdb()
    leave_worker_sign("worker@pier", ["tick", "parse"])
    DatabaseJobFeed().check_pending(module._PENDING_SECONDS + 1)


@pytest.fixture
def heartbeat() -> None:
    leave_heartbeat()


def test_a_product_that_goes_meanwhile_leaves_the_jobs_error(
    people: People, waiter: JobWaiter, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = ended(people, JobState.FAILED, error="It has no text to index.")

    def show_late(job: Mapping[str, Any], seconds: float) -> None:
        Product.objects.all().delete()
        shown(job, seconds)

    shown = waiter.show
    monkeypatch.setattr(waiter, "show", show_late)
    with pytest.raises(DevragError, match="It has no text to index"):
        waiter.wait(str(job.pk))
