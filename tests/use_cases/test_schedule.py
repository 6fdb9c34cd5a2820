"""Sources that index themselves: once per time, beside other beats, never in a rush."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from celery import current_app
from django.db import connection
from django.utils import timezone

from devrag.core.principal import SYSTEM
from devrag.jobs.models import Job, JobState
from devrag.sources.models import Source
from devrag.sources.schedule import set_schedule
from devrag.use_cases.add_repository import add_repository
from devrag.use_cases.index import request_index
from devrag.use_cases.schedule import run_schedules
from tests.conftest import Repository, run_job
from tests.people import People


def make_due(source: Source, *, minutes_late: int = 0, every: int = 10) -> Source:
    source.index_every_minutes = every
    source.next_index_at = timezone.now() - timedelta(minutes=minutes_late)
    source.save()
    return source


def add_shop(shop: Repository) -> Job:
    return add_repository(principal=SYSTEM, location=str(shop.path), is_local_user=True)


def test_a_due_source_is_indexed(people: People) -> None:
    make_due(people.source)
    assert run_schedules() == 1
    job = Job.objects.get()
    assert (job.source_name, job.requested_by) == ("teahouse-code", "schedule")


def test_the_wiki_follows_a_scheduled_run_where_that_is_wanted(people: People) -> None:
    set_schedule(
        principal=SYSTEM, source=people.source, every_minutes=10, is_wiki_wanted=True
    )
    people.source.refresh_from_db()
    make_due(people.source)
    assert run_schedules() == 1
    assert Job.objects.get().params["generateWiki"] is True


@pytest.mark.parametrize("every", [None, 10])
def test_what_is_not_due_is_left_alone(people: People, every: int | None) -> None:
    people.source.index_every_minutes = every
    people.source.next_index_at = timezone.now() + timedelta(minutes=1)
    people.source.save()
    assert run_schedules() == 0


def test_missed_times_run_once(people: People) -> None:
    source = make_due(people.source, minutes_late=1003)
    due = source.next_index_at
    assert due is not None
    assert run_schedules() == 1
    Job.objects.update(state=JobState.COMPLETED)
    assert run_schedules() == 0
    source.refresh_from_db()
    assert source.next_index_at == due + timedelta(minutes=1010)


def test_an_open_run_is_enough(people: People) -> None:
    waiting = request_index(principal=SYSTEM, source=people.source)
    make_due(people.source)
    assert run_schedules() == 0
    assert Job.objects.get() == waiting
    people.source.refresh_from_db()
    assert people.source.next_index_at is not None
    assert people.source.next_index_at > timezone.now()


@pytest.mark.django_db(transaction=True)
def test_two_beats_ask_once(people: People) -> None:
    make_due(people.source)
    together = threading.Barrier(4)
    asked: list[int] = []

    def beat() -> None:
        together.wait()
        asked.append(run_schedules())
        connection.close()

    beats = [threading.Thread(target=beat) for _ in range(4)]
    for each in beats:
        each.start()
    for each in beats:
        each.join()
    assert sorted(asked) == [0, 0, 0, 1]
    assert Job.objects.count() == 1


def test_a_source_that_fails_is_tried_ever_less_often(
    shop: Repository, db: None
) -> None:
    job = run_job(add_shop(shop))
    source = make_due(Source.objects.get(name="shop"))
    shop.path.rename(shop.path.with_name("moved"))
    waits = []
    for _ in range(3):
        make_due(Source.objects.get(pk=source.pk))
        assert run_schedules() == 1
        job = run_job(Job.objects.filter(kind="index").latest("created_at"))
        while job.is_open:
            job.batches.update(not_before=None)
            job = run_job(job)
        assert job.state == JobState.FAILED
        source.refresh_from_db()
        assert source.next_index_at is not None
        waits.append(round((source.next_index_at - timezone.now()).seconds / 60))
    assert waits == [20, 40, 80]
    assert source.index_error == job.error

    shop.path.with_name("moved").rename(shop.path)
    run_job(request_index(principal=SYSTEM, source=source))
    source.refresh_from_db()
    assert (source.index_failures, source.index_error) == (0, "")


def test_a_failing_side_branch_does_not_slow_the_schedule(
    shop: Repository, db: None
) -> None:
    run_job(add_shop(shop))
    source = make_due(Source.objects.get(name="shop"), minutes_late=-5)
    run_job(request_index(principal=SYSTEM, source=source, ref="gone"))
    source.refresh_from_db()
    assert source.index_failures == 0


def test_beat_asks_every_minute() -> None:
    entry = current_app.conf.beat_schedule["schedules"]
    current_app.loader.import_default_modules()
    assert entry["task"] in current_app.tasks
    assert entry["schedule"] == 60
