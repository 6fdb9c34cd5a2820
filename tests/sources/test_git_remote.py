"""Git repositories on hosts: http, ssh, credentials, failures."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Protocol

import pytest

from devrag.core.errors import (
    DevragError,
    InvalidInput,
    NotFound,
    PermissionDenied,
    SourceError,
)
from devrag.sources.connectors import (
    Connector,
    ConnectorContext,
    Credentials,
    open_connector,
)
from devrag.sources.hosts import AddressRules
from tests.sources.git_server import serving
from tests.sources.repositories import Repository, contents

LOOPBACK = AddressRules(allow_http=True, allow_loopback=True)


class ConnectTo(Protocol):
    def __call__(
        self,
        url: str,
        *,
        rules: AddressRules = LOOPBACK,
        credentials: Credentials = ...,
        **options: object,
    ) -> Connector: ...


@pytest.fixture
def connect_to(repos_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ConnectTo]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with ExitStack() as stack:

        def opened(
            url: str,
            *,
            rules: AddressRules = LOOPBACK,
            credentials: Credentials = Credentials(),  # noqa: B008 - frozen
            **options: object,
        ) -> Connector:
            context = ConnectorContext(
                repos_dir,
                address_rules=rules,
                credentials=credentials,
                **options,  # type: ignore[arg-type]
            )
            connector = open_connector("git", {"url": url}, context)
            return stack.enter_context(closing(connector))

        yield opened


@pytest.fixture
def hosted(repository: Repository, tmp_path: Path) -> Path:
    """A folder of bare repositories, with team/app.git in it."""
    (tmp_path / "host/team").mkdir(parents=True)
    repository.git("clone", "-q", "--bare", ".", "../host/team/app.git")
    return tmp_path / "host"


def test_the_whole_way_over_http(hosted: Path, connect_to: ConnectTo) -> None:
    lines: list[str] = []
    with serving(hosted) as host:
        connector = connect_to(host.url("team/app.git"), on_progress=lines.append)
        version = connector.resolve()
    assert version.ref_name == "main"
    assert len(contents(connector, version)) == 2  # the host is gone by now
    assert any("Receiving objects" in line or "remote:" in line for line in lines)


def test_credentials_reach_the_host_and_nothing_else(
    hosted: Path, connect_to: ConnectTo, repos_dir: Path
) -> None:
    credentials = Credentials("alice", "s3cret'\"$x")
    with serving(hosted, login="alice:s3cret'\"$x") as host:
        connector = connect_to(host.url("team/app.git"), credentials=credentials)
        assert connector.resolve().ref_name == "main"
        assert not any("s3cret" in path for path in host.requests_seen)
    stored = [p.read_bytes() for p in repos_dir.rglob("*") if p.is_file()]
    assert not any(b"s3cret" in data for data in stored)
    assert "s3cret" not in repr(credentials)


@pytest.mark.parametrize("secret", ["", "wr0ng"])
def test_refused_credentials(hosted: Path, connect_to: ConnectTo, secret: str) -> None:
    with serving(hosted, login="alice:s3cret") as host:
        connector = connect_to(
            host.url("team/app.git"), credentials=Credentials("alice", secret)
        )
        with pytest.raises(SourceError, match="credentials") as caught:
            connector.resolve()
    assert caught.value.permanent
    assert "wr0ng" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "error", "says", "permanent"),
    [
        (301, SourceError, "has moved", True),
        (302, SourceError, "has moved", True),
        (403, SourceError, "credentials", True),
        (404, NotFound, "no git repository", True),
        (429, SourceError, "cannot be reached", False),
        (500, SourceError, "cannot be reached", False),
        (503, SourceError, "cannot be reached", False),
    ],
)
def test_answers_of_a_host(
    hosted: Path,
    connect_to: ConnectTo,
    status: int,
    error: type[DevragError],
    says: str,
    permanent: bool,
) -> None:
    with serving(hosted, status=status) as host:
        connector = connect_to(host.url("team/app.git"))
        with pytest.raises(error, match=says) as caught:
            connector.resolve()
        assert not any("elsewhere" in path for path in host.requests_seen)
    assert caught.value.permanent == permanent


def test_no_such_repository_leaves_nothing(
    hosted: Path, connect_to: ConnectTo, repos_dir: Path
) -> None:
    with serving(hosted) as host, pytest.raises(NotFound, match="no git repository"):
        connect_to(host.url("team/none.git")).resolve()
    assert not list(repos_dir.glob("*.git"))


def test_an_unreachable_host_may_be_tried_again(connect_to: ConnectTo) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(SourceError, match="cannot be reached") as caught:
        connect_to(f"http://127.0.0.1:{port}/a.git").resolve()
    assert not caught.value.permanent


def test_an_unknown_host(connect_to: ConnectTo, repos_dir: Path) -> None:
    with pytest.raises(SourceError, match="cannot be found") as caught:
        connect_to("https://host.invalid/a.git").resolve()
    assert not caught.value.permanent
    assert not list(repos_dir.glob("*.git"))


def test_loopback_is_refused_before_it_is_asked(
    hosted: Path, connect_to: ConnectTo
) -> None:
    with serving(hosted) as host:
        connector = connect_to(
            host.url("team/app.git"), rules=AddressRules(allow_http=True)
        )
        with pytest.raises(PermissionDenied, match="may not use"):
            connector.resolve()
        assert host.requests_seen == []


def test_the_connection_goes_to_the_checked_address(
    hosted: Path, connect_to: ConnectTo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look_up(*_: object, **__: object) -> list[object]:
        return [(0, 0, 0, "", ("127.0.0.1", 0))]

    with serving(hosted) as host:
        # Only our own lookup knows this name; git finds the host by the pin alone.
        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        url = f"http://pinned.invalid:{host.server_port}/team/app.git"
        assert connect_to(url).resolve().ref_name == "main"


@pytest.mark.parametrize("url", ["ext::sh -c true", "-u", "file:///etc", "git://a/b"])
def test_hostile_urls_never_reach_git(
    connect_to: ConnectTo, url: str, repos_dir: Path
) -> None:
    with pytest.raises(InvalidInput):
        connect_to(url)
    assert not repos_dir.exists()


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


def _write_ssh(tmp_path: Path, answer: str) -> None:
    script = FAKE_SSH.format(trace=tmp_path / "trace", answer=answer)
    (tmp_path / "bin/ssh").write_text(script)
    (tmp_path / "bin/ssh").chmod(0o755)


def test_ssh_is_pinned_and_never_asks(
    hosted: Path, connect_to: ConnectTo, fake_ssh: Path, tmp_path: Path
) -> None:  # S2-8.2-9
    connector = connect_to(
        f"ssh://git@127.0.0.1:2222{hosted}/team/app.git",
        ssh_key_path=tmp_path / "key file",
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
        f"{tmp_path}/key file",
    } <= set(arguments)


def test_new_host_keys_are_accepted_when_allowed(
    hosted: Path, connect_to: ConnectTo, fake_ssh: Path
) -> None:
    url = f"git@127.0.0.1:{hosted}/team/app.git"
    assert connect_to(url, accept_new_host_keys=True).resolve().ref_name == "main"
    assert "StrictHostKeyChecking=accept-new" in fake_ssh.read_text()


@pytest.mark.parametrize(
    ("stderr", "says", "permanent"),
    [
        ("Host key verification failed.", "host key", True),
        ("git@h: Permission denied (publickey).", "credentials", True),
        ("ssh: connect to host h port 22: Connection refused", "reached", False),
        ("ssh: connect to host h port 22: Connection timed out", "reached", False),
        ("kex: Connection closed by remote host", "reached", False),
        ("ERROR: Repository not found.", "no git repository", True),
    ],
)
def test_failures_of_ssh(
    connect_to: ConnectTo,
    fake_ssh: Path,
    tmp_path: Path,
    stderr: str,
    says: str,
    permanent: bool,
) -> None:
    _write_ssh(tmp_path, f"echo '{stderr}' >&2; exit 255")
    with pytest.raises(DevragError, match=says) as caught:
        connect_to("git@127.0.0.1:a.git").resolve()
    assert caught.value.permanent == permanent
    assert "Traceback" not in str(caught.value)
    assert fake_ssh.exists()
