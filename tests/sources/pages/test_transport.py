"""Connections go to the addresses that were checked, and to no other."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from devrag.core.errors import PermissionDenied
from devrag.sources.connectors.pages.transport import CheckedTransport
from devrag.sources.hosts import AddressRules
from tests.scripted_server import serving
from tests.sources.pages.api_server import ApiServer
from tests.sources.repositories import LOOPBACK

NAME = "wiki.rebinding.test"


@pytest.fixture
def server() -> Iterator[ApiServer]:
    with serving(ApiServer()) as started:
        yield started


def resolve_to(monkeypatch: pytest.MonkeyPatch, *answers: str) -> list[str]:
    """Let the name have these addresses, one after the other; return the questions."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def look_up(host: Any, port: Any, *args: Any, **options: Any) -> Any:
        if host != NAME:
            return real(host, port, *args, **options)
        answer = answers[min(len(asked), len(answers) - 1)]
        asked.append(answer)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (answer, port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return asked


def test_a_name_that_leads_to_this_machine_is_refused(
    server: ApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve_to(monkeypatch, "127.0.0.1")
    rules = AddressRules(allow_http=True)
    client = httpx2.Client(transport=CheckedTransport(rules))
    with client, pytest.raises(PermissionDenied, match=NAME):
        client.get(f"http://{NAME}:{server.server_port}/")
    assert server.seen == []


@pytest.mark.parametrize("address", ["169.254.169.254", "100.100.100.200", "0.0.0.0"])
def test_services_of_clouds_are_refused(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    resolve_to(monkeypatch, address)
    client = httpx2.Client(transport=CheckedTransport(LOOPBACK))
    with client, pytest.raises(PermissionDenied, match="not allowed to use"):
        client.get(f"http://{NAME}/")


def test_a_second_answer_of_the_name_server_changes_nothing(
    server: ApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that is rebound after the check is still asked at its first address."""
    asked = resolve_to(monkeypatch, "127.0.0.1", "127.0.0.2")
    url = f"http://{NAME}:{server.server_port}"
    with httpx2.Client(transport=CheckedTransport(LOOPBACK)) as client:
        client.get(f"{url}/first")
        client.get(f"{url}/second")
    assert [seen.path for seen in server.seen] == ["/first", "/second"]
    assert asked == ["127.0.0.1"]


def test_the_server_hears_the_name_not_the_address(
    server: ApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve_to(monkeypatch, "127.0.0.1")
    with httpx2.Client(transport=CheckedTransport(LOOPBACK)) as client:
        answer = client.get(f"http://{NAME}:{server.server_port}/")
    assert server.seen[0].headers["host"] == f"{NAME}:{server.server_port}"
    assert answer.request.url.host == NAME


def test_the_next_address_is_tried_where_one_takes_no_connections(
    server: ApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look_up(host: Any, port: Any, *_: Any, **__: Any) -> Any:
        kind = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
        # Nothing listens on the first: the server is bound to the second alone.
        both = ("127.0.0.9", "127.0.0.1") if host == NAME else (host,)
        return [(*kind, (address, port)) for address in both]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with httpx2.Client(transport=CheckedTransport(LOOPBACK)) as client:
        client.get(f"http://{NAME}:{server.server_port}/here")
    assert server.seen[0].path == "/here"


def test_two_names_at_one_address_share_no_connection(
    server: ApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve_to(monkeypatch, "127.0.0.1")
    transport = CheckedTransport(LOOPBACK)
    with httpx2.Client(transport=transport) as client:
        client.get(f"http://{NAME}:{server.server_port}/")
        client.get(f"{server.url}/")
    assert set(transport._transports) == {NAME, "127.0.0.1"}
