"""The watcher as a real process over real folders; jobs are run by the test."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.db import connection

from devrag.core.errors import InvalidInput, NotFound
from devrag.flows.watch import (
    LONGEST_WAIT_SECONDS,
    QUIET_SECONDS,
    Unrest,
    watchable_sources,
)
from devrag.jobs.models import Job, JobState
from devrag.sources.dirty import clear_dirty, mark_dirty
from devrag.sources.models import Chunk, File, Source
from devrag.sources.places import is_wanted, ref_stamps
from devrag.sources.selection import Selection
from tests.conftest import Repository, run_job
from tests.indexing.test_index import index

pytestmark = pytest.mark.django_db(transaction=True)
MANAGE = Path(django_settings.BASE_DIR) / "manage.py"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.md").write_text("# A\n\nGreen tea.\n")
    (folder / "sub/b.md").write_text("# B\n\nBlack tea.\n")
    (folder / ".gitignore").write_text("*.log\nout/\n")
    index(folder)
    return folder


class Process:
    """A running `watch` and what it says."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self.process = process
        self.log = log

    def until(self, condition: Callable[[], Any]) -> Any:
        """Poll until the condition holds; say what the process said if it does not."""
        deadline = time.monotonic() + 60
        while not (value := condition()):
            assert time.monotonic() < deadline, self.log.read_text()
            assert self.process.poll() is None, self.log.read_text()
            select_wait(0.05)
        return value

    def said(self, words: str) -> None:
        self.until(lambda: words in self.log.read_text())

    def next_job(self) -> Job:
        """Wait for the job that the watcher asks for, and do it."""
        waiting = Job.objects.filter(kind="index", state=JobState.PENDING)
        return run_job(self.until(waiting.first))


def select_wait(seconds: float) -> None:
    """Give the other process the processor between two looks."""
    signal.sigtimedwait([], seconds)


@contextmanager
def watching(log: Path, *names: str, **environment: str) -> Iterator[Process]:
    names_of = connection.settings_dict
    base, _, _ = os.environ["DATABASE_URL"].rpartition("/")
    url = f"{base}/{names_of['NAME']}"
    env = {**os.environ, "DATABASE_URL": url, **environment}
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, str(MANAGE), "watch", *names],
            env=env,
            stdout=out,
            stderr=subprocess.STDOUT,
            text=True,
        )
    try:
        found = Process(process, log)
        found.next_job()  # what changed while nobody watched
        found.said("up to date (0 added, 0 modified, 0 removed)")
        yield found
    finally:
        process.kill()
        process.wait()


def _dirty() -> set[str]:
    dirty = Chunk.objects.filter(is_dirty=True)
    return set(dirty.values_list("file__path", flat=True))


def test_a_change_is_marked_at_once_and_indexed_soon(
    notes: Path, tmp_path: Path
) -> None:  # T53, S3-ADR-005-2
    with watching(tmp_path / "log") as watcher:
        (notes / "a.md").write_text("# A\n\nWhite tea.\n")
        (notes / "new.md").write_text("# New\n\nOolong.\n")
        watcher.until(lambda: _dirty() == {"a.md"})
        job = watcher.next_job()
        assert (job.report["added"], job.report["modified"]) == (1, 1)
        watcher.said("up to date (1 added, 1 modified, 0 removed)")
        assert _dirty() == set()
        # Touched and as it was: nothing to index, the mark goes all the same.
        os.utime(notes / "sub/b.md")
        watcher.until(lambda: _dirty() == {"sub/b.md"})
        assert watcher.next_job().report["skipped"]
        watcher.until(lambda: _dirty() == set())


def test_what_is_ignored_wakes_nobody(notes: Path, tmp_path: Path) -> None:
    with watching(tmp_path / "log") as watcher:
        (notes / "x.log").write_text("noise\n")
        (notes / "out").mkdir()
        (notes / "out/y.md").write_text("noise\n")
        (notes / "sub/b.md").unlink()
        job = watcher.next_job()
        assert job.report["removed"] == 1
        watcher.said("1 changed paths")


def test_a_folder_that_vanishes_is_waited_for(notes: Path, tmp_path: Path) -> None:
    with watching(tmp_path / "log") as watcher:
        notes.rename(tmp_path / "aside")
        watcher.said("is gone; waiting for it")
        (tmp_path / "aside/a.md").write_text("# A\n\nBlue tea.\n")
        (tmp_path / "aside").rename(notes)
        assert watcher.next_job().report["modified"] == 1
        (notes / "a.md").write_text("# A\n\nRed tea.\n")
        assert watcher.next_job().report["modified"] == 1
        assert "Red tea" in File.objects.latest("pk").text


def test_a_commit_is_indexed(shop: Repository, tmp_path: Path) -> None:
    index(shop)
    with watching(tmp_path / "log") as watcher:
        shop.commit({"shop/new.py": "n = 1\n"})
        assert watcher.next_job().report["added"] == 1


def test_polling_does_too(notes: Path, tmp_path: Path) -> None:
    polling = {"WATCHFILES_FORCE_POLLING": "1"}
    with watching(tmp_path / "log", "notes", **polling) as watcher:
        (notes / "a.md").write_text("# A\n\nWhite tea.\n")
        assert watcher.next_job().report["modified"] == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly(notes: Path, tmp_path: Path, number: signal.Signals) -> None:
    with watching(tmp_path / "log") as watcher:
        watcher.process.send_signal(number)
        assert watcher.process.wait(timeout=30) == 0
        assert watcher.log.read_text().endswith("Stopped watching.\n")


def test_unrest_ends_after_a_quiet_moment_and_never_starves() -> None:
    unrest = Unrest()
    assert not unrest.is_over(100.0)
    unrest.note(100.0)
    assert not unrest.is_over(100.0 + QUIET_SECONDS - 0.1)
    assert unrest.is_over(100.0 + QUIET_SECONDS)
    now = 100.0
    while not unrest.is_over(now):
        unrest.note(now)
        now += QUIET_SECONDS / 2
    assert now - 100.0 <= LONGEST_WAIT_SECONDS + QUIET_SECONDS


def test_marks_reach_files_below_a_folder_and_go_again(notes: Path) -> None:
    source = Source.objects.get()
    (notes / "sub_way.md").write_text("# Sub\n")
    index(notes)
    assert mark_dirty(source=source, paths=["sub", "gone.md", "a_md"]) == 1
    assert _dirty() == {"sub/b.md"}
    mark_dirty(source=source, paths=["a.md"])
    clear_dirty(source=source, besides={"a.md"})
    assert _dirty() == {"a.md"}


def test_a_revert_finds_no_old_mark(notes: Path) -> None:
    source = Source.objects.get()
    before = (notes / "a.md").read_text()
    mark_dirty(source=source, paths=["a.md"])
    (notes / "a.md").write_text("# A\n\nOther.\n")
    index(notes)
    clear_dirty(source=source)
    (notes / "a.md").write_text(before)
    index(notes)
    assert _dirty() == set()


def test_only_sources_of_this_machine_can_be_watched(notes: Path) -> None:
    assert [source.name for source in watchable_sources(())] == ["notes"]
    with pytest.raises(NotFound, match="'tea'"):
        watchable_sources(["notes", "tea"])
    Source.objects.update(host="elsewhere")
    with pytest.raises(InvalidInput, match="No source lies on this machine"):
        watchable_sources(())


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.md", True),
        ("sub/new.md", True),
        ("x.log", False),
        ("sub/x.log", False),
        ("out/deep/z.md", False),
        ("sub", True),
        ("sub/.gitignore", True),
        (".git/index", False),
        ("docs/a.pdf", False),
    ],
)
def test_changes_count_as_the_index_does(
    notes: Path, path: str, *, expected: bool
) -> None:
    assert is_wanted(notes, path, Selection(exclude=("docs/",))) == expected


def test_every_way_to_move_a_ref_is_seen(shop: Repository, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    moves = [
        lambda: shop.commit({"n.py": "n = 1\n"}),
        lambda: shop.git("branch", "next"),
        lambda: shop.git("checkout", "-q", "next"),
        lambda: shop.git("pack-refs", "--all"),
        lambda: shop.git("worktree", "add", "-q", "-b", "tree", str(tree)),
    ]
    seen = {ref_stamps(shop.path)}
    for move in moves:
        move()
        seen.add(ref_stamps(shop.path))
    assert len(seen) == len(moves) + 1
    before = ref_stamps(tree)
    shop.git("-C", str(tree), "commit", "-q", "--allow-empty", "-m", "x")
    assert ref_stamps(tree) != before
