from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from devrag.core.errors import Conflict
from devrag.runtime import pidfile
from devrag.runtime.layout import Home


@pytest.fixture
def plain_home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home").ensure()


def a_record(**changes: object) -> pidfile.ServerRecord:
    record = pidfile.ServerRecord.of_this_process(
        Path("/project/"), Path("/project/.env"), "127.0.0.1", 8080
    )
    return replace(record, **changes)


def dead_pid() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_the_file_is_private_and_has_exactly_the_keys(plain_home: Home) -> None:
    with pidfile.pid_file(plain_home, a_record()):
        path = pidfile.pid_path(plain_home)
        assert path.stat().st_mode & 0o777 == 0o600
        state = json.loads(path.read_text())
    keys = "pid startedAt projectRoot projectName host port configPath version"
    assert list(state) == [*keys.split(), "pythonVersion"]
    assert state["projectName"] == "project"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", state["startedAt"])


def test_the_file_goes_when_the_server_ends(plain_home: Home) -> None:
    with pidfile.pid_file(plain_home, a_record()):
        pass
    assert pidfile.read_record(plain_home) is None


def test_a_live_server_refuses_a_second_one(plain_home: Home, said: list[str]) -> None:
    with (
        pidfile.pid_file(plain_home, a_record()),
        pytest.raises(Conflict, match=rf"pid {os.getpid()}.*server stop"),
    ):
        pidfile.ensure_not_running(plain_home, said.append)


def test_a_dead_pid_file_is_removed_with_a_warning(
    plain_home: Home, said: list[str]
) -> None:
    with pidfile.pid_file(plain_home, a_record(pid=dead_pid())):
        pidfile.ensure_not_running(plain_home, said.append)
        assert pidfile.read_record(plain_home) is None
    assert said[0].startswith("warning: removing the pid file")


def test_a_reused_pid_is_not_taken_for_the_server(
    plain_home: Home, said: list[str]
) -> None:
    old = a_record(startedAt="2020-01-01T00:00:00.000Z")
    with pidfile.pid_file(plain_home, old):
        assert pidfile.running_server(plain_home) is None
        pidfile.ensure_not_running(plain_home, said.append)
    assert "warning" in said[0]


def test_a_busy_port_is_named(plain_home: Home) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(Conflict, match=rf"Port {port} .*--port"):
            pidfile.ensure_port_free("127.0.0.1", port)
    pidfile.ensure_port_free("127.0.0.1", port)


def test_two_starts_at_once_do_not_both_win(plain_home: Home) -> None:
    with (
        pidfile.server_lock(plain_home),
        pytest.raises(Conflict, match="starting or running"),
        pidfile.server_lock(plain_home),
    ):
        pass
