"""Git repositories on hosts: http, ssh, credentials, failures."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from devrag.core.errors import (
    DevragError,
    InvalidInput,
    NotFound,
    PermissionDenied,
    SourceError,
)
from devrag.sources.connectors import Credentials
from devrag.sources.hosts import AddressRules
from tests.sources.git_server import serving
from tests.sources.repositories import ConnectTo, contents


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


@pytest.mark.parametrize(
    ("secret", "says"), [("", "requires credentials"), ("wr0ng", "rejected the cred")]
)
def test_refused_credentials(
    hosted: Path, connect_to: ConnectTo, secret: str, says: str
) -> None:
    with serving(hosted, login="alice:s3cret") as host:
        connector = connect_to(
            host.url("team/app.git"), credentials=Credentials("alice", secret)
        )
        with pytest.raises(SourceError, match=says) as caught:
            connector.resolve()
    assert caught.value.permanent
    assert "wr0ng" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "error", "says", "permanent"),
    [
        (301, SourceError, "It names http://127.0.0.1:[0-9]*/elsewhere", True),
        (302, SourceError, "redirects to another URL", True),
        (403, SourceError, "credentials", True),
        (404, NotFound, "No git repository", True),
        (429, SourceError, "has limited the number", False),
        (500, SourceError, "Cannot reach", False),
        (503, SourceError, "Cannot reach", False),
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
    with serving(hosted) as host, pytest.raises(NotFound, match="No git repository"):
        connect_to(host.url("team/none.git")).resolve()
    assert not list(repos_dir.glob("*.git"))


def test_an_unreachable_host_may_be_tried_again(connect_to: ConnectTo) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(SourceError, match="Cannot reach") as caught:
        connect_to(f"http://127.0.0.1:{port}/a.git").resolve()
    assert not caught.value.permanent


def test_an_unknown_host(connect_to: ConnectTo, repos_dir: Path) -> None:
    with pytest.raises(SourceError, match="Cannot resolve the host") as caught:
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
        with pytest.raises(PermissionDenied, match="are not allowed"):
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
