"""Git over ssh: one key, known hosts, no questions."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from devrag.core.errors import ConfigurationError, DevragError, SourceError
from devrag.sources.checks import check_ssh_key
from tests.sources.repositories import ConnectTo

FAKE_SSH = """#!/bin/sh
printf '%s\\n' "$@" > "{trace}"
{answer}
"""


@pytest.fixture
def fake_ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A command named ssh that writes down its arguments and runs git at once."""
    (tmp_path / "bin").mkdir()
    answer = 'while [ $# -gt 1 ]; do shift; done\neval "$1"'
    _write_ssh(tmp_path, answer)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    return tmp_path / "trace"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key file"
    path.write_text("a key")
    path.chmod(0o600)
    return path


def _write_ssh(tmp_path: Path, answer: str) -> None:
    script = FAKE_SSH.format(trace=tmp_path / "trace", answer=answer)
    (tmp_path / "bin/ssh").write_text(script)
    (tmp_path / "bin/ssh").chmod(0o755)


def test_ssh_is_pinned_and_never_asks(
    hosted: Path, connect_to: ConnectTo, fake_ssh: Path, key: Path, tmp_path: Path
) -> None:
    connector = connect_to(
        f"ssh://git@127.0.0.1:2222{hosted}/team/app.git",
        ssh_key_path=key,
        known_hosts_path=tmp_path / "known hosts",
    )
    assert connector.resolve().ref_name == "main"
    arguments = fake_ssh.read_text().splitlines()
    assert {
        "BatchMode=yes",
        "HostName=127.0.0.1",
        "HostKeyAlias=[127.0.0.1]:2222",
        "StrictHostKeyChecking=yes",
        "IdentitiesOnly=yes",
        f'UserKnownHostsFile="{tmp_path}/known hosts"',
        "IdentityAgent=none",
        "/dev/null",
        str(key),
    } <= set(arguments)


def test_the_real_ssh_knows_every_option(
    hosted: Path, connect_to: ConnectTo, fake_ssh: Path, key: Path
) -> None:
    url = f"ssh://git@127.0.0.1:2222{hosted}/team/app.git"
    connect_to(url, ssh_key_path=key, known_hosts_path=key).resolve()
    *options, _ = fake_ssh.read_text().splitlines()
    asked = [os.environ["PATH"].split(":", 1)[1], *options]
    done = subprocess.run(
        ["ssh", "-G", *asked[1:]],
        env={"PATH": asked[0]},
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert {
        "batchmode yes",
        "hostname 127.0.0.1",
        "identityagent none",
        f"identityfile {key}",
        "stricthostkeychecking true",
        f"userknownhostsfile {key}",
    } <= set(done.stdout.splitlines())


@pytest.mark.parametrize(
    ("mode", "says"), [(None, "ssh-keygen"), (0o644, "chmod 600"), (0o640, "chmod")]
)
def test_a_key_that_cannot_be_used(
    connect_to: ConnectTo, key: Path, fake_ssh: Path, mode: int | None, says: str
) -> None:
    key.unlink() if mode is None else key.chmod(mode)
    with pytest.raises(ConfigurationError, match=says):
        connect_to("git@127.0.0.1:a.git", ssh_key_path=key).resolve()
    assert not fake_ssh.exists()


def test_a_key_open_to_others_is_a_warning_of_the_system_check(
    key: Path, settings: Any
) -> None:
    settings.GIT_SSH_KEY_PATH = key
    assert check_ssh_key() == []
    key.chmod(0o644)
    assert [found.id for found in check_ssh_key()] == ["sources.W001"]
    key.unlink()
    assert check_ssh_key() == []


def test_an_unknown_host_says_where_its_key_belongs(
    connect_to: ConnectTo, fake_ssh: Path, key: Path, tmp_path: Path
) -> None:
    _write_ssh(tmp_path, "echo 'Host key verification failed.' >&2; exit 255")
    connector = connect_to(
        "ssh://git@127.0.0.1:2222/a.git", ssh_key_path=key, known_hosts_path=tmp_path
    )
    said = rf"ssh-keyscan -p 2222 127\.0\.0\.1 >> {tmp_path}"
    with pytest.raises(SourceError, match=said) as caught:
        connector.resolve()
    assert caught.value.permanent
    assert fake_ssh.exists()


@pytest.mark.parametrize(
    ("stderr", "says", "permanent"),
    [
        ("Host key verification failed.", "host key", True),
        ("git@h: Permission denied (publickey).", "credentials", True),
        ("ssh: connect to host h port 22: Connection refused", "Cannot reach", False),
        ("ssh: connect to host h port 22: Connection timed out", "Cannot reach", False),
        ("kex: Connection closed by remote host", "Cannot reach", False),
        ("ERROR: Repository not found.", "No git repository", True),
    ],
)
def test_failures_of_ssh(
    connect_to: ConnectTo,
    fake_ssh: Path,
    key: Path,
    tmp_path: Path,
    stderr: str,
    says: str,
    permanent: bool,
) -> None:
    _write_ssh(tmp_path, f"echo '{stderr}' >&2; exit 255")
    with pytest.raises(DevragError, match=says) as caught:
        connect_to("git@127.0.0.1:a.git", ssh_key_path=key).resolve()
    assert caught.value.permanent == permanent
    assert "Traceback" not in str(caught.value)
    assert fake_ssh.exists()
