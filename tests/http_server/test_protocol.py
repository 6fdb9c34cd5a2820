"""Slow and silent clients lose their connection; those in an answer keep it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from tests.http_server.conftest import Connect, Service
from tests.waiting import wait_until

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
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
    answer = read_all(connect(GET.replace(b"x\r\n", b"x\r\nConnection: close\r\n")))
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert len(service.connections) <= 20
    for connection in silent:
        assert read_all(connection) == b""


def test_no_more_connections_are_kept_than_the_limit(
    service: Service, connect: Connect
) -> None:
    # All of them in an answer: there is none to close but the new one.
    busy = [connect(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(20)]
    wait_until(lambda: len(service.bodies) == 20)
    assert read_all(connect(GET)) == b""
    for connection in busy:
        assert connection.recv(10).startswith(b"HTTP/1.1 2")
