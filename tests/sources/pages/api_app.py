"""Serves what stands for a wiki or tracker over HTTP, on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

# Status, body (bytes as they are, else JSON), headers. A Content-Length among them is
# what is promised, whatever comes.
Reply = tuple[int, Any, dict[str, str]]


class App(Protocol):
    """What answers. clock: the server's, maybe hours away from ours."""

    clock: datetime

    def answer(self, path: str, headers: dict[str, str], body: bytes = b"") -> Reply:
        """Return the answer to a request. headers: their names in lower case."""
        ...


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Else the client's kernel waits 40 ms for more than the head of an answer.
    disable_nagle_algorithm = True
    app: App
    prefix: str

    def handle(self) -> None:
        with suppress(ConnectionError):  # whoever asked was killed
            super().handle()

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["Content-Length"])))

    def _answer(self, sent: bytes) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        status, body, more = 404, b"", dict[str, str]()
        if self.path.startswith(self.prefix):
            path = self.path.removeprefix(self.prefix)
            status, body, more = self.app.answer(path, headers, sent)
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        promised = int(more.get("Content-Length", len(data)))
        self.send_response(status)
        for name, value in ({"Content-Length": str(promised)} | more).items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(BrokenPipeError, ConnectionResetError):
            self.wfile.write(data)
        if promised != len(data):
            self.close_connection = True

    def date_time_string(self, timestamp: float | None = None) -> str:
        del timestamp
        return format_datetime(self.app.clock, usegmt=True)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


@contextmanager
def serving_app(app: App, *, prefix: str = "", port: int = 0) -> Iterator[str]:
    """Serve an application below a path; yield the address of that path.

    port: 0 for any that is free.
    """
    handler = type("AppHandler", (_Handler,), {"app": app, "prefix": prefix})
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{prefix}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
