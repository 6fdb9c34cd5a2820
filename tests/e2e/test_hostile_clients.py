"""Many wrong passwords at once and half-open connections keep nobody out."""

from __future__ import annotations

import http.client
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from urllib.parse import urlencode

import pytest

from .instance import Instance

pytestmark = pytest.mark.xdist_group("e2e")
# The limits count by address: other tests sign in from 127.0.0.1.
ADDRESS = "127.0.0.9"


def sign_in(instance: Instance, name: str, token: str, cookie: str) -> int:
    connection = http.client.HTTPConnection(
        "127.0.0.1", instance.port, timeout=60, source_address=(ADDRESS, 0)
    )
    fields = {"csrfmiddlewaretoken": token, "username": name, "password": "wrong"}
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": cookie,
    }
    with closing(connection):
        connection.request("POST", "/sign-in/", urlencode(fields), headers)
        return connection.getresponse().status


@pytest.mark.slow
@pytest.mark.parametrize(
    "names",
    [
        ["admin"] * 60,
        pytest.param([f"user{n}" for n in range(60)], marks=pytest.mark.slow),
    ],
)
def test_wrong_passwords_leave_the_pages_to_others(
    instance: Instance, names: list[str]
) -> None:
    page = instance.http("/sign-in/")
    found = re.search(r'csrfmiddlewaretoken" value="(\w+)"', page.text)
    assert found is not None
    cookie = page.headers["Set-Cookie"].partition(";")[0]
    with ThreadPoolExecutor(61) as pool:
        storm = [
            pool.submit(sign_in, instance, name, found[1], cookie) for name in names
        ]
        while not all(attempt.done() for attempt in storm):
            for path in ("/ready", "/sign-in/", "/"):
                assert instance.http(path).status == 200
            assert instance.api("/products").status == 200
    answers = [attempt.result() for attempt in storm]
    assert set(answers) <= {200, 429}
    assert answers.count(200) <= 20


@pytest.mark.slow
def test_half_a_request_ends(instance: Instance) -> None:
    silent = [
        socket.create_connection(("127.0.0.1", instance.port), timeout=30)
        for _ in range(50)
    ]
    for connection in silent:
        connection.sendall(b"GET /ready HTTP/1.1\r\nHost: localhost\r\n")
    assert instance.http("/ready").status == 200
    for connection in silent:
        with connection:
            assert connection.recv(100).startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize("path", ["/", "/sign-in/", "/mcp", "/api/v1/search"])
def test_a_large_body_is_refused(instance: Instance, path: str) -> None:
    assert instance.http(path, "x" * 1_000_001).status == 413
