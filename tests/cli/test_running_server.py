"""When a search is left to the server that runs on this machine, and when it is not."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest

from devrag.cli.interfaces import SearchRequest
from devrag.cli.remote import running_server
from devrag.cli.remote.running_server import Unanswered, find_running_server
from devrag.core.local_operator import is_local_request
from devrag.core.principal import SYSTEM
from devrag.runtime.layout import Home
from devrag.runtime.pidfile import ServerRecord, pid_file, server_lock
from devrag.search.types import SearchQuery
from tests.scripted_server import Scripted, ScriptedServer, serving

_FOUND = {"hits": [], "notes": [], "milliseconds": 1.0, "summary": ""}
_OPTIONS = Namespace(verbose=False)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home of its own, and nothing else that decides where the data is."""
    for name in ("DATABASE_URL", "POSTGRES_HOST", "REDIS_URL", "SECRET_KEY"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("ALLOWED_HOSTS", "")
    monkeypatch.setenv("DEVRAG_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(running_server, "env_file", lambda: tmp_path / ".env")
    home = Home(tmp_path / "home").ensure()
    (home.run / "secret_key").write_text("of this home\n")
    return home


@pytest.fixture
def running(home: Home, tmp_path: Path) -> Iterator[Home]:
    """The home while a server says that it runs there, on a port without one."""
    record = ServerRecord.of_this_process(tmp_path, tmp_path, "127.0.0.1", 9)
    with server_lock(home), pid_file(home, record):
        yield home


def request() -> SearchRequest:
    query = SearchQuery(text="charge", principal=SYSTEM)
    return SearchRequest(query, False, "snippet", 100, False, False)


def test_nothing_is_asked_where_no_server_runs(home: Home) -> None:
    assert find_running_server(_OPTIONS) is None


def test_a_pid_file_without_its_server_counts_for_nothing(
    home: Home, tmp_path: Path
) -> None:
    record = ServerRecord.of_this_process(tmp_path, tmp_path, "127.0.0.1", 9)
    with pid_file(home, record):
        assert find_running_server(_OPTIONS) is None


def test_the_server_is_asked_with_a_signature(home: Home, tmp_path: Path) -> None:
    with serving(ScriptedServer()) as server:
        server.script.append(Scripted(body=_FOUND))
        at = (tmp_path, tmp_path, "0.0.0.0", server.server_port)
        with server_lock(home), pid_file(home, ServerRecord.of_this_process(*at)):
            found = find_running_server(_OPTIONS)
            assert found is not None
            assert found.search(request()).fields["hits"] == []
    (seen,) = server.seen
    assert seen.path == "/api/v1/search"
    secret = seen.headers["authorization"].removeprefix("Bearer ")
    assert is_local_request(secret, ["of this home"])


def test_a_server_that_does_not_answer_is_no_error(running: Home) -> None:
    found = find_running_server(_OPTIONS)
    assert found is not None
    with pytest.raises(Unanswered):
        found.search(request())


def test_timings_are_told_in_process(running: Home) -> None:
    assert find_running_server(Namespace(verbose=True)) is None


@pytest.mark.parametrize(
    "name", ["DATABASE_URL", "POSTGRES_HOST", "REDIS_URL", "SECRET_KEY"]
)
def test_settings_that_lead_elsewhere_count(
    running: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / ".env").write_text(f"# {name}=commented\nLOG_LEVEL=INFO\n{name}=\n")
    assert find_running_server(_OPTIONS) is not None
    (tmp_path / ".env").write_text(f"LOG_LEVEL=INFO\nexport {name}=elsewhere\n")
    assert find_running_server(_OPTIONS) is None
    (tmp_path / ".env").unlink()
    monkeypatch.setenv(name, "elsewhere")
    assert find_running_server(_OPTIONS) is None
