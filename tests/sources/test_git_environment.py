"""What git and other programs inherit: none of our keys, passwords and addresses."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread

import psutil
import pytest

from devrag.core.environments import minimal_environment
from devrag.core.errors import SourceError
from devrag.runtime.os_user import OsAccount
from devrag.sources.addresses import GitAddress
from devrag.sources.connectors.git.commands import GitCommands
from devrag.sources.connectors.git.environment import (
    local_environment,
    url_environment,
)
from devrag.sources.connectors.types import ConnectorContext, Credentials

OURS = {
    "SECRET_KEY": "key-of-django",
    "DATABASE_URL": "postgres://u:hidden@h/d",
    "OPENAI_API_KEY": "key-of-openai",
    "REDIS_URL": "redis://:hidden@h/0",
    "AWS_SECRET_ACCESS_KEY": "key-of-aws",
    "GIT_TRACE": "1",
    "GIT_SSH_COMMAND": "ssh -v",
    "SSH_AUTH_SOCK": "/tmp/agent",
    "PGPASSWORD": "hidden",
}


@pytest.fixture(autouse=True)
def _ours(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in OURS.items():
        monkeypatch.setenv(name, value)


def _commands(mirror: Path, environment: dict[str, str]) -> GitCommands:
    return GitCommands(mirror, environment, SourceError)


def _shown_by(commands: GitCommands) -> dict[str, str]:
    """Return what a program sees that git starts."""
    shown = commands.text("-c", "alias.shown=!env", "shown")
    return dict(line.partition("=")[::2] for line in shown.splitlines())


def test_git_and_what_it_starts_inherit_none_of_our_secrets(tmp_path: Path) -> None:
    seen = _shown_by(_commands(tmp_path, local_environment(tmp_path)))

    assert not {name for name in OURS if seen.get(name)}
    assert seen["GIT_ALLOW_PROTOCOL"] == "none"
    # git itself puts its programs in front.
    assert seen["PATH"].endswith(os.environ["PATH"])


def test_only_the_credentials_of_the_source_reach_its_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("SSL_CERT_FILE", "/etc/ssl/own.pem")
    address = GitAddress(
        "https://h.example/a", "https", "h.example", 443, ("192.0.2.1",)
    )
    context = ConnectorContext(tmp_path, credentials=Credentials("ann", "its-own"))

    seen = _shown_by(_commands(tmp_path, url_environment(tmp_path, address, context)))

    assert not {name for name in OURS if seen.get(name)}
    assert seen["DEVRAG_GIT_SECRET"] == "its-own"
    assert seen["https_proxy"] == "http://proxy.example:3128"
    assert seen["SSL_CERT_FILE"] == "/etc/ssl/own.pem"


def test_a_process_that_is_read_inherits_none_either(tmp_path: Path) -> None:
    commands = _commands(tmp_path, local_environment(tmp_path))

    shown = b"\n".join(commands.records("-c", "alias.shown=!env -0", "shown"))

    assert b"GIT_ALLOW_PROTOCOL=none" in shown
    assert not {line.split(b"=")[0] for line in shown.split(b"\n")} & {
        name.encode() for name in OURS.keys() - {"GIT_TRACE", "GIT_SSH_COMMAND"}
    }


def test_a_command_that_takes_too_long_ends_with_what_it_started(
    tmp_path: Path,
) -> None:
    commands = _commands(tmp_path, local_environment(tmp_path))
    wait = f"alias.wait=!echo $$ > '{tmp_path}/pid'; exec tail -f /dev/null"

    with pytest.raises(SourceError, match="timed out"):
        commands.text("-c", wait, "wait", timeout_seconds=1.0)

    running = [
        each.pid
        for each in psutil.process_iter()
        if each.status() != psutil.STATUS_ZOMBIE
    ]
    assert int((tmp_path / "pid").read_text()) not in running


# More than a pipe holds (64 KiB), then two records.
_LOUD = "alias.loud=!yes warning | head -c 900000 >&2; printf 'a\\0b\\0'"


def _read_within_seconds(commands: GitCommands, alias: str) -> list[bytes | str]:
    """Return the records of an alias, and then why it failed."""
    found: list[bytes | str] = []

    def read() -> None:
        try:
            found.extend(commands.records("-c", alias, "loud"))
        except SourceError as error:
            found.append(error.message)

    reader = Thread(target=read, daemon=True)
    reader.start()
    reader.join(20)
    return found


def test_warnings_do_not_block_a_process_that_is_read(tmp_path: Path) -> None:
    commands = _commands(tmp_path, local_environment(tmp_path))
    assert _read_within_seconds(commands, _LOUD) == [b"a", b"b"]


def test_the_end_of_many_warnings_says_why_it_failed(tmp_path: Path) -> None:
    commands = _commands(tmp_path, local_environment(tmp_path))
    failing = f"{_LOUD}; echo 'fatal: the end' >&2; exit 1"
    *_, reason = _read_within_seconds(commands, failing) or [""]
    assert str(reason).endswith("fatal: the end")
    assert len(reason) < 100_000


def test_programs_of_the_services_inherit_none() -> None:
    code, shown = OsAccount().run(["/usr/bin/env"])

    assert code == 0
    assert not [value for value in OURS.values() if value in shown]


def test_what_is_asked_for_is_passed_on_where_it_is_set() -> None:
    found = minimal_environment("GIT_TRACE", "NOT_SET_ANYWHERE")

    assert found["GIT_TRACE"] == "1"
    assert "NOT_SET_ANYWHERE" not in found
    assert "SECRET_KEY" not in found
