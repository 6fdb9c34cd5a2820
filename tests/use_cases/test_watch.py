"""The watcher as a real process over real folders; jobs are run by the test."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BufferedReader
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from django.db import OperationalError, connection
from watchfiles import Change

from devrag.core.errors import InvalidInput, NotFound
from devrag.core.installation import BASE_DIR
from devrag.core.principal import SYSTEM
from devrag.jobs.models import Job, JobState
from devrag.sources.confined_files import Beneath
from devrag.sources.dirty import clear_dirty, mark_dirty
from devrag.sources.models import Chunk, File, Source
from devrag.sources.selection import Selection
from devrag.sources.watched_paths import ref_stamps, wanted_paths
from devrag.use_cases.watch import (
    LONGEST_WAIT_SECONDS,
    QUIET_SECONDS,
    Unrest,
    Watcher,
    watchable_folders,
    watchable_sources,
)
from tests.conftest import Repository, run_job
from tests.indexing.test_index import index
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
MANAGE = BASE_DIR / "manage.py"


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
        """Wait for the condition; say what the process said if it does not hold."""

        def holds() -> Any:
            assert self.process.poll() is None, self.log.read_text()
            return condition()

        return wait_until(holds, 60, self.log.read_text)

    def said(self, words: str) -> None:
        self.until(lambda: words in self.log.read_text())

    def next_job(self) -> Job:
        """Wait for the job that the watcher asks for, and do it."""
        waiting = Job.objects.filter(kind="index", state=JobState.PENDING)
        return run_job(self.until(waiting.first))


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


@contextmanager
def serving_watch(log: Path) -> Iterator[Process]:
    """Run it as the server does, whatever there is to watch."""
    base, _, _ = os.environ["DATABASE_URL"].rpartition("/")
    url = f"{base}/{connection.settings_dict['NAME']}"
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, str(MANAGE), "watch", "--service"],
            env={**os.environ, "DATABASE_URL": url},
            stdout=out,
            stderr=subprocess.STDOUT,
            text=True,
        )
    try:
        yield Process(process, log)
    finally:
        process.kill()
        process.wait()


def test_the_service_takes_up_folders_that_are_added_and_lets_go(
    tmp_path: Path, shop: Repository
) -> None:
    index(shop)  # a repository: indexed when asked
    with serving_watch(tmp_path / "log") as watcher:
        watcher.said("Watching 0 folders")
        folder = tmp_path / "late"
        folder.mkdir()
        (folder / "a.md").write_text("# A\n\nGreen tea.\n")
        index(folder)
        watcher.said("Watching late.")
        (folder / "b.md").write_text("# B\n\nBlack tea.\n")
        assert watcher.next_job().report["added"] == 1
        watcher.said("up to date (1 added")
        waiting = Job.objects.filter(kind="index", state=JobState.PENDING)
        assert not waiting.exists()


def test_sources_that_come_and_go_change_what_is_watched(notes: Path) -> None:
    source = Source.objects.get()
    found = [source]
    watcher = Watcher([source], print, Event(), lambda: found)
    found.clear()
    watcher._found_at = float("-inf")
    watcher._find_sources()
    assert watcher._watched == []
    found.append(source)
    watcher._found_at = float("-inf")
    watcher._find_sources()
    (watched,) = watcher._watched
    # Whoever added it has it indexed: nothing changed since.
    assert watched.place is not None
    assert not watched.unrest.is_over(float("inf"))
    found[0] = Source.objects.get()
    found[0].metadata["include"] = 7
    watcher._found_at = float("-inf")
    watcher._find_sources()
    assert watcher._watched == []


def test_folders_of_this_machine_are_watched_and_no_repository(
    notes: Path, shop: Repository
) -> None:
    index(shop)
    assert [source.name for source in watchable_folders()] == ["notes"]


def _dirty() -> set[str]:
    dirty = Chunk.objects.filter(is_dirty=True)
    return set(dirty.values_list("file__path", flat=True))


def test_a_change_is_marked_at_once_and_indexed_soon(
    notes: Path, tmp_path: Path
) -> None:
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
        watcher.said("does not exist any more; waiting for it")
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


def test_what_failed_is_tried_again_later() -> None:
    unrest = Unrest(began=90.0, last=95.0)
    unrest.put_off(100.0)
    assert not unrest.is_over(99.0 + LONGEST_WAIT_SECONDS)
    assert unrest.is_over(100.0 + LONGEST_WAIT_SECONDS)
    unrest.note(101.0)
    assert unrest.is_over(101.0 + QUIET_SECONDS)


class Walk:
    """A watcher whose steps the test makes, with a database that it can take away."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.is_away = False
        sources = watchable_sources(())
        self.watcher = Watcher(sources, self.said.append, Event())

    def step(self, *changed: Path) -> None:
        with connection.execute_wrapper(self._refuse):
            self.watcher._step({(Change.modified, str(path)) for path in changed})

    def _refuse(self, execute: Callable[..., Any], *args: Any) -> Any:
        if self.is_away:
            raise OperationalError("the server went away")
        return execute(*args)


@pytest.fixture
def walk(notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    """Two watched folders, for which a moment is quiet enough."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other/c.md").write_text("# C\n\nRed tea.\n")
    index(tmp_path / "other")
    monkeypatch.setattr("devrag.use_cases.watch.QUIET_SECONDS", 0.0)
    return Walk()


def _waiting() -> set[str]:
    rows = Job.objects.filter(kind="index", state=JobState.PENDING)
    return set(rows.values_list("source_name", flat=True))


def test_what_changes_while_the_database_is_away_is_marked_and_indexed(
    notes: Path, tmp_path: Path, walk: Walk
) -> None:
    walk.step()
    for job in Job.objects.filter(state=JobState.PENDING):
        run_job(job)
    walk.step()
    walk.is_away = True
    walk.step(notes / "a.md", tmp_path / "other/c.md")
    walk.step()
    assert [line for line in walk.said if "the database" in line] == [walk.said[-1]]
    walk.is_away = False
    walk.step()
    assert _dirty() == {"a.md", "c.md"}
    assert _waiting() == {"notes", "other"}


def test_a_start_while_the_database_is_away_waits_for_it(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    walk.is_away = True
    walk.watcher._stop.set()
    with connection.execute_wrapper(walk._refuse):
        walk.watcher.run()
    assert _waiting() == set()
    walk.is_away = False
    walk.step()
    assert _waiting() == {"notes", "other"}


def test_marks_go_when_the_database_is_back_after_the_job(walk: Walk) -> None:
    walk.step()
    for job in Job.objects.filter(state=JobState.PENDING):
        run_job(job)
    mark_dirty(source=Source.objects.get(name="notes"), paths=["a.md"])
    updates: list[str] = []

    def refuse_first_update(execute: Callable[..., Any], sql: str, *args: Any) -> Any:
        if sql.startswith("UPDATE") and not updates:
            updates.append(sql)
            raise OperationalError("the server went away")
        return execute(sql, *args)

    with connection.execute_wrapper(refuse_first_update):
        walk.step()
    assert _dirty() == {"a.md"}
    walk.step()
    assert _dirty() == set()


def test_a_refused_request_is_made_again(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("devrag.use_cases.watch.LONGEST_WAIT_SECONDS", 0.0)
    with monkeypatch.context() as refusing:
        refusing.setattr(
            "devrag.use_cases.watch.SYSTEM", replace(SYSTEM, scopes=frozenset())
        )
        walk.step()
    assert _waiting() == set()
    walk.step()
    assert _waiting() == {"notes", "other"}


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
    with pytest.raises(InvalidInput, match="There are no sources on this machine"):
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
    found = wanted_paths(notes, {path}, Selection(exclude=("docs/",)))
    assert found == ({path} if expected else set())


def test_a_burst_reads_each_ignore_file_once(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    open_beneath = Beneath.open

    def reading(self: Beneath, path: str) -> BufferedReader:
        read.append(path)
        return open_beneath(self, path)

    monkeypatch.setattr(Beneath, "open", reading)
    burst = {f"out/packages/{number}.js" for number in range(50)} | {"sub/b.md"}
    assert wanted_paths(notes, burst, Selection()) == {"sub/b.md"}
    assert read.count(".gitignore") == 1
    assert len(read) == len(set(read))


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


@pytest.mark.parametrize("text", ["gitdir: a\0b\n", "gitdir: loop\n"])
def test_a_pointer_to_no_path_does_not_stop_the_watcher(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / ".git").write_text(text)
    assert ref_stamps(tmp_path) == frozenset()


def test_hostile_files_do_not_hold_the_watcher(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    os.mkfifo(folder / ".gitignore")
    os.mkfifo(folder / ".git")
    assert wanted_paths(folder, {"a.md"}, Selection()) == {"a.md"}
    assert ref_stamps(folder) == frozenset()
    (folder / ".gitignore").unlink()
    (folder / ".gitignore").write_text("x" * 2_000)  # the index job refuses it
    assert wanted_paths(folder, {"a.md"}, Selection()) == {"a.md"}
    with (folder / ".gitignore").open("wb") as file:
        file.truncate(10**11)
    assert wanted_paths(folder, {"a.md"}, Selection()) == {"a.md"}
