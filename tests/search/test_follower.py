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
from django.db import connection

from devrag.search.lexical import follower
from devrag.search.lexical.follower import announce_activation, catch_up
from devrag.search.lexical.store import LexicalWriter, read_generation
from devrag.sources.models import GitRef
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
        work.bring_up(big, follower.wanted_sequences())
    # The second version of the small one was there while the big one was not.
    assert (2, 0) in seen
    assert (sequence_of(key), sequence_of(big)) == (2, 1)
    assert catch_up(settings.LEXICAL_DIR).sources == 0


def build_partly() -> None:
    """Build the index and commit ten files; then the process is interrupted."""
    with contextlib.closing(LexicalWriter(settings.LEXICAL_DIR)) as writer:
        work = follower._Pass(
            writer, settings.LEXICAL_DIR, follower.database_identity(), {}
        )
        add, count = writer.add, iter(range(100))

        def interrupted(item: Any) -> None:
            if next(count) == 10:
                writer.commit()
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
