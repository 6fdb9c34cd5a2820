"""Sources that would hold a reader: bounded, refused with a reason, and cancelled."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from devrag.core.principal import SYSTEM
from devrag.jobs import engine
from devrag.jobs.models import Batch, BatchState, JobState
from devrag.jobs.services import cancel_job
from devrag.sources import ignore_limits
from devrag.sources.models import File, Skip
from devrag.use_cases.add_repository import add_repository
from tests.conftest import Repository
from tests.indexing.test_index import index
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# Notes\n\nTea is good.\n")
    return folder


def sparse(path: Path, size: int = 100 * 10**9) -> None:
    with path.open("wb") as file:
        file.truncate(size)


def test_a_sparse_file_is_left_out_unread(notes: Path) -> None:
    sparse(notes / "disk.img")
    job = index(notes)
    assert job.state == JobState.COMPLETED, job.error
    reasons = dict(Skip.objects.values_list("path", "reason"))
    assert reasons == {"disk.img": "too large (100000.0 MB > 2.0 MB)"}
    assert File.objects.get().path == "a.md"


def test_a_line_of_spaces_is_read_at_once(repository: Repository) -> None:
    spaces = " " * 1_900_000
    repository.commit({"x": "x\n", "a.md": "# Tea\n"})
    repository.commit({".gitignore": f"x{spaces}\n"})
    job = index(repository)
    assert job.state == JobState.COMPLETED, job.error
    assert Skip.objects.get().reason == "ignored by .gitignore"


def test_ignore_files_past_their_budget_end_the_job_with_the_reason(
    repository: Repository,
) -> None:
    text = "# as large as one file may be\n" * 60_000
    folders = {f"d{number}/.gitignore": text for number in range(10)}
    repository.commit({"a.md": "# Tea\n", **folders})
    job = index(repository)
    assert job.state == JobState.FAILED
    assert "the limit is 8,000,000" in job.error
    assert "Shorten them" in job.error


def test_an_ignore_file_too_large_to_read_is_not_passed_over(notes: Path) -> None:
    sparse(notes / ".gitignore")
    job = index(notes)
    assert job.state == JobState.FAILED
    assert "The ignore files up to .gitignore have" in job.error


def test_matching_that_takes_too_long_ends_the_job_with_the_reason(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "devrag.indexing.listing.IgnoreBudget",
        lambda checkpoint: ignore_limits.IgnoreBudget(checkpoint, max_seconds=0.2),
    )
    patterns = "\n".join(f"a*{number}*z" for number in range(20_000))
    names = {f"a{number}.md": "# Tea\n" for number in range(200)}
    repository.commit({".gitignore": patterns, **names})
    job = index(repository)
    assert job.state == JobState.FAILED
    assert "took more than 0.2 s" in job.error


def sparse_folder(notes: Path) -> None:
    """Hashing takes minutes; the installation's limit is above."""
    sparse(notes / "disk.img")


def hostile_patterns(notes: Path) -> None:
    """Matching takes half a minute."""
    patterns = (f"a*{number}*z" for number in range(20_000))
    (notes / ".gitignore").write_text("\n".join(patterns))
    for number in range(4_000):
        (notes / f"a{number}.md").touch()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("make", [sparse_folder, hostile_patterns])
def test_a_cancel_frees_the_reader_soon(
    notes: Path, make: Callable[[Path], None], settings: Any
) -> None:
    settings.MAX_FILE_BYTES = 10**12
    make(notes)
    job = add_repository(
        principal=SYSTEM,
        location=str(notes),
        product_name="tea",
        is_wiki_wanted=False,
        is_local_user=True,
    )
    engine.start_job(job.pk)
    run = engine.claim_batch(job.pk, f"plan.{settings.HOST_NAME}")
    assert run is not None
    cancelled_at: list[float] = []

    def cancel_when_running() -> None:
        try:
            wait_until(Batch.objects.filter(state=BatchState.RUNNING).exists)
            cancel_job(job=job)
            cancelled_at.append(time.monotonic())
        finally:
            connection.close()

    thread = threading.Thread(target=cancel_when_running)
    thread.start()
    engine.run_batch(run)
    stopped_at = time.monotonic()
    thread.join()
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert stopped_at - cancelled_at[0] < 10
