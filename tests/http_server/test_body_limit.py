"""Large bodies are refused before they are stored, whatever the path."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from django.conf import settings

from devrag.http_server.body_limit import (
    MAX_BODY_BYTES,
    MAX_HOOK_BYTES,
    body_limit_of,
)
from tests.http_server.conftest import Connect, Service
from tests.http_server.test_protocol import read_all

MIB = b"x" * 1_048_576


def head_of(path: str, *headers: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: x", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode()


def chunks(count: int) -> Iterator[bytes]:
    for _ in range(count):
        yield f"{len(MIB):x}\r\n".encode() + MIB + b"\r\n"


@pytest.mark.parametrize("path", ["/", "/sign-in/", "/api/v1/search", "/mcp", "/no"])
def test_a_declared_length_is_refused_at_once(
    service: Service, connect: Connect, path: str
) -> None:
    connection = connect(head_of(path, "Content-Length: 300000000"))
    assert connection.recv(65_536).startswith(b"HTTP/1.1 413 ")
    assert service.bodies == []


@pytest.mark.parametrize("path", ["/", "/api/v1/search", "/mcp"])
def test_a_client_that_sends_everything_first_sees_the_answer(
    service: Service, connect: Connect, path: str
) -> None:
    connection = connect(head_of(path, f"Content-Length: {50 * len(MIB)}"))
    for _ in range(50):
        connection.sendall(MIB)
    assert read_all(connection).startswith(b"HTTP/1.1 413 ")
    assert service.bodies == []


@pytest.mark.parametrize("path", ["/", "/api/v1/search", "/mcp"])
def test_chunks_are_counted(service: Service, connect: Connect, path: str) -> None:
    connection = connect(head_of(path, "Transfer-Encoding: chunked"))
    for chunk in chunks(30):
        connection.sendall(chunk)
    connection.sendall(b"0\r\n\r\n")
    assert read_all(connection).startswith(b"HTTP/1.1 413 ")
    assert service.bodies == []


def test_who_asks_before_sending_is_told_to_send_nothing(connect: Connect) -> None:
    connection = connect(
        head_of("/", "Content-Length: 300000000", "Expect: 100-continue")
    )
    answer = read_all(connection)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b" 100 " not in answer


@pytest.mark.parametrize("length", [0, 1, MAX_BODY_BYTES])
@pytest.mark.parametrize("is_chunked", [False, True])
def test_a_body_up_to_the_limit_passes(
    service: Service, connect: Connect, length: int, is_chunked: bool
) -> None:
    body = b"y" * length
    if is_chunked:
        connection = connect(head_of("/", "Transfer-Encoding: chunked"))
        part = f"{length:x}\r\n".encode() + body + b"\r\n" if length else b""
        connection.sendall(part + b"0\r\n\r\n")
    else:
        connection = connect(head_of("/", f"Content-Length: {length}"))
        connection.sendall(body)
    assert read_all(connection).startswith(b"HTTP/1.1 200 ")
    assert service.bodies == [body]


@pytest.mark.parametrize(
    "lengths",
    [
        ("Content-Length: 3", "Transfer-Encoding: chunked"),
        ("Transfer-Encoding: chunked", "Content-Length: 8"),
    ],
)
def test_a_request_with_two_lengths_is_refused_with_all_that_follows(
    service: Service, connect: Connect, lengths: tuple[str, str]
) -> None:
    lines = ["POST /api/v1/search HTTP/1.1", "Host: x", *lengths, "", ""]
    body = b"3\r\nabc\r\n0\r\n\r\n"
    smuggled = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    answer = read_all(connect("\r\n".join(lines).encode() + body + smuggled))
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1") == 1
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "bad_request"
    assert service.bodies == []


def test_each_kind_of_caller_gets_an_error_that_it_can_read(connect: Connect) -> None:
    said = {}
    for path in ("/api/v1/search", "/mcp", "/sign-in/"):
        connection = connect(head_of(path, "Content-Length: 300000000"))
        answer = connection.recv(65_536)
        while b"bytes" not in answer:
            answer += connection.recv(65_536)
        said[path] = answer.partition(b"\r\n\r\n")[2]
    problem = json.loads(said["/api/v1/search"])
    assert (problem["status"], problem["code"]) == (413, "too_large")
    assert json.loads(said["/mcp"])["error"]["code"] == -32600
    assert b"1,000,000 bytes" in said["/sign-in/"]


@pytest.mark.parametrize(
    ("path", "limit"),
    [
        ("/api/v1/hooks/github/shop", MAX_HOOK_BYTES),
        ("/api/v1/hooks/github/shop/", MAX_BODY_BYTES),
        ("/api/v1/hooks", MAX_BODY_BYTES),
        ("/x/api/v1/hooks/github/shop", MAX_BODY_BYTES),
        ("/", MAX_BODY_BYTES),
    ],
)
def test_only_push_hooks_may_be_larger(path: str, limit: int) -> None:
    assert body_limit_of(path) == limit


def test_django_accepts_what_the_server_lets_pass() -> None:
    assert settings.DATA_UPLOAD_MAX_MEMORY_SIZE == MAX_BODY_BYTES
