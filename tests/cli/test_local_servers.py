"""Configurations that name a server of this machine: projects on several ports."""

from __future__ import annotations

import json
import os
import pty
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from devrag.cli.remote.destination import (
    Destination,
    find_destination,
    read_command_line,
)
from devrag.cli.remote.local_servers import find_home, find_last_home
from devrag.cli.remote.run import run_remote
from devrag.core.errors import DevragError, InvalidInput, ServiceError
from devrag.core.installation import current_home
from devrag.runtime.layout import Home
from devrag.runtime.pidfile import ServerRecord, pid_file, pid_path
from devrag.runtime.registry import list_servers, register_server
from tests.scripted_server import Scripted, ScriptedServer, serving

ROOT = Path(__file__).parents[2]
Start = Callable[..., Path]
_PRODUCT = {
    "productName": "tea",
    "title": "",
    "description": "",
    "visibility": "everyone",
    "wikiSettings": {},
    "externalModelsAllowed": True,
}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project's folder with one below it, where we are; nothing of us is known."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    # Set, so that what a command sets is undone.
    for name in ("DEVRAG_HOME", "DATABASE_URL", "REDIS_URL", "POSTGRES_HOST"):
        monkeypatch.setenv(name, "of the shell")
    monkeypatch.setenv("DEVRAG_HOME", str(tmp_path / "default"))
    for name in ("DEVRAG_URL", "DEVRAG_API_TOKEN", "DEVRAG_CONFIG"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    below = tmp_path / "project" / "src"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    return below.parent


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Be a server of this user with data of its own."""
    with ExitStack() as stack:

        def start(
            port: int, host: str = "127.0.0.1", *, is_embedded: bool = True
        ) -> Path:
            home = Home(tmp_path / f"home-{port}-{host}").ensure()
            record = ServerRecord.of_this_process(tmp_path, tmp_path, host, port)
            stack.enter_context(pid_file(home, record))
            register_server(home, record, print, is_embedded=is_embedded)
            return home.root

        yield start


@pytest.fixture
def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def ask(*words: str) -> Destination | None:
    return find_destination(read_command_line(["devrag", "search", *words, "q"]))


def configure(folder: Path, server: object, name: str = ".devrag.json") -> Path:
    path = folder / name
    path.write_text(json.dumps({"server": server}))  # JSON is YAML, too
    return path


@pytest.mark.parametrize("name", [".devrag.json", ".devrag.yaml", ".search-docs.json"])
def test_a_file_of_a_parent_leads_to_the_data_of_its_server(
    project: Path, start: Start, name: str
) -> None:
    start(8091)
    home = start(8092)
    configure(project, {"host": "localhost", "port": 8092}, name)
    assert ask() is None
    assert os.environ["DEVRAG_HOME"] == str(home)
    assert not any(os.environ[key] for key in ("DATABASE_URL", "REDIS_URL"))


def test_a_named_file_leads_there_too(
    project: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = start(8091), start(8092)
    one = configure(project, {"port": 8091}, "one.json")
    two = configure(project, {"port": 8092}, "two.yaml")
    assert ask("--config", str(two)) is None
    assert os.environ["DEVRAG_HOME"] == str(second)
    for variable in ("DEVRAG_CONFIG", "SEARCH_DOCS_CONFIG"):
        monkeypatch.delenv("DEVRAG_CONFIG", raising=False)
        monkeypatch.setenv("DEVRAG_HOME", "")
        monkeypatch.setenv(variable, str(one))
        assert ask() is None
        assert os.environ["DEVRAG_HOME"] == str(first)


@pytest.mark.parametrize(
    ("listens", "asked"),
    [
        ("127.0.0.1", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("0.0.0.0", "127.0.0.1"),
        ("::1", "::1"),
        ("::1", "localhost"),
        ("::", "127.0.0.1"),
        ("127.0.0.1", "0.0.0.0"),
    ],
)
def test_an_address_of_this_machine_has_several_forms(
    project: Path, start: Start, listens: str, asked: str
) -> None:
    home = start(8092, listens)
    configure(project, {"host": asked, "port": 8092})
    assert ask() is None
    assert os.environ["DEVRAG_HOME"] == str(home)


def test_another_address_of_the_same_port_is_another_server(
    project: Path, start: Start, free_port: int
) -> None:
    start(free_port, "127.0.0.1")
    configure(project, {"host": "::1", "port": free_port})
    with pytest.raises(ServiceError, match=rf"running at http://\[::1\]:{free_port}"):
        ask()


def test_a_port_without_a_server_is_an_error_that_names_file_and_address(
    project: Path, free_port: int
) -> None:
    file = configure(project, {"host": "localhost", "port": free_port})
    with pytest.raises(ServiceError) as raised:
        ask()
    said = raised.value.message
    assert f"http://localhost:{free_port} (from {file})" in said
    assert f"devrag server start --port {free_port}" in said
    with pytest.raises(ServiceError, match=f"at http://localhost:{free_port}. Start"):
        ask("--server", f"http://localhost:{free_port}")


def test_an_option_leads_to_the_data_unless_a_token_comes_with_it(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, url = start(8092), "http://localhost:8092"
    assert ask("--server", url, "--token", "t") == Destination(url, "t")
    assert ask("--server", url) is None
    assert os.environ["DEVRAG_HOME"] == str(home)
    monkeypatch.setenv("DEVRAG_API_TOKEN", "u")
    monkeypatch.setenv("DEVRAG_URL", url)
    assert ask() == Destination(url, "u")


def test_a_server_with_a_database_of_its_own_is_asked_over_rest(
    project: Path, start: Start
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        start(port, is_embedded=False)
        configure(project, {"host": "127.0.0.1", "port": port})
        with pytest.raises(
            InvalidInput, match=r"requires a token.*devrag init --server"
        ):
            ask()
        url = f"http://127.0.0.1:{port}"
        file = configure(project, {"url": url, "token": "of-file"})
        found = ask()
        assert found == Destination(url, "of-file")
        assert (found.config, found.found_in) == (file, file)


def test_a_home_that_was_moved_to_a_database_of_its_own_is_asked_over_rest(
    project: Path, stopped: Start, free_port: int
) -> None:
    home = Home(stopped(free_port + 1))
    record = ServerRecord.of_this_process(project, project, "127.0.0.1", free_port)
    record = replace(record, startedAt="2999-01-01T00:00:00.000Z")
    with pid_file(home, record):
        register_server(home, record, print, is_embedded=False)
        assert find_home(f"http://localhost:{free_port}") is None


def test_no_token_goes_to_a_local_port_that_a_found_file_names(
    project: Path, free_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = configure(project, {"port": free_port})
    monkeypatch.setenv("DEVRAG_API_TOKEN", "secret")
    for given in ((), ("--token", "secret")):
        with pytest.raises(InvalidInput, match=f"--server .*--config {file}") as raised:
            ask(*given)
        assert "secret" not in raised.value.message


def test_ones_own_server_gets_a_token_that_is_given(
    project: Path, start: Start
) -> None:
    start(8092)
    configure(project, {"port": 8092})
    assert ask("--token", "t") == Destination("http://localhost:8092", "t")


def test_a_file_in_the_repository_of_somebody_else_gets_no_token(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with serving(ScriptedServer()) as server:
        configure(project, {"url": server.url})
        done = run_command({"DEVRAG_API_TOKEN": "secret"}, "search", "q")
        assert done.returncode == 1
        assert "which would receive your token" in done.stderr
        assert server.seen == []


def test_a_person_at_a_terminal_is_asked_once(project: Path) -> None:
    with serving(ScriptedServer()) as server:
        server.script = [Scripted(body=_PRODUCT)] * 4
        configure(project, {"url": server.url})
        said = at_a_terminal("no\n", "product", "add", "tea")
        assert f"names the server {server.url}, which would receive your token" in said
        assert "Nothing was sent" in said
        assert server.seen == []
        assert "Type yes to trust this server" in at_a_terminal(
            "yes\n", "product", "add", "tea"
        )
        assert server.seen[0].headers["authorization"] == "Bearer secret"
        done = run_command({"DEVRAG_API_TOKEN": "secret"}, "product", "add", "tea")
        assert (done.returncode, done.stderr) == (0, "")
        # Another address in the file is another question.
        configure(project, {"url": f"{server.url}/elsewhere"})
        done = run_command({"DEVRAG_API_TOKEN": "secret"}, "product", "add", "tea")
        assert done.returncode == 1


def test_a_person_is_asked_once_about_another_machine_with_a_token_of_its_own(
    project: Path,
) -> None:
    # Not a name of this machine, although nobody else can answer there.
    configure(project, {"url": "https://127.0.0.9:9", "token": "of-file"})
    refused = run_command({}, "search", "q")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "would receive your search queries and file names" in refused.stderr
    assert "Nothing was sent" in at_a_terminal("no\n", "search", "q")
    assert "Cannot reach" in at_a_terminal("yes\n", "search", "q")
    assert "Cannot reach" in run_command({}, "search", "q").stderr


def test_a_command_on_local_data_uses_that_of_the_named_server(
    project: Path, start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    home = start(8092)
    configure(project, {"port": 8092})
    assert not run_remote(read_command_line(["devrag", "token", "list"]))
    assert os.environ["DEVRAG_HOME"] == str(home)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("url", ["http://localhost:9", "https://devrag.example"])
def test_a_command_on_local_data_warns_when_the_named_server_has_other_data(
    project: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, url: str
) -> None:
    file = configure(project, {"url": url})
    assert not run_remote(read_command_line(["devrag", "token", "list"]))
    said = capsys.readouterr().err
    assert f"warning: {file} names the server {url}, but `token` works on" in said
    assert str(tmp_path / "default") in said


def test_a_server_command_obeys_devrag_home_before_a_file(
    project: Path,
    start: Start,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home = start(8092)
    configure(project, {"port": 8092})
    monkeypatch.chdir(project)
    line = ["devrag", "server", "status"]
    assert not run_remote(read_command_line(line))
    assert os.environ["DEVRAG_HOME"] == str(tmp_path / "default")
    monkeypatch.setenv("DEVRAG_HOME", "")
    assert not run_remote(read_command_line(line))
    assert os.environ["DEVRAG_HOME"] == str(home)


def test_parents_mean_nothing_to_server_commands(
    project: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(8092)
    configure(project, {"port": 8092})
    monkeypatch.setenv("DEVRAG_HOME", "")
    assert not run_remote(read_command_line(["devrag", "server", "status"]))
    assert os.environ["DEVRAG_HOME"] == ""


@pytest.fixture
def stopped(start: Start, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Have been a server of this user that no longer runs."""
    for name in ("DATABASE_URL", "REDIS_URL", "POSTGRES_HOST"):
        monkeypatch.setenv(name, "")

    def stopped(*args: Any, **options: Any) -> Path:
        home = start(*args, **options)
        pid_path(Home(home)).unlink()
        return home

    return stopped


@pytest.mark.parametrize(
    "server", [{"host": "localhost", "port": 8092}, {"url": "http://localhost:8092"}]
)
def test_a_stopped_server_is_started_with_its_data(
    project: Path,
    stopped: Start,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    server: object,
) -> None:
    stopped(8091)
    home = stopped(8092)
    configure(project, server)
    monkeypatch.chdir(project)
    for words in (["server", "start"], ["server", "stop"], ["mcp"]):
        monkeypatch.setenv("DEVRAG_HOME", "")
        assert not run_remote(read_command_line(["devrag", *words]))
        assert os.environ["DEVRAG_HOME"] == str(home)
    assert capsys.readouterr().err == ""


def test_devrag_home_decides_whose_data_is_started(
    project: Path, stopped: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped(8092)
    configure(project, {"port": 8092})
    monkeypatch.chdir(project)
    assert not run_remote(read_command_line(["devrag", "server", "start"]))
    assert os.environ["DEVRAG_HOME"] == str(tmp_path / "default")


def test_a_database_of_ones_own_is_started_with(
    project: Path,
    stopped: Start,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    stopped(8092)
    configure(project, {"port": 8092})
    monkeypatch.chdir(project)
    monkeypatch.setenv("DEVRAG_HOME", "")
    monkeypatch.setenv("DATABASE_URL", "postgres://own")
    assert not run_remote(read_command_line(["devrag", "server", "start"]))
    assert (os.environ["DEVRAG_HOME"], os.environ["DATABASE_URL"]) == (
        "",
        "postgres://own",
    )
    assert capsys.readouterr().err == ""


def test_a_start_at_an_unknown_address_says_whose_data_it_takes(
    project: Path,
    stopped: Start,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    stopped(8091)
    stopped(8092, is_embedded=False)  # how to reach its database is not known
    file = configure(project, {"port": 8092})
    monkeypatch.chdir(project)
    monkeypatch.setenv("DEVRAG_HOME", "")
    assert not run_remote(read_command_line(["devrag", "server", "status"]))
    assert capsys.readouterr().err == ""
    assert not run_remote(read_command_line(["devrag", "server", "start"]))
    assert os.environ["DEVRAG_HOME"] == ""
    said = capsys.readouterr().err
    assert f"started by you is known at http://localhost:8092 ({file})" in said
    assert f"using the data in {current_home()}" in said
    assert said.count("\n") == 1


def test_an_address_belongs_to_the_latest_server_there(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DATABASE_URL", "REDIS_URL", "POSTGRES_HOST"):
        monkeypatch.delenv(name)
    homes = [Home(tmp_path / name).ensure() for name in ("first", "second", "third")]
    hosts, times = ("127.0.0.1", "127.0.0.1", "::1"), ("02", "03", "01")
    for home, host, time in zip(homes, hosts, times, strict=True):
        record = ServerRecord.of_this_process(project, project, host, 8092)
        record = replace(record, startedAt=f"2026-01-{time}T00:00:00.000Z")
        register_server(home, record, print, is_embedded=True)
    assert find_last_home("http://localhost:8092") == homes[1].root
    assert find_last_home("http://[::1]:8092") == homes[2].root
    assert find_last_home("http://localhost:8093") is None
    assert len(list_servers()) == 2


def test_a_stopped_server_is_named_with_its_data(
    project: Path, stopped: Start, free_port: int
) -> None:
    home = stopped(free_port)
    configure(project, {"port": free_port})
    with pytest.raises(ServiceError) as raised:
        ask()
    command = f"`DEVRAG_HOME={home} devrag server start --port {free_port}`"
    assert command in raised.value.message


def test_without_a_place_for_the_list_the_server_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    said: list[str] = []
    home = Home(tmp_path / "home").ensure()
    record = ServerRecord.of_this_process(tmp_path, tmp_path, "127.0.0.1", 8092)
    register_server(home, record, said.append, is_embedded=True)
    assert "will not find this server" in said[0]
    assert list_servers() == []


def test_a_killed_server_is_not_used(
    project: Path, start: Start, tmp_path: Path, free_port: int
) -> None:
    killed = start(free_port)
    record = ServerRecord.of_this_process(tmp_path, tmp_path, "127.0.0.1", free_port)
    text = json.dumps({**asdict(record), "pid": 2**22 - 1})
    pid_path(Home(killed)).write_text(text)
    configure(project, {"port": free_port})
    with pytest.raises(DevragError, match="No server is running"):
        ask()


def test_data_that_is_gone_is_forgotten(stopped: Start, tmp_path: Path) -> None:
    shutil.rmtree(stopped(8092))
    entries = tmp_path / "state" / "devrag" / "servers"
    (entries / "damaged.json").write_text("[]")
    assert find_last_home("http://localhost:8092") is None
    home = stopped(8093)
    assert [each.home.root for each in list_servers()] == [home]
    assert len(list(entries.iterdir())) == 1


def run_command(env: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command here as a script would."""
    return subprocess.run(
        [sys.executable, "-m", "devrag", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT), **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def at_a_terminal(typed: str, *words: str) -> str:
    """Run the command here at a terminal, type an answer; return what it shows."""
    ours, its = pty.openpty()
    env = {**os.environ, "PYTHONPATH": str(ROOT), "DEVRAG_API_TOKEN": "secret"}
    argv = [sys.executable, "-m", "devrag", *words]
    with subprocess.Popen(argv, env=env, stdin=its, stdout=its, stderr=its) as running:
        os.close(its)
        os.write(ours, typed.encode())
        said = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # the terminal is closed when its last user ends
                break
            if not part:
                break
            said += part
    os.close(ours)
    assert running.returncode is not None
    return said.decode()
