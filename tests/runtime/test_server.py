"""The `server` command on a tiny project: start, stop, status, restart, kills."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from devrag.runtime.endpoints import read_endpoints
from devrag.runtime.health import check_server_health
from devrag.runtime.layout import Home
from devrag.runtime.registry import list_servers
from tests.waiting import wait_until

MANAGE = Path(__file__).parent / "project" / "manage.py"


def test_start_returns_when_healthy_and_stop_ends_everything(
    project: Any, is_running: Callable[[int], bool]
) -> None:
    status = project.start()  # a start that kept our stdio would not return
    assert (status["running"], status["healthy"]) == (True, True)
    assert status["url"] == f"http://127.0.0.1:{project.port}"
    pids = [status["pid"], *status["processes"].values()]
    assert len(pids) == 3
    stopped = project.server("stop")
    assert stopped.returncode == 0
    assert not any(is_running(pid) for pid in pids)
    assert project.server("status").returncode == 3


@pytest.mark.slow
def test_a_stopped_server_is_remembered_with_its_address(project: Any) -> None:
    project.start()
    project.server("stop")
    servers = {each.home: each for each in list_servers()}
    found = servers[project.home]
    assert (found.host, found.port) == ("127.0.0.1", project.port)


def test_progress_of_a_start_is_shown(running_project: Any) -> None:
    steps = [
        "preparing the database",
        "starting worker",
        "starting web",
        "is running at",
    ]
    places = [running_project.output.index(step) for step in steps]
    assert places == sorted(places)


def test_the_server_has_no_terminal_and_its_own_session(running_project: Any) -> None:
    pid = running_project.record()["pid"]
    assert os.getsid(pid) == pid
    links = [os.readlink(f"/proc/{pid}/fd/{number}") for number in range(3)]
    log = str(running_project.home.root / "my.log")
    assert links == ["/dev/null", log, log]


@pytest.mark.slow
def test_a_start_that_logs_nowhere_returns_when_healthy(project: Any) -> None:
    assert project.start("--log", "/dev/null")["healthy"]
    assert project.server("stop").returncode == 0


@pytest.mark.slow
def test_a_second_start_is_refused(running_project: Any) -> None:
    second = running_project.server("start")
    assert second.returncode == 1
    pid = running_project.record()["pid"]
    assert f"already running (pid {pid}" in second.stderr


def test_status_shows_what_runs(running_project: Any) -> None:
    text = running_project.server("status")
    assert text.returncode == 0
    assert f"running at http://127.0.0.1:{running_project.port}" in text.stdout
    state = json.loads(running_project.server("status", "--json").stdout)
    assert state == running_project.status() | {"services": {}}
    assert set(state["processes"]) == {"web", "worker"}


@pytest.mark.slow
def test_a_busy_port_is_refused_with_its_number(project: Any) -> None:
    with socket.create_server(("127.0.0.1", project.port)):
        result = project.server("start")
    assert result.returncode == 1
    assert (
        f"Port {project.port} on 127.0.0.1 is used by another program" in result.stderr
    )
    assert "--port" in result.stderr


def test_a_port_out_of_range_is_refused(project: Any) -> None:
    result = project.server("start", "--port", "70000")
    assert result.returncode == 1
    assert "70000" in result.stderr


@pytest.mark.slow
def test_daemon_is_no_option(project: Any) -> None:
    result = project.server("start", "--daemon")
    assert result.returncode == 2
    assert "unrecognized arguments: --daemon" in result.stderr


@pytest.mark.slow
def test_a_process_that_cannot_run_fails_the_start_with_its_log(project: Any) -> None:
    result = project.server("start", BROKEN_WEB="1")
    assert result.returncode == 1
    assert "web exited with code 1 3 times" in result.stderr
    assert "the web process has a broken configuration" in result.stderr
    assert project.server("status").returncode == 3


@pytest.mark.slow
def test_stop_waits_for_the_running_task_and_stops_web_first(
    project: Any, is_running: Callable[[int], bool]
) -> None:
    status = project.start()
    task = project.home.root / "task"
    task.touch()
    order = project.home.root / "order"
    with subprocess.Popen(
        [sys.executable, MANAGE, "server", "stop"],
        env=project.env,
        stdout=subprocess.PIPE,
        text=True,
    ) as stopping:
        wait_until(lambda: order.exists() and order.read_text() == "web\n")
        assert is_running(status["processes"]["worker"])
        assert stopping.stdout is not None
        assert "stopping the server" in stopping.stdout.readline()
        assert "waiting for worker" in stopping.stdout.readline()
        task.unlink()
        stopping.stdout.read()
    assert order.read_text() == "web\nworker\n"
    assert stopping.returncode == 0


def test_foreground_ends_with_exit_code_0_on_sigterm(project: Any) -> None:
    argv = [sys.executable, MANAGE, "server", "start", "--foreground"]
    with subprocess.Popen(argv, env=project.env, stdout=subprocess.DEVNULL) as server:
        try:
            wait_until(lambda: check_server_health("127.0.0.1", project.port))
        finally:
            server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=20) == 0
    assert not (project.home.run / "server.pid").exists()


@pytest.mark.slow
def test_sigterm_during_the_start_stops_it(project: Any) -> None:
    argv = [sys.executable, MANAGE, "server", "start", "--foreground"]
    with subprocess.Popen(argv, env=project.env, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        server.stdout.readline()
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=20) == 0
        assert b"stopped" in server.stdout.read()


@pytest.mark.slow
def test_restart_keeps_the_port(project: Any) -> None:
    first = project.start()
    other = {"DEVRAG_PORT": str(project.port + 1)}
    result = project.server("restart", **other)
    assert result.returncode == 0, result.stdout + result.stderr
    second = project.status()
    assert second["port"] == first["port"]
    assert second["pid"] != first["pid"]


@pytest.mark.slow
def test_children_of_a_killed_server_end_and_the_next_start_works(
    project: Any, is_running: Callable[[int], bool]
) -> None:
    before = project.start()
    grandchild = int((project.home.root / "grandchild").read_text())
    project.kill_server()
    result = project.server("start")
    assert result.returncode == 0
    assert "warning: removing the pid file of a dead server" in result.stdout
    pids = [*before["processes"].values(), grandchild]
    assert not any(is_running(pid) for pid in pids)


@pytest.mark.slow
def test_stop_ends_what_a_killed_server_left(
    embedded_project: Any, is_running: Callable[[int], bool]
) -> None:
    before = embedded_project.start()
    embedded_project.kill_server()
    assert embedded_project.server("stop").returncode == 0
    pids = [*before["services"].values(), *before["processes"].values()]
    assert len(pids) == 4
    assert not any(is_running(pid) for pid in pids)
    assert read_endpoints(embedded_project.home) is None


def execute(home: Home, query: str) -> list[Any]:
    endpoints = read_endpoints(home)
    assert endpoints is not None
    with psycopg.connect(endpoints.database_url or "") as connection:
        cursor = connection.execute(query)
        return cursor.fetchall() if cursor.description else []


@pytest.mark.slow
def test_services_and_processes_that_die_come_back(embedded_project: Any) -> None:
    before = embedded_project.start()
    home = embedded_project.home
    execute(home, "CREATE TABLE kept AS SELECT 1 AS x")
    for pid in (*before["services"].values(), *before["processes"].values()):
        os.kill(pid, signal.SIGKILL)

    def is_recovered() -> bool:
        now = embedded_project.status()
        pids = [*now["services"].values(), *now["processes"].values()]
        old = {*before["services"].values(), *before["processes"].values()}
        return now["healthy"] and len(pids) == 4 and all(pids) and not old & {*pids}

    wait_until(is_recovered)
    assert execute(home, "SELECT x FROM kept") == [(1,)]
    assert embedded_project.status()["pid"] == before["pid"]


@pytest.mark.slow
def test_a_start_after_kill_of_the_server_adopts_the_services(
    embedded_project: Any,
) -> None:
    before = embedded_project.start()
    execute(embedded_project.home, "CREATE TABLE kept AS SELECT 1 AS x")
    embedded_project.kill_server()
    after = embedded_project.start()
    assert after["services"] == before["services"]
    assert execute(embedded_project.home, "SELECT x FROM kept") == [(1,)]
    mode = (embedded_project.home.run / "services.json").stat().st_mode
    assert mode & 0o777 == 0o600
