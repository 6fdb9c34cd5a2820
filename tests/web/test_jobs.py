"""Jobs: the page, its poll, cancel and retry."""

from __future__ import annotations

from collections.abc import Callable

from django.test import Client
from django.utils import timezone

from devrag.jobs.models import Batch, Job, JobEvent

MakeJob = Callable[..., Job]


def test_phases_show_done_of_total_and_the_log(bob: Client, make_job: MakeJob) -> None:
    job = make_job(phase=1)
    Batch.objects.create(
        job=job, phase=1, queue="parse", ordinal=0, units=40, done_units=10
    )
    JobEvent.objects.create(job=job, message="Read 10 files.")
    page = bob.get(f"/jobs/{job.pk}/").content.decode()
    assert "10 of 40" in page
    assert "Read 10 files." in page
    assert 'hx-trigger="every 2s"' in page


def test_a_poll_answers_with_the_fragment(bob: Client, make_job: MakeJob) -> None:
    page = bob.get(f"/jobs/{make_job().pk}/progress/").content.decode()
    assert page.strip().startswith("<div")
    assert "<html" not in page


def test_the_last_poll_reloads_the_page(bob: Client, make_job: MakeJob) -> None:
    # S2-8.12-6, T47
    job = make_job(state="completed", finished_at=timezone.now())
    assert bob.get(f"/jobs/{job.pk}/progress/")["HX-Refresh"] == "true"


def test_a_finished_job_does_not_poll(bob: Client, make_job: MakeJob) -> None:
    job = make_job(state="completed", finished_at=timezone.now(), phase=3)
    page = bob.get(f"/jobs/{job.pk}/").content.decode()
    assert "hx-trigger" not in page
    assert "Open the product" in page


def test_a_failed_job_says_why_and_can_be_tried_again(
    alice: Client, make_job: MakeJob
) -> None:
    job = make_job(
        state="failed", error="Cannot reach git.example.", finished_at=timezone.now()
    )
    assert "Cannot reach git.example." in alice.get(f"/jobs/{job.pk}/").content.decode()
    response = alice.post(f"/jobs/{job.pk}/retry/")
    again = Job.objects.get(state="pending")
    assert response["Location"] == f"/jobs/{again.pk}/"


def test_cancel_stops_the_job(alice: Client, make_job: MakeJob) -> None:
    job = make_job()
    assert alice.post(f"/jobs/{job.pk}/cancel/").status_code == 303
    job.refresh_from_db()
    assert job.state == "cancelled"


def test_cancelling_twice_explains_itself(alice: Client, make_job: MakeJob) -> None:
    job = make_job(state="completed", finished_at=timezone.now())
    response = alice.post(f"/jobs/{job.pk}/cancel/")
    assert response.status_code == 409
    assert "completed already" in response.content.decode()


def test_a_viewer_gets_no_buttons(bob: Client, make_job: MakeJob) -> None:
    assert "Cancel" not in bob.get(f"/jobs/{make_job().pk}/").content.decode()
