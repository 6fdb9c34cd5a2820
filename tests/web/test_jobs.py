"""Jobs: the page, its poll, cancel and retry."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

from django.test import Client
from django.utils import timezone, translation

from devrag.core.texts import as_stored, gettext
from devrag.jobs.api import add_event
from devrag.jobs.models import Batch, Job, JobEvent

MakeJob = Callable[..., Job]


def test_phases_show_done_of_total_and_the_log(bob: Client, make_job: MakeJob) -> None:
    job = make_job(phase=1)
    Batch.objects.create(
        job=job, phase=1, queue="parse", ordinal=0, units=40, done_units=10
    )
    JobEvent.objects.create(job=job, message="Read 10 files.")
    page = bob.get(f"/jobs/{job.pk}/").content.decode()
    assert "10 of 40 files" in page
    assert "Read 10 files." in page
    assert 'hx-trigger="every 2s"' in page


def test_a_poll_answers_with_the_fragment(bob: Client, make_job: MakeJob) -> None:
    page = bob.get(f"/jobs/{make_job().pk}/progress/").content.decode()
    assert page.strip().startswith("<div")
    assert "<html" not in page


def test_the_last_poll_reloads_the_page(bob: Client, make_job: MakeJob) -> None:
    job = make_job(state="completed", finished_at=timezone.now())
    assert bob.get(f"/jobs/{job.pk}/progress/")["HX-Refresh"] == "true"


def test_a_finished_job_does_not_poll(bob: Client, make_job: MakeJob) -> None:
    ended = timezone.now() - timedelta(minutes=1)
    job = make_job(state="completed", finished_at=ended, phase=3)
    page = bob.get(f"/jobs/{job.pk}/").content.decode()
    assert 'hx-trigger="every' not in page
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


def test_an_error_is_told_in_the_readers_language(
    bob: Client, make_job: MakeJob
) -> None:
    text = gettext("%(url)s contains ? or #. Remove everything from there on.") % {
        "url": "x"
    }
    job = make_job(state="failed", error=str(text), error_text=as_stored(text))
    for page in (f"/jobs/{job.pk}/", "/jobs/"):
        assert text in bob.get(page).content.decode()
        told = bob.get(page, headers={"Accept-Language": "ja"}).content.decode()
        assert "Remove everything from there on" not in told
    by_hand = make_job(state="failed", error="By hand.")
    page = bob.get(f"/jobs/{by_hand.pk}/", headers={"Accept-Language": "ja"})
    assert '<p lang="en">By hand.</p>' in page.content.decode()


def test_the_log_is_told_in_the_readers_language(
    bob: Client, make_job: MakeJob
) -> None:
    job = make_job(state="completed", finished_at=timezone.now())
    with translation.override("ja"):
        add_event(job, gettext("The title is empty."))
    add_event(job, "git: 3 of 4 objects")
    (told, other) = job.events.order_by("pk")
    assert told.message == "The title is empty."
    assert other.data == {}
    page = bob.get(f"/jobs/{job.pk}/").content.decode()
    assert "<span>The title is empty.</span>" not in page  # lang="en"
    assert "The title is empty." in page
    page = bob.get(f"/jobs/{job.pk}/", headers={"Accept-Language": "ja"})
    assert "<span>タイトルが空です。</span>" in page.content.decode()
    assert '<span lang="en">git: 3 of 4 objects</span>' in page.content.decode()


def test_what_is_indexed_can_be_searched_and_asked(
    bob: Client, make_job: MakeJob
) -> None:
    job = make_job(state="completed", finished_at=timezone.now())
    page = bob.get(f"/jobs/{job.pk}/").content.decode()
    assert '<a href="/search?product=harbour">Search</a>' in page
    assert '<a href="/p/harbour/ask/">Ask</a>' in page


def test_what_follows_an_index_is_shown_until_it_is_done(
    bob: Client, make_job: MakeJob
) -> None:
    job = make_job(state="completed", finished_at=timezone.now() - timedelta(minutes=1))
    embed = make_job(kind="embed", lane="embed:1", request_id=job.trace_id)
    make_job(kind="wiki", lane="wiki:9", request_id="of another request")
    make_job(
        kind="embed", lane="embed:2", request_id=job.trace_id, source_name="another"
    )
    page = bob.get(f"/jobs/{job.pk}/").content.decode()
    assert (
        f'href="/jobs/{embed.pk}/">Prepare semantic search of harbour-code</a>' in page
    )
    assert "Generate the wiki" not in page
    assert "semantic search of another" not in page
    poll = f"/jobs/{job.pk}/progress/?view=following"
    assert f'hx-get="{poll}"' in page
    assert f"/jobs/{embed.pk}/" in bob.get(poll).content.decode()
    Job.objects.filter(pk=embed.pk).update(state="completed")
    ended = bob.get(poll).content.decode()
    assert "completed" in ended
    assert "hx-get" not in ended


def test_times_go_on_by_themselves(bob: Client, make_job: MakeJob) -> None:
    ended = timezone.now() - timedelta(seconds=80)
    job = make_job(state="completed", finished_at=ended)
    page = bob.get(f"/jobs/{job.pk}/").content.decode()
    assert re.search(r'<time datetime="[^"]+"[^>]* data-ago>1 minute ago</time>', page)


def test_cancel_stops_the_job(alice: Client, make_job: MakeJob) -> None:
    job = make_job()
    assert alice.post(f"/jobs/{job.pk}/cancel/").status_code == 303
    job.refresh_from_db()
    assert job.state == "cancelled"


def test_cancelling_twice_explains_itself(alice: Client, make_job: MakeJob) -> None:
    job = make_job(state="completed", finished_at=timezone.now())
    response = alice.post(f"/jobs/{job.pk}/cancel/")
    assert response.status_code == 409
    assert "is already completed and cannot be cancelled" in response.content.decode()


def test_a_viewer_gets_no_buttons(bob: Client, make_job: MakeJob) -> None:
    assert "Cancel" not in bob.get(f"/jobs/{make_job().pk}/").content.decode()


def test_a_running_phase_shows_rate_time_left_and_path(
    bob: Client, make_job: MakeJob
) -> None:
    job = make_job(phase=1)
    now = timezone.now()
    done = {"state": "done", "started_at": now - timedelta(seconds=2)}
    rows = [
        {"units": 20, "done_units": 20, "finished_at": now, **done},
        {"units": 20, "state": "running", "note": "src/greeter.py"},
    ]
    for ordinal, row in enumerate(rows):
        Batch.objects.create(job=job, phase=1, queue="parse", ordinal=ordinal, **row)
    page = bob.get(f"/jobs/{job.pk}/progress/").content.decode()
    assert "files/s" in page
    assert " left" in page
    assert ">src/greeter.py<" in page


def test_a_waiting_job_says_what_it_waits_for(bob: Client, make_job: MakeJob) -> None:
    running = make_job()
    page = bob.get(f"/jobs/{make_job(state='pending').pk}/").content.decode()
    assert "Waiting for another index job of harbour-code" in page
    assert f'href="/jobs/{running.pk}/"' in page


def test_the_report_lists_what_was_left_out_by_reason(
    bob: Client, make_job: MakeJob
) -> None:
    report = {
        "added": 1200,
        "leftOut": {"binary": 3},
        "asWindows": {"parser_crash": 1},
        "seconds": {"plan": 1.0},
    }
    job = make_job(state="completed", finished_at=timezone.now(), report=report)
    page = bob.get(f"/jobs/{job.pk}/").content.decode()
    for label, value in [
        ("Files added", "1,200"),
        ("Skipped: binary", "3"),
        ("Indexed as plain text: the parser crashed", "1"),
    ]:
        assert f'<dt>{label}</dt><dd class="tabular">{value}</dd>' in page


def test_a_wiki_that_stayed_as_it_was_says_so(bob: Client, make_job: MakeJob) -> None:
    job = make_job(
        kind="wiki",
        state="completed",
        finished_at=timezone.now(),
        phase=6,
        report={"version": 1, "isNew": False},
    )
    assert "Nothing changed." in bob.get(f"/jobs/{job.pk}/").content.decode()
    Job.objects.filter(pk=job.pk).update(report={"version": 2, "isNew": True})
    assert "Nothing changed." not in bob.get(f"/jobs/{job.pk}/").content.decode()
