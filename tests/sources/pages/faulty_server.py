"""Serves the API of a wiki or tracker on loopback, with the faults that tests want."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

# Status, body (bytes or JSON) and headers. A `Content-Length` in them is a promise
# that is not kept.
Reply = tuple[int, Any, dict[str, str]]


class Answering(Protocol):
    """A server as tests write one. clock: maybe hours from ours."""

    clock: datetime

    def answer(self, path: str, headers: dict[str, str]) -> Reply:
        """Return the answer to a request."""
        ...


class FaultyServer:
    """Counts requests. faults: each may answer in place of the server."""

    def __init__(self) -> None:
        self.clock = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
        self.requests: list[str] = []
        self.faults: list[Callable[[Any, str], Reply | None]] = []
        self.lock = threading.Lock()

    def answer(self, path: str, headers: dict[str, str]) -> Reply:
        """Return status, body and headers for a request."""
        with self.lock:
            self.requests.append(path)
            for fault in self.faults:
                if reply := fault(self, path):
                    return reply
            return self.reply(path, headers)

    def reply(self, path: str, headers: dict[str, str]) -> Reply:
        """Return what the server answers without a fault."""
        raise NotImplementedError

    @property
    def now(self) -> str:
        """Return the time as APIs write it."""
        return self.clock.strftime("%Y-%m-%dT%H:%M:%SZ")


def once(reply: Any, number: int, part: str) -> Callable[..., Any]:
    """Answer one request of a kind, the nth, in this way."""
    count = 0

    def fault(_: object, path: str) -> Any:
        nonlocal count
        count += part in path
        return reply if part in path and count == number else None

    return fault


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Else the client's kernel waits 40 ms for more than the head of an answer.
    disable_nagle_algorithm = True
    served: Answering
    prefix: str

    def handle(self) -> None:
        with suppress(ConnectionError):  # whoever asked was killed
            super().handle()

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        status, body, more = 404, b"", dict[str, str]()
        if self.path.startswith(self.prefix):
            path = self.path.removeprefix(self.prefix)
            status, body, more = self.served.answer(path, headers)
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        promised = int(more.pop("Content-Length", len(data)))
        self.send_header("Content-Length", str(promised))
        for name, value in more.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(data)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        if promised != len(data):
            self.close_connection = True

    def date_time_string(self, timestamp: float | None = None) -> str:
        del timestamp
        return format_datetime(self.served.clock, usegmt=True)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


@contextmanager
def serving(served: Answering, *, prefix: str = "") -> Iterator[str]:
    """Serve below a path; yield the address of the host."""
    handler = type("Handler", (_Handler,), {"served": served, "prefix": prefix})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
