"""The client of an API, against a server that fails in every way."""

from __future__ import annotations

import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from devrag.core.errors import Conflict, NotFound, PermissionDenied, SourceError
from devrag.sources.connectors.pages import client as client_module
from devrag.sources.connectors.pages.client import ApiClient
from devrag.sources.connectors.pages.failures import AnswerTooLarge, Gone, Moved
from devrag.sources.connectors.types import ConnectorContext
from devrag.sources.hosts import AddressRules
from tests.scripted_server import Scripted, serving
from tests.sources.pages.api_server import (
    TOKEN,
    ApiServer,
    Broken,
    Pauses,
    Truncated,
    connect,
)

Connected = tuple[ApiClient, Pauses]


def test_parameters_and_the_token_reach_the_server(
    server: ApiServer, connected: Connected
) -> None:
    found = connected[0].get("/rest/page", {"q": "a b&c", "limit": 5})
    assert found == {"path": "/rest/page?q=a+b%26c&limit=5"}
    assert server.seen[0].headers["authorization"] == TOKEN
    assert connected[0].requests == 1


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_a_passing_fault_is_tried_again(
    server: ApiServer, connected: Connected, status: int
) -> None:
    server.script = [Scripted(status=status), Scripted(status=status)]
    assert connected[0].get("/a") == {"path": "/a"}
    assert connected[1].total == 3.0  # 1 + 2


@pytest.mark.parametrize("fault", [Truncated(), Broken(), Scripted(body="<html>")])
def test_a_damaged_answer_is_asked_for_again(
    server: ApiServer, connected: Connected, fault: object
) -> None:
    server.script = [fault]
    assert connected[0].get("/a") == {"path": "/a"}


def test_a_server_that_stays_away_is_no_permanent_failure(
    server: ApiServer, connected: Connected
) -> None:
    server.script = [Scripted(status=503)] * 5
    with pytest.raises(SourceError, match=r"503.*next run") as caught:
        connected[0].get("/a")
    assert not caught.value.permanent
    assert len(server.seen) == 5


def test_a_sign_in_page_is_named(server: ApiServer, connected: Connected) -> None:
    server.script = [Scripted(body="<html>Sign in</html>")] * 5
    with pytest.raises(SourceError, match="does not return JSON"):
        connected[0].get("/a")


@pytest.mark.parametrize("written", ["7", "date"])
def test_the_server_says_how_long_to_wait(
    server: ApiServer, connected: Connected, written: str
) -> None:
    # Its clock is two hours ahead of ours: only the difference counts.
    now = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=2)
    later = format_datetime(now + timedelta(seconds=7), usegmt=True)
    headers = {"Retry-After": written if written == "7" else later}
    limited = Dated(format_datetime(now, usegmt=True), headers)
    server.script = [limited]
    connected[0].get("/a")
    assert connected[1].total == 7.0


def test_an_allowance_that_is_used_up_is_waited_for_before_the_next_request(
    server: ApiServer, connected: Connected
) -> None:
    client, pauses = connected
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"}
    server.script = [Scripted(body={}, headers=headers)]
    client.get("/a")
    assert pauses.total == 0
    client.get("/b")
    assert pauses.total == 30.0


def test_an_allowance_that_is_used_up_for_long_ends_the_run(
    server: ApiServer, connected: Connected
) -> None:
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "3000"}
    server.script = [Scripted(body={}, headers=headers)]
    connected[0].get("/a")
    with pytest.raises(SourceError, match="another 50 minutes") as caught:
        connected[0].get("/b")
    assert not caught.value.permanent


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ({"Retry-After": "7"}, {}, 7.0),
        ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9"}, {}, 9.0),
        ({}, {"message": "You have exceeded a secondary rate limit."}, 60.0),
    ],
)
def test_a_refusal_because_of_a_rate_is_waited_for(
    server: ApiServer,
    connected: Connected,
    headers: dict[str, str],
    body: dict[str, str],
    seconds: float,
) -> None:
    server.script = [Scripted(status=403, body=body, headers=headers)]
    assert connected[0].get("/a") == {"path": "/a"}
    assert connected[1].total == seconds


def test_a_refusal_because_of_a_rate_that_lasts_ends_the_run(
    server: ApiServer, connected: Connected
) -> None:
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "3000"}
    server.script = [Scripted(status=403, body={}, headers=headers)]
    with pytest.raises(SourceError, match="another 50 minutes") as caught:
        connected[0].get("/a")
    assert not caught.value.permanent
    assert len(server.seen) == 1


def test_the_other_names_of_an_allowance_are_known(
    server: ApiServer, connected: Connected
) -> None:
    headers = {"RateLimit-Remaining": "0", "RateLimit-Reset": "30"}
    server.script = [Scripted(body={}, headers=headers)]
    connected[0].get("/a")
    connected[0].get("/b")
    assert connected[1].total == 30.0


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (401, PermissionDenied, "rejected the token"),
        (403, PermissionDenied, "no read access to"),
        (404, NotFound, "Nothing found at"),
        (410, Gone, "Nothing found at"),
        (302, Moved, "redirects to another"),
        (400, SourceError, "status 400"),
    ],
)
def test_a_refusal_is_told_once_with_the_way_out(
    server: ApiServer,
    connected: Connected,
    status: int,
    kind: type[Exception],
    words: str,
) -> None:
    server.script = [Scripted(status=status, body={"message": "no such luck"})]
    with pytest.raises(kind, match=words) as caught:
        connected[0].get("/a", {"signature": "abc"})
    assert "no such luck" in str(caught.value) or status == 302
    assert "abc" not in str(caught.value)
    assert "secret" not in str(caught.value)
    assert len(server.seen) == 1


def test_an_answer_beyond_the_bound_is_not_read(
    server: ApiServer, connected: Connected, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "_MAX_ANSWER_BYTES", 1_000)
    server.script = [Scripted(body="x" * 2_000)]
    with pytest.raises(AnswerTooLarge):
        connected[0].get("/a")
    assert len(server.seen) == 1


def test_a_file_is_read_to_its_limit(server: ApiServer, connected: Connected) -> None:
    server.script = [Scripted(body="x" * 100), Scripted(body="x" * 101)]
    assert connected[0].download("/file", 100) == b"x" * 100
    assert connected[0].download("/file", 100) is None


@pytest.mark.parametrize("status", [403, 404, 410])
def test_a_file_that_cannot_be_had_stops_nothing(
    server: ApiServer, connected: Connected, status: int
) -> None:
    server.script = [Scripted(status=status)]
    assert connected[0].download("/file", 100) is None


def test_a_file_whose_address_is_none_stops_nothing(connected: Connected) -> None:
    assert connected[0].download("http://[::1", 10) is None


def test_the_token_stays_with_its_host(server: ApiServer, connected: Connected) -> None:
    with serving(ApiServer()) as other:
        there = {"Location": f"{other.url}/elsewhere"}
        server.script = [Scripted(status=302, body={}, headers=there)]
        assert connected[0].download("/file", 1_000) == b'{"path": "/elsewhere"}'
        assert "authorization" not in other.seen[0].headers
    assert server.seen[0].headers["authorization"] == TOKEN


def test_redirects_without_end_end(server: ApiServer, connected: Connected) -> None:
    server.script = [Scripted(status=302, headers={"Location": "/again"})] * 9
    assert connected[0].download("/file", 1_000) is None
    assert len(server.seen) == 4


def test_a_redirect_to_no_address_is_told(
    server: ApiServer, connected: Connected
) -> None:
    server.script = [Scripted(status=302, headers={"Location": "http://[::1/x"})]
    with pytest.raises(SourceError, match="invalid address"):
        connected[0].download("/file", 1_000)


def test_a_cancelled_run_waits_no_longer(server: ApiServer, tmp_path: Path) -> None:
    calls: list[int] = []

    def checkpoint() -> None:
        calls.append(1)
        if len(calls) > 5:
            raise Conflict("cancelled")

    client, pauses = connect(server, tmp_path, checkpoint=checkpoint)
    server.script = [Scripted(status=429, headers={"Retry-After": "500"})]
    with pytest.raises(Conflict):
        client.get("/a")
    client.close()
    assert pauses.total < 5


def test_plain_http_is_not_followed(server: ApiServer, tmp_path: Path) -> None:
    rules = AddressRules(allow_http=False, allow_loopback=True)
    client = ApiClient("https://wiki.example", {}, ConnectorContext(tmp_path, rules))
    with pytest.raises(SourceError, match="not encrypted"):
        client.download(f"{server.url}/file", 10)
    assert server.seen == []


def test_nothing_listens(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        server = type("Gone", (), {"url": f"http://127.0.0.1:{free.getsockname()[1]}"})
        client, _ = connect(server(), tmp_path)
        with pytest.raises(SourceError, match="at the moment"):
            client.get("/a")


class Dated(Scripted):
    """A refusal with the server's own time."""

    def __init__(self, date: str, headers: dict[str, str]) -> None:
        super().__init__(status=429, body={}, headers=headers)
        object.__setattr__(self, "date", date)

    def send(self, handler: object) -> None:
        handler.date_time_string = lambda: self.date  # type: ignore[attr-defined]
        super().send(handler)  # type: ignore[arg-type]
