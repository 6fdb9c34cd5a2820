from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from devrag.runtime.health import check_server_health, is_server_ready, server_url
from tests.architecture.modules import ROOT

OK = b'HTTP/1.1 200 OK\r\n\r\n{"status": "ok"}'


@contextmanager
def answering(answer: bytes | None) -> Iterator[int]:
    """A server for one request that sends these bytes; None: it never answers."""

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(1000)
            if answer is None:
                done.wait(10)
            else:
                connection.sendall(answer)

    done = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1]
        done.set()
        thread.join()


def test_status_ok_is_healthy() -> None:
    with answering(OK) as port:
        assert check_server_health("127.0.0.1", port)


@pytest.mark.parametrize(
    "answer",
    [
        b'HTTP/1.1 200 OK\r\n\r\n{"status": "degraded"}',
        b'HTTP/1.1 503 Service Unavailable\r\n\r\n{"status": "ok"}',
        b"HTTP/1.1 200 OK\r\n\r\n<html>",
        b'HTTP/1.1 200 OK\r\n\r\n["status", "ok"]',
        b"nonsense",
        b"",
    ],
)
def test_anything_else_is_not_healthy(answer: bytes) -> None:
    with answering(answer) as port:
        assert not check_server_health("127.0.0.1", port)


@pytest.mark.parametrize(
    ("answer", "is_ready"),
    [
        (b'HTTP/1.1 200 OK\r\n\r\n{"status": "ready"}', True),
        (b'HTTP/1.1 503 Service Unavailable\r\n\r\n{"status": "unready"}', False),
        (b"nonsense", False),
    ],
)
def test_who_answers_is_ready_whatever_workers_do(
    answer: bytes, is_ready: bool
) -> None:
    with answering(answer) as port:
        assert is_server_ready("127.0.0.1", port) is is_ready


def test_no_answer_in_time_is_not_healthy() -> None:
    with answering(None) as port:
        assert not check_server_health("127.0.0.1", port, timeout_seconds=0.1)


def test_nobody_listening_is_not_healthy() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port = listener.getsockname()[1]
    assert not check_server_health("127.0.0.1", port)


def test_the_health_check_of_containers_ends_with_0_or_1() -> None:
    program = [sys.executable, "-m", "devrag.runtime.health"]
    with answering(OK) as port:
        subprocess.run([*program, str(port)], cwd=ROOT, check=True)
    ended = subprocess.run([*program, str(port)], cwd=ROOT, check=False)
    assert ended.returncode == 1


def test_a_server_on_all_addresses_is_called_locally() -> None:
    with answering(OK) as port:
        assert check_server_health("0.0.0.0", port)
    assert server_url("0.0.0.0", 8080) == "http://127.0.0.1:8080"
    assert server_url("::1", 8080) == "http://[::1]:8080"
