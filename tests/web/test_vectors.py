"""What is searchable by meaning, on the product's page."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from devrag.jobs.models import Job
from devrag.search.models import EmbeddingPause, VectorCoverage
from devrag.search.semantic.specs import ensure_active_spec
from devrag.sources.models import Snapshot

from .conftest import Harbour
from .markup import squeeze

MakeJob = Callable[..., Job]
PAGE = "/p/harbour/"


@pytest.fixture
def coverage(harbour: Harbour) -> VectorCoverage:
    return VectorCoverage.objects.create(
        spec=ensure_active_spec(), source=harbour.source, chunks=3000, embedded=1200
    )


def test_the_page_shows_the_share(bob: Client, coverage: VectorCoverage) -> None:
    page = squeeze(bob.get(PAGE))
    assert "40%" in page
    assert "1,200 of 3,000 chunks" in page
    assert "vectors/" not in page  # nothing runs: nothing is asked for again
    assert "keyword search only" not in page


def test_chunks_without_vectors_are_told_beside_the_share(
    bob: Client, coverage: VectorCoverage, harbour: Harbour
) -> None:
    Snapshot.objects.filter(source=harbour.source).update(chunk_count=3137)
    page = squeeze(bob.get(PAGE))
    assert "137 more chunks are of generated files" in page


def test_the_share_is_live_while_a_job_is_open(
    bob: Client, coverage: VectorCoverage, make_job: MakeJob
) -> None:
    make_job(kind="embed")
    assert 'hx-get="/p/harbour/vectors/"' in bob.get(PAGE).content.decode()
    VectorCoverage.objects.update(embedded=3000)
    poll = squeeze(bob.get(f"{PAGE}vectors/"))
    assert "100%" in poll
    assert "<html" not in poll


def test_the_share_is_asked_for_ever_less_often(
    bob: Client, coverage: VectorCoverage, make_job: MakeJob
) -> None:
    make_job(kind="embed")
    for minutes, seconds in ((0, 3), (5, 6), (60, 16)):
        Job.objects.update(created_at=timezone.now() - timedelta(minutes=minutes))
        for poll in (PAGE, f"{PAGE}vectors/"):
            assert f"every {seconds}s" in bob.get(poll).content.decode()
        source = bob.get(f"{PAGE}s/harbour-code/").content.decode()
        assert f"every {seconds}s" in source


def test_a_maintainer_pauses_and_resumes(
    alice: Client, coverage: VectorCoverage, make_job: MakeJob
) -> None:
    make_job(kind="embed")
    assert "Pause" in alice.get(PAGE).content.decode()
    assert alice.post(f"{PAGE}vectors/pause/")["Location"] == PAGE
    page = alice.get(PAGE).content.decode()
    assert "paused" in page
    headers = {"HX-Request": "true"}
    answer = alice.post(f"{PAGE}vectors/resume/", headers=headers).content.decode()
    assert "paused" not in answer
    assert 'id="dr-vectors"' in answer
    assert not EmbeddingPause.objects.exists()


def test_a_reader_sees_the_pause_and_no_button(
    bob: Client, coverage: VectorCoverage, make_job: MakeJob, harbour: Harbour
) -> None:
    make_job(kind="embed")
    EmbeddingPause.objects.create(product=harbour.product, paused_by="alice")
    page = bob.get(PAGE).content.decode()
    assert "paused" in page
    assert "Resume" not in page
    assert bob.post(f"{PAGE}vectors/resume/").status_code == 403
    assert EmbeddingPause.objects.exists()


def test_a_stranger_learns_nothing(charlie: Client, coverage: VectorCoverage) -> None:
    assert charlie.get(f"{PAGE}vectors/").status_code == 404
    assert charlie.post(f"{PAGE}vectors/pause/").status_code == 404


def test_a_pause_of_everything_cannot_be_resumed_here(
    alice: Client, coverage: VectorCoverage, make_job: MakeJob
) -> None:
    make_job(kind="embed")
    EmbeddingPause.objects.create(product=None, paused_by="operator")
    page = alice.get(PAGE).content.decode()
    assert "paused" in page
    assert "Resume" not in page
