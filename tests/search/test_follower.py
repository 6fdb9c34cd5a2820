"""The keyword index follows activations; a small one never waits for a big one."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError, connection
from structlog.testing import capture_logs

from devrag.core.principal import SYSTEM
from devrag.labels.api import correct_label
from devrag.search.lexical import follower
from devrag.search.lexical.follower import announce_activation, catch_up
from devrag.search.lexical.reader import LexicalReader
from devrag.search.lexical.store import Generation, LexicalWriter, read_generation
from devrag.search.management.commands import follower as command
from devrag.search.types import SearchQuery
from devrag.sources.models import GitRef, Source
from tests.conftest import Repository
from tests.indexing.test_index import index
from tests.waiting import wait_until

CHECKOUT = Path(__file__).parents[2]


def sequence_of(source_id: int) -> int:
    generation = read_generation(settings.LEXICAL_DIR)
    assert generation is not None
    return generation.sequences.get(source_id, (0, 0))[1]


def make(folder: Path, name: str, files: int) -> Repository:
    made = Repository(folder / name)
    made.commit({f"{name}_{n}.py": f"def {name}_{n}(): pass\n" for n in range(files)})
    index(made)
    return made


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "_LOOK_SECONDS", 0.0)


@pytest.mark.slow
def test_an_increment_goes_ahead_of_a_first_build_at_work(
    db: None, tmp_path: Path, eager: None
) -> None:
    small = make(tmp_path, "small", 2)
    catch_up(settings.LEXICAL_DIR)
    key = GitRef.objects.get().source_id
    make(tmp_path, "big", 30)
    big = GitRef.objects.exclude(source=key).get().source_id
    generation = read_generation(settings.LEXICAL_DIR)
    assert generation is not None
    small.commit({"late.py": "def late(): pass\n"})
    index(small)
    with contextlib.closing(LexicalWriter(settings.LEXICAL_DIR)) as writer:
        work = follower._Pass(
            writer,
            settings.LEXICAL_DIR,
            generation.database,
            dict(generation.sequences),
        )
        seen: list[tuple[int, int]] = []
        add = writer.add
        writer.add = lambda item: (  # type: ignore[method-assign]
            seen.append((sequence_of(key), sequence_of(big))),
            add(item),
        )[1]
        work.bring_up(big)
    # The second version of the small one was there while the big one was not.
    assert (2, 0) in seen
    assert (sequence_of(key), sequence_of(big)) == (2, 1)
    assert catch_up(settings.LEXICAL_DIR).sources == 0


@pytest.mark.slow
def test_an_increment_that_meanwhile_went_ahead_is_not_built_again(
    db: None, tmp_path: Path, eager: None
) -> None:
    first, second = make(tmp_path, "first", 3), make(tmp_path, "second", 3)
    catch_up(settings.LEXICAL_DIR)
    make(tmp_path, "big", 30)
    first.commit({f"late_{n}.py": "def late(): pass\n" for n in range(5)})
    index(first)
    second.commit({f"later_{n}.py": "def later(): pass\n" for n in range(9)})
    index(second)
    generation = read_generation(settings.LEXICAL_DIR)
    assert generation is not None
    with contextlib.closing(LexicalWriter(settings.LEXICAL_DIR)) as writer:
        work = follower._Pass(
            writer,
            settings.LEXICAL_DIR,
            generation.database,
            dict(generation.sequences),
        )
        add = writer.add

        def commit_more(item: Any) -> None:
            """Commit to the second one while the first one, ahead of it, is at work."""
            if item.path == "late_0.py":
                second.commit({"last.py": "def last(): pass\n"})
                index(second)
            add(item)

        writer.add = commit_more  # type: ignore[method-assign]
        done = work.run()
    assert (done.files_added, done.sources) == (30 + 5 + 9 + 1, 3)
    assert catch_up(settings.LEXICAL_DIR).sources == 0


def build_partly() -> None:
    """Bring the index up, and commit after ten files; then there is an interruption."""
    before = read_generation(settings.LEXICAL_DIR)
    with contextlib.closing(LexicalWriter(settings.LEXICAL_DIR)) as writer:
        work = follower._Pass(
            writer,
            settings.LEXICAL_DIR,
            follower.database_identity(),
            dict(before.sequences) if before else {},
        )
        add, count = writer.add, iter(range(100))

        def interrupted(item: Any) -> None:
            if next(count) == 10:
                generation = Generation(work.database, dict(work.have))
                follower._commit(writer, settings.LEXICAL_DIR, generation)
                raise InterruptedError
            add(item)

        writer.add = interrupted  # type: ignore[method-assign]
        work.run()


def test_a_build_that_is_cut_off_begins_anew(
    db: None, tmp_path: Path, eager: None
) -> None:
    make(tmp_path, "shop", 30)
    with pytest.raises(InterruptedError):
        build_partly()
    assert catch_up(settings.LEXICAL_DIR).files_added == 30
    assert catch_up(settings.LEXICAL_DIR).sources == 0


def test_an_increment_that_is_cut_off_is_no_first_build(
    db: None, tmp_path: Path, eager: None
) -> None:
    shop = make(tmp_path, "shop", 30)
    catch_up(settings.LEXICAL_DIR)
    shop.commit({f"late_{n}.py": f"def late_{n}(): pass\n" for n in range(20)})
    index(shop)
    with pytest.raises(InterruptedError):
        build_partly()
    assert catch_up(settings.LEXICAL_DIR).files_added == 20
    found = LexicalReader(settings.LEXICAL_DIR).search(
        SearchQuery(text="late_3", principal=SYSTEM),
        source_ids=[GitRef.objects.get().source_id],
        limit=50,
    )
    assert found.total == len(found.scores) > 0  # none is there twice


@pytest.fixture
def process(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The follower as the server runs it, on this test's database and folder."""
    database = connection.settings_dict
    url = "postgres://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**database)
    environment = {
        **os.environ,
        "DATABASE_URL": url,
        "DEVRAG_HOME": str(settings.LEXICAL_DIR.parent),
    }
    with subprocess.Popen(
        [sys.executable, str(CHECKOUT / "manage.py"), "follower"],
        env=environment,
        stderr=subprocess.PIPE,
    ) as started:
        yield started
        started.send_signal(signal.SIGTERM)


@pytest.mark.django_db(transaction=True)
def test_the_process_follows_in_a_moment_and_survives_a_lost_connection(
    tmp_path: Path, process: subprocess.Popen[bytes]
) -> None:
    shop = make(tmp_path, "shop", 2)
    key = GitRef.objects.get().source_id
    wait_until(lambda: read_generation(settings.LEXICAL_DIR), 30, "the first pass")
    wait_until(lambda: sequence_of(key) == 1, 3, "the first version")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )
    shop.commit({"late.py": "def late(): pass\n"})
    index(shop)
    wait_until(lambda: sequence_of(key) == 2, 3, "the second version")
    assert process.poll() is None
    announce_activation()  # for nothing: it looks and goes on
    assert process.poll() is None


class _Waits:
    """In place of the signals: notes the waits."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.is_set = False

    def wait(self, seconds: float) -> None:
        self.seconds.append(seconds)


def run_passes(
    monkeypatch: pytest.MonkeyPatch, outcomes: list[Exception | None]
) -> tuple[list[float], list[str]]:
    """Let passes end like this; return the waits between them, and what is logged."""
    waits, left = _Waits(), enumerate(outcomes, 1)

    def end_pass() -> None:
        number, outcome = next(left)
        waits.is_set = number == len(outcomes)
        if outcome:
            raise outcome

    monkeypatch.setattr(command, "_StopSignal", lambda: waits)
    monkeypatch.setattr(command, "_pass_and_wait", end_pass)
    with capture_logs() as logged:
        command.Command()._follow()
    return waits.seconds, [entry["error"] for entry in logged]


def test_a_failure_that_lasts_is_tried_ever_later_and_logged_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits, logged = run_passes(monkeypatch, [OSError("disk full")] * 9)
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]
    assert logged == ["disk full"]


def test_names_of_segments_make_no_other_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failures = [ValueError(f"cannot write {digit * 32}.store") for digit in "0a1b"]
    _, logged = run_passes(monkeypatch, [*failures])
    assert logged == [str(failures[0])]


def test_after_a_success_or_another_failure_it_is_logged_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    full, read_only = OSError("disk full"), OSError("read-only")
    waits, logged = run_passes(monkeypatch, [full, read_only, full, None, full])
    assert waits == [0.5, 1.0, 2.0, 0.5]
    assert logged == ["disk full", "read-only", "disk full", "disk full"]


def test_a_lost_database_is_asked_again_at_once(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "close", lambda: None)
    waits, logged = run_passes(monkeypatch, [OperationalError("gone")] * 4)
    assert waits == [0.5] * 4
    assert logged == ["gone"]


def test_changed_labels_of_several_sources_are_one_commit(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        make(tmp_path, name, 1)
    catch_up(settings.LEXICAL_DIR)
    for source in Source.objects.all():
        correct_label(
            principal=SYSTEM,
            source=source,
            path=f"{source.name}_0.py",
            name="auth",
            is_assigned=True,
        )
    commit = follower._commit
    commits: list[object] = []

    def count(*written: Any) -> None:
        commits.append(written)
        commit(*written)

    monkeypatch.setattr(follower, "_commit", count)
    assert catch_up(settings.LEXICAL_DIR).files_added == 2
    assert len(commits) == 1
