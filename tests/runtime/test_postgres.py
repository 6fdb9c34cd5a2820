from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from devrag.core.errors import ConfigurationError, ServiceError
from devrag.runtime.layout import Home
from devrag.runtime.ports import LOOPBACK
from devrag.runtime.postgres import EmbeddedPostgres
from tests.waiting import wait_until


def execute(url: str, query: str) -> list[Any]:
    with psycopg.connect(url) as connection:
        cursor = connection.execute(query)
        return cursor.fetchall() if cursor.description else []


@pytest.fixture
def kept_url(session_postgres: Home) -> str:
    """The URL of a running server with one committed row to look for."""
    url = EmbeddedPostgres(session_postgres).start(print)
    execute(url, "CREATE TABLE IF NOT EXISTS kept (x int)")
    execute(url, "TRUNCATE kept")
    execute(url, "INSERT INTO kept VALUES (1)")
    return url


def test_the_role_is_limited_and_test_databases_have_the_extensions(
    kept_url: str,
) -> None:
    query = "SELECT rolsuper, rolcreatedb FROM pg_roles WHERE rolname = current_user"
    assert execute(kept_url, query) == [(False, True)]
    with psycopg.connect(kept_url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE other")
    other = kept_url.removesuffix("devrag") + "other"
    assert execute(other, "SELECT '[1,2]'::vector(2)::text") == [("[1,2]",)]
    assert execute(other, "SELECT similarity('a', 'a')") == [(1.0,)]


def test_settings_are_safe(kept_url: str) -> None:
    names = "fsync data_checksums listen_addresses password_encryption jit"
    values = [execute(kept_url, f"SHOW {name}")[0][0] for name in names.split()]
    assert values == ["on", "on", LOOPBACK, "scram-sha-256", "off"]


def test_recovery_syncs_the_file_system_at_once(kept_url: str) -> None:
    # Only Linux can.
    wanted = "syncfs" if sys.platform == "linux" else "fsync"
    assert execute(kept_url, "SHOW recovery_init_sync_method") == [(wanted,)]


def test_a_wrong_password_is_refused(kept_url: str) -> None:
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(kept_url, password="wrong")


def test_no_password_lies_open(session_postgres: Home) -> None:
    state = session_postgres.run / "postgres.json"
    assert state.stat().st_mode & 0o777 == 0o600
    pid = EmbeddedPostgres(session_postgres).pid
    assert pid is not None
    assert "password" not in " ".join(psutil.Process(pid).cmdline())
    assert not list(session_postgres.postgres.glob("password*"))


def test_it_never_runs_as_root(session_postgres: Home, kept_url: str) -> None:
    pid = EmbeddedPostgres(session_postgres).pid
    expected = "nobody" if os.geteuid() == 0 else getpass.getuser()
    assert psutil.Process(pid).username() == expected


def test_a_running_server_is_adopted(
    session_postgres: Home, kept_url: str, said: list[str]
) -> None:
    before = EmbeddedPostgres(session_postgres).pid
    assert EmbeddedPostgres(session_postgres).start(said.append) == kept_url
    assert EmbeddedPostgres(session_postgres).pid == before
    assert said == [f"PostgreSQL is already running (pid {before})"]


def test_kill_of_all_its_processes_loses_nothing(
    session_postgres: Home, kept_url: str
) -> None:
    postgres = EmbeddedPostgres(session_postgres)
    postmaster = psutil.Process(postgres.pid)
    for process in (postmaster, *postmaster.children(recursive=True)):
        process.kill()
    psutil.wait_procs([postmaster], timeout=10)
    assert postgres.pid is None
    assert postgres.start(print) == kept_url
    assert execute(kept_url, "SELECT x FROM kept") == [(1,)]


@pytest.mark.slow
def test_kill_of_the_postmaster_alone_loses_nothing(
    session_postgres: Home, kept_url: str
) -> None:
    with closing(psycopg.connect(kept_url)) as busy:
        busy.execute("SELECT 1")
        postgres = EmbeddedPostgres(session_postgres)
        os.kill(postgres.pid or 0, signal.SIGKILL)
        assert postgres.start(print) == kept_url
    assert execute(kept_url, "SELECT x FROM kept") == [(1,)]


def test_a_pid_file_whose_number_another_process_has_blocks_nothing(
    session_postgres: Home, kept_url: str
) -> None:
    postgres = EmbeddedPostgres(session_postgres)
    pid_file = postgres.folder / "data" / "postmaster.pid"
    stale = pid_file.read_text().splitlines()
    postgres.stop()
    pid_file.write_text("\n".join([str(os.getpid()), *stale[1:]]) + "\n")
    assert postgres.pid is None
    assert postgres.start(print) == kept_url


@pytest.mark.slow
def test_a_port_taken_by_somebody_else_is_left_to_them(
    session_postgres: Home, kept_url: str
) -> None:
    postgres = EmbeddedPostgres(session_postgres)
    postgres.stop()
    port = int(kept_url.rpartition(":")[2].partition("/")[0])
    with socket.create_server((LOOPBACK, port)):
        url = postgres.start(print)
    assert url != kept_url
    assert execute(url, "SELECT x FROM kept") == [(1,)]


@pytest.mark.slow
def test_lost_passwords_are_set_anew(
    session_postgres: Home, kept_url: str, said: list[str]
) -> None:
    (session_postgres.run / "postgres.json").unlink()
    url = EmbeddedPostgres(session_postgres).start(said.append)
    assert "run/postgres.json is missing" in " ".join(said)
    assert execute(url, "SELECT x FROM kept") == [(1,)]


def test_data_of_another_major_version_is_refused(
    session_postgres: Home, kept_url: str
) -> None:
    postgres = EmbeddedPostgres(session_postgres)
    version = postgres.folder / "data" / "PG_VERSION"
    present = version.read_text()
    version.write_text("17\n")
    try:
        with pytest.raises(ConfigurationError, match=r"PostgreSQL 17.*restore"):
            postgres.start(print)
    finally:
        version.write_text(present)


def test_a_start_that_fails_shows_the_log(session_postgres: Home) -> None:
    EmbeddedPostgres(session_postgres).stop()
    broken = EmbeddedPostgres(session_postgres, settings={"shared_buffers": "lots"})
    with pytest.raises(ServiceError, match=r"did not start(.|\n)*shared_buffers"):
        broken.start(print)


@pytest.mark.slow
def test_an_initdb_cut_short_is_repeated(home: Home) -> None:
    draft = home.postgres / "data.new"
    draft.mkdir()
    (draft / "PG_VERSION").write_text("18\n")
    url = EmbeddedPostgres(home, settings={"fsync": "off"}).start(print)
    assert execute(url, "SELECT 1") == [(1,)]


@pytest.mark.slow
def test_a_home_under_a_closed_folder_works_and_may_move(
    home: Home, tmp_path: Path
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(0o700)
    shared = home.root / "shared"
    inner = Home(closed / "home").ensure()
    settings = {"fsync": "off"}
    postgres = EmbeddedPostgres(inner, settings=settings, shared_root=shared)
    url = postgres.start(print)
    postgres.stop()
    # For root the data lie where `nobody` can reach them.
    expected = shared if os.geteuid() == 0 else inner.root
    assert postgres.folder.parent == expected
    shutil.move(closed, tmp_path / "moved")
    moved = EmbeddedPostgres(Home(tmp_path / "moved" / "home"), settings, shared)
    assert moved.start(print) == url
    moved.stop()


def test_stop_leaves_no_process(session_postgres: Home, kept_url: str) -> None:
    postgres = EmbeddedPostgres(session_postgres)
    pid = postgres.pid
    postgres.stop()
    assert postgres.pid is None
    wait_until(lambda: not psutil.pid_exists(pid) or is_zombie(pid))


def is_zombie(pid: int | None) -> bool:
    return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
