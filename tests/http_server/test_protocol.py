"""Slow and silent clients lose their connection; those in an answer keep it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from tests.http_server.conftest import Connect, Quick, Service
from tests.waiting import wait_until

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
GET_ONCE = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: x\r\n"


def read_all(connection: socket.socket) -> bytes:
    """Return what arrives until the other side closes."""
    parts = []
    try:
        while part := connection.recv(65_536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def drip(connection: socket.socket, parts: Iterator[bytes]) -> None:
    """Send a part ten times a second until the connection is gone."""
    pause = threading.Event()
    for part in parts:
        try:
            connection.sendall(part)
        except OSError:
            return
        pause.wait(0.1)


def forever(part: bytes) -> Iterator[bytes]:
    while True:
        yield part


@pytest.mark.parametrize(
    "begin",
    [
        b"",
        b"G",
        b"GET / HTTP/1.1\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX-A: b",
    ],
)
def test_an_incomplete_head_ends(
    service: Service, connect: Connect, begin: bytes
) -> None:
    connection = connect(begin)
    answer = read_all(connection)
    assert not answer or answer.startswith(b"HTTP/1.1 408 ")
    wait_until(lambda: not service.connections)


def test_a_client_that_began_a_request_is_told(connect: Connect) -> None:
    answer = read_all(connect(b"GET / HTTP/1.1\r\nHost:"))
    assert answer.startswith(b"HTTP/1.1 408 Request Timeout")
    assert b"not received completely" in answer


def test_single_bytes_move_no_deadline(service: Service, connect: Connect) -> None:
    connection = connect(b"GET / HTTP/1.1\r\nX-Slow: ")
    drip(connection, forever(b"a"))
    wait_until(lambda: not service.connections)


@pytest.mark.parametrize(
    "head", [b"Content-Length: 90000\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n"]
)
def test_a_body_that_never_ends_ends(
    service: Service, connect: Connect, head: bytes
) -> None:
    connection = connect(POST + head)
    drip(connection, forever(b"1\r\na\r\n"))
    wait_until(lambda: not service.connections)
    wait_until(lambda: service.aborted == 1)
    assert service.bodies == []


def test_a_silent_body_is_answered_408(service: Service, connect: Connect) -> None:
    answer = read_all(connect(POST + b"Content-Length: 10\r\n\r\n12345"))
    assert answer.startswith(b"HTTP/1.1 408 ")
    wait_until(lambda: service.aborted == 1)


def test_a_second_request_has_the_same_deadline(
    service: Service, connect: Connect
) -> None:
    connection = connect(GET)
    assert b"done" in connection.recv(65_536) + connection.recv(65_536)
    connection.sendall(b"GET /again HTTP/1.1\r\nX-Slow: ")
    drip(connection, forever(b"a"))
    wait_until(lambda: not service.connections)
    assert service.bodies == [b""]


def test_pipelined_requests_are_answered_and_then_it_ends(
    service: Service, connect: Connect
) -> None:
    answer = read_all(connect(GET * 5 + b"GET / HT"))
    assert answer.count(b"HTTP/1.1 200") == 5
    assert len(service.bodies) == 5
    wait_until(lambda: not service.connections)


def test_a_long_stream_survives(connect: Connect) -> None:
    connection = connect(
        b"GET /stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    )
    answer = read_all(connection)
    assert answer.count(b"tick") == 8
    assert b"done" in answer


def test_a_slow_but_complete_request_is_answered(connect: Connect) -> None:
    connection = connect(POST + b"Content-Length: 4\r\nConnection: close\r\n\r\n")
    drip(connection, iter([b"a", b"b", b"c", b"d"]))
    assert read_all(connection).startswith(b"HTTP/1.1 200 ")


def test_who_reads_no_answer_loses_the_connection(
    service: Service, connect: Connect
) -> None:
    connection = connect(b"GET /huge HTTP/1.1\r\nHost: x\r\n\r\n")
    assert connection.recv(10).startswith(b"HTTP/1.1")
    wait_until(lambda: not service.connections)


@pytest.mark.parametrize("header", [b"Connection: keep-alive", b"Connection: close"])
@pytest.mark.parametrize("is_half_closed", [False, True])
def test_who_leaves_the_end_of_an_answer_unread_loses_the_connection(
    service: Service, connect: Connect, header: bytes, is_half_closed: bool
) -> None:
    connection = connect(b"GET /unread HTTP/1.1\r\nHost: x\r\n" + header + b"\r\n\r\n")
    wait_until(service.has_unread)
    if is_half_closed:
        connection.shutdown(socket.SHUT_WR)
    wait_until(lambda: not service.connections)


def test_the_rest_of_an_answered_body_is_read_for_a_while_only(
    service: Service, connect: Connect
) -> None:
    connection = connect(
        b"POST /early HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    drip(connection, forever(b"1\r\na\r\n"))
    wait_until(lambda: not service.connections)


def test_silent_connections_make_room_for_new_ones(
    service: Service, connect: Connect
) -> None:
    silent = [connect() for _ in range(60)]
    answer = read_all(connect(GET_ONCE))
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert len(service.connections) <= 20
    for connection in silent:
        assert read_all(connection) == b""


@pytest.mark.parametrize(
    "begin",
    [
        b"GET / HT",
        POST + b"Content-Length: 9\r\n\r\n",
        POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n",
    ],
)
def test_unfinished_requests_make_room_too(connect: Connect, begin: bytes) -> None:
    for _ in range(60):
        connect(begin)
    assert read_all(connect(GET_ONCE)).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("protocol", [b"websocket", b"h2c"])
def test_a_request_to_upgrade_is_answered_as_any_other(
    connect: Connect, caplog: pytest.LogCaptureFixture, protocol: bytes
) -> None:
    upgrade = b"Connection: Upgrade\r\nUpgrade: " + protocol
    answer = connect(GET.replace(b"Host: x", b"Host: x\r\n" + upgrade)).recv(65_536)
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert caplog.records == []


def test_unread_responses_make_room_too(
    service: Service, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Quick, "max_connections", 3)
    monkeypatch.setattr(Quick, "write_seconds", 60)
    for _ in range(3):
        connect(b"GET /huge HTTP/1.1\r\nHost: x\r\n\r\n")
    wait_until(lambda: sum(c.flow.write_paused for c in [*service.connections]) == 3)
    assert read_all(connect(GET_ONCE)).startswith(b"HTTP/1.1 200 ")


def test_no_more_connections_are_kept_than_the_limit(
    service: Service, connect: Connect
) -> None:
    # All of them in an answer: there is none to close but the new one.
    busy = [connect(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(20)]
    wait_until(lambda: len(service.bodies) == 20)
    assert read_all(connect(GET)) == b""
    for connection in busy:
        assert connection.recv(10).startswith(b"HTTP/1.1 2")


def test_a_body_in_very_many_short_chunks_is_refused(
    service: Service, connect: Connect
) -> None:
    head = POST + b"Transfer-Encoding: chunked\r\n\r\n"
    answer = read_all(connect(head + b"1\r\na\r\n" * 10_001))
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert service.bodies == []


def test_many_short_chunks_are_accepted(service: Service, connect: Connect) -> None:
    chunks = b"1\r\na\r\n" * 9_000 + b"0\r\n\r\n"
    head = POST + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert b"done" in read_all(connect(head + chunks))
    assert service.bodies == [b"a" * 9_000]


@pytest.mark.parametrize("rest", [b"1\r\na\r\n" * 10_001, b"no chunk\r\n"])
def test_a_body_that_goes_wrong_after_the_response_ends_the_connection(
    service: Service, connect: Connect, caplog: pytest.LogCaptureFixture, rest: bytes
) -> None:
    head = b"POST /early HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    connection = connect(head)
    assert b"200" in connection.recv(100)
    connection.sendall(rest)
    wait_until(lambda: not service.connections)
    assert "Fatal error" not in caplog.text
