"""Jobs of another devrag, told of as they are where the database is."""

from __future__ import annotations

import json

import pytest
from django.utils import timezone

from devrag.jobs.events import add_event
from devrag.jobs.models import Batch, BatchState, Job, JobState
from tests.people import People

from .here import Ask, here

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def various(people: People) -> list[Job]:
    """Return jobs that run, wait, wait for their own, failed and were skipped."""
    end = {"started_at": timezone.now(), "finished_at": timezone.now()}
    of = {"kind": "index", "product": people.teahouse, "source_name": "teahouse-code"}
    report = {
        "added": 1200,
        "leftOut": {"binary": 2},
        "leftOutPaths": {"binary": ["a.bin", "b.bin"]},
    }
    runs = Job.objects.create(**of, lane="a", state=JobState.RUNNING, phase=1)
    Batch.objects.create(
        job=runs,
        phase=1,
        queue="parse",
        ordinal=0,
        units=400,
        done_units=100,
        state=BatchState.RUNNING,
        rate=7.5,
        note="brew.py",
    )
    for number in range(25):
        add_event(runs, f"Line {number}.", level="warning")
    waits = Job.objects.create(**of, lane="b")
    return [
        runs,
        waits,
        Job.objects.create(**of, lane="a"),
        Job.objects.create(kind="wiki", lane="c", product=people.teahouse),
        Job.objects.create(**of, lane="d", state=JobState.FAILED, error="No!", **end),
        Job.objects.create(
            **of,
            lane="b",
            state=JobState.SKIPPED,
            superseded_by=waits,
            report=report,
            **end,
        ),
    ]


@pytest.mark.slow
def test_jobs_are_told_of_alike_here_and_there(ask: Ask, various: list[Job]) -> None:
    for asked in (("list",), ("list", "--open"), ("list", "--json")):
        assert ask("jobs", *asked) == here("jobs", *asked)
    for job in various:
        for more in ((), ("--json",)):
            asked = ("jobs", "show", str(job.pk), *more)
            assert ask(*asked) == here(*asked)
    shown = ask("jobs", "show", str(various[0].pk))
    assert "parse  100 of 400 files, 7.5 files/s, 40 s left  brew.py\n" in shown
    skipped = ask("jobs", "show", str(various[-1].pk))
    assert "  Files added: 1,200\n  Skipped: binary: 2 (a.bin, b.bin)\n" in skipped
    assert "Line 4." not in shown
    assert "Line 5." in shown
    listed = json.loads(ask("jobs", "list", "--json"))
    progress = {row["jobID"]: row["progress"] for row in listed}
    waiting = [progress[str(job.pk)] for job in various[1:4]]
    assert waiting == [
        "Waiting for a free worker; this job is next.",
        "Waiting for another index job of teahouse-code; this job is next.",
        "Waiting for a free worker; 1 job is ahead.",
    ]


def test_what_a_job_says_steers_no_terminal(ask: Ask, people: People) -> None:
    job = Job.objects.create(
        kind="index",
        lane="index:1:",
        product=people.teahouse,
        state=JobState.FAILED,
        error="No \x1b[2J",
    )
    add_event(job, "Gone \x1b[2J", level="error")
    for words in (("list",), ("show", str(job.pk))):
        told = ask("jobs", *words)
        assert r"No \x1b[2J" in told
        assert "\x1b" not in told
    assert ask("jobs", "list") == here("jobs", "list")
