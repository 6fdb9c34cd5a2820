"""An empty instance leads to its first wiki; pages elsewhere say when jobs end."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from devrag.jobs.models import Job, JobEvent
from devrag.sources.models import GitRef
from devrag.web.pages.jobs import poll_seconds
from devrag.wiki.models import Wiki

from .conftest import Harbour
from .markup import squeeze

MakeJob = Callable[..., Job]


@pytest.fixture
def first_job(harbour: Harbour, make_job: MakeJob) -> Job:
    """The first index job of the only product, which holds nothing yet."""
    GitRef.objects.update(snapshot=None)
    params = {"sourceID": harbour.source.pk, "isProductNew": True}
    return make_job(params=params, requested_by="alice", phase=1)


def test_the_first_repository_is_followed_where_it_was_pasted(
    db: None, tmp_path: Path, settings: Any
) -> None:
    settings.SOURCE_ROOTS = [tmp_path]
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A\n")
    root = Client(HTTP_HOST="localhost")
    root.force_login(User.objects.create_superuser("root"))
    answer = root.post("/add/", {"location": str(tmp_path / "notes")})
    assert answer["Location"] == "/"
    page = root.get("/").content.decode()
    assert "Indexing …" in page
    assert str(tmp_path / "notes") in page
    # The page itself says when it is done: nothing else watches.
    assert "/jobs/ended/" not in page


def test_a_wiki_that_was_declined_is_not_announced(
    alice: Client, first_job: Job
) -> None:
    assert "It is generated next." in alice.get("/").content.decode()
    Job.objects.update(params={**first_job.params, "generateWiki": False})
    page = alice.get("/").content.decode()
    assert "You chose not to generate a wiki." in page
    assert "It is generated next." not in page


def test_another_repository_may_be_pasted_meanwhile(
    alice: Client, first_job: Job
) -> None:
    page = squeeze(alice.get("/"))
    assert "Add another repository" in page
    assert '<details class="card another"><summary>' in page
    # What was typed before signing in is there to be sent.
    page = squeeze(alice.get("/", {"location": "/srv/tea"}))
    assert '<details class="card another" open><summary>' in page
    assert 'value="/srv/tea"' in page
    # So is what was refused, and why.
    answer = alice.post("/add/", {"location": "/nowhere/tea"})
    page = squeeze(answer)
    assert answer.status_code == 422
    assert '<details class="card another" open><summary>' in page
    assert "field-error" in page


def test_it_shows_phases_and_log_with_the_search_asleep(
    alice: Client, first_job: Job
) -> None:
    JobEvent.objects.create(job=first_job, message="Read 10 files.")
    page = alice.get("/").content.decode()
    for shown in ('id="dr-first"', "Read 10 files.", "every 1s", " disabled>"):
        assert shown in page


def test_search_comes_alive_then_the_wiki(
    alice: Client, first_job: Job, wiki: Wiki, make_job: MakeJob, harbour: Harbour
) -> None:
    url = f"/first/{first_job.pk}/"
    Job.objects.update(state="completed", finished_at=timezone.now(), phase=3)
    harbour.ref.refresh_from_db()
    GitRef.objects.update(snapshot=harbour.source.snapshots.get())
    Wiki.objects.update(current=None)
    writing = make_job(kind="wiki", lane="wiki", source_name="")
    page = alice.get(url).content.decode()
    assert "Generating the wiki" in page
    assert " disabled>" not in page
    Job.objects.filter(pk=writing.pk).update(state="completed")
    Wiki.objects.update(current=wiki.current)
    page = alice.get(url).content.decode()
    assert 'href="/p/harbour/wiki/"' in page
    assert "hx-trigger" not in page


def test_a_first_run_that_fails_says_why_and_tries_again(
    alice: Client, first_job: Job
) -> None:
    Job.objects.update(state="failed", error="Cannot reach git.example.")
    page = alice.get("/").content.decode()
    assert "Cannot reach git.example." in page
    assert f'action="/jobs/{first_job.pk}/retry/"' in page
    assert 'id="dr-first" hx-get' not in page


def test_a_start_that_was_taken_back_leaves_its_reason(
    alice: Client, first_job: Job, harbour: Harbour
) -> None:
    Job.objects.update(state="failed", error="It holds no files.", product=None)
    harbour.product.delete()
    page = alice.get("/").content.decode()
    assert "It holds no files." in page
    assert 'name="location"' in page


def test_a_reader_sees_the_usual_card(bob: Client, first_job: Job) -> None:
    assert 'id="dr-first"' not in bob.get("/").content.decode()


def test_one_is_told_elsewhere_when_ones_job_ends(
    alice: Client, make_job: MakeJob
) -> None:
    job = make_job(requested_by="alice")
    asked = f"/jobs/ended/?jobs={job.pk}"
    assert asked in alice.get("/p/harbour/").content.decode()
    assert asked in alice.get(asked).content.decode()
    Job.objects.update(state="completed", finished_at=timezone.now())
    answer = alice.get(asked)
    assert answer.content == b""
    told = json.loads(answer["HX-Trigger"])["toast"]
    assert told["message"] == "Index harbour-code: done"
    assert told["url"] == "/p/harbour/"


def test_one_is_told_when_a_newer_request_took_over(
    alice: Client, make_job: MakeJob
) -> None:
    newer = make_job(lane="newer", requested_by="hook")
    job = make_job(requested_by="alice", state="skipped", superseded_by=newer)
    answer = alice.get(f"/jobs/ended/?jobs={job.pk}")
    told = json.loads(answer["HX-Trigger"])["toast"]
    assert told["message"].endswith("replaced by a newer request")
    assert (told["kind"], told["url"]) == ("info", f"/jobs/{newer.pk}/")


def test_pages_without_own_open_jobs_ask_nothing(
    alice: Client, bob: Client, make_job: MakeJob
) -> None:
    job = make_job(requested_by="alice")
    assert "/jobs/ended/" not in bob.get("/p/harbour/").content.decode()
    assert "HX-Trigger" not in bob.get(f"/jobs/ended/?jobs={job.pk}").headers
    assert bob.get("/jobs/ended/?jobs=x").status_code == 400


@pytest.mark.parametrize(("minutes", "seconds"), [(0, 3), (5, 6), (60, 16)])
def test_polling_backs_off(minutes: int, seconds: int) -> None:
    begun = timezone.now() - timedelta(minutes=minutes)
    assert poll_seconds((begun,)) == seconds
