"""`manage.py jobs`: what an operator sees and does at a terminal."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from devrag.core.errors import Conflict, InvalidInput, NotFound
from devrag.jobs.models import Batch, Job, JobEvent, JobState
from tests.people import People

pytestmark = pytest.mark.django_db


def run(*argv: str) -> str:
    out = io.StringIO()
    call_command("jobs", *argv, stdout=out)
    return out.getvalue()


def make(people: People, state: JobState, **fields: Any) -> Job:
    ended = None if state in ("pending", "running") else timezone.now()
    return Job.objects.create(
        kind="index",
        lane=f"index:{state}",
        product=people.teahouse,
        source_name="teahouse-code",
        state=state,
        finished_at=ended,
        **fields,
    )


def test_list_has_a_line_for_each_job(people: People) -> None:
    failed = make(people, JobState.FAILED, error="No such branch.")
    waiting = make(people, JobState.PENDING)
    lines = run("list").splitlines()
    assert lines[0].startswith(f"{str(waiting.pk)[:8]}  pending    index teahouse-code")
    assert "this job is next" in lines[0]
    assert str(failed.pk)[:8] in lines[1]
    assert "No such branch." in lines[1]


def test_list_can_leave_out_what_ended(people: People) -> None:
    make(people, JobState.FAILED)
    waiting = make(people, JobState.PENDING)
    listed = json.loads(run("list", "--open", "--json"))
    assert [row["jobID"] for row in listed] == [str(waiting.pk)]


def test_an_empty_list_says_so(people: People) -> None:
    assert run("list").startswith("No jobs.")


def test_show_tells_progress_and_log(people: People) -> None:
    job = make(people, JobState.RUNNING, phase=1)
    Batch.objects.create(
        job=job, phase=1, queue="parse", ordinal=0, units=40, done_units=10
    )
    JobEvent.objects.create(job=job, level="warning", message="a.py is odd.")
    told = run("show", str(job.pk)[:8])
    assert "parse  10 of 40 files" in told
    assert "warning: a.py is odd." in told


def test_cancel_stops_a_job(people: People) -> None:
    job = make(people, JobState.PENDING)
    assert "cancelled" in run("cancel", str(job.pk))
    with pytest.raises(Conflict, match="already cancelled"):
        run("cancel", str(job.pk))


def test_retry_asks_again(people: People) -> None:
    job = make(people, JobState.FAILED, params={"sourceID": people.source.pk})
    again = json.loads(run("retry", str(job.pk), "--json"))
    assert again["jobID"] != str(job.pk)
    assert again["status"] == "pending"


def test_an_id_that_fits_no_job_is_refused(people: People) -> None:
    with pytest.raises(NotFound, match="No job ID begins with 'zz'"):
        run("show", "zz")


def test_an_id_that_fits_several_is_refused(people: People) -> None:
    for last in "12":
        make(people, JobState.FAILED, id=f"aaaaaaaa-0000-4000-8000-00000000000{last}")
    with pytest.raises(NotFound, match="Several job IDs begin"):
        run("show", "aaaaaaaa")


def test_show_needs_an_id(people: People) -> None:
    with pytest.raises(InvalidInput, match="needs a job ID"):
        run("show")
