"""An HTTP server on loopback that keeps what is posted to it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Posted:
    """A request: its headers by lower-case name, and its body as it came."""

    headers: dict[str, str]
    body: bytes


class WebhookServer(ThreadingHTTPServer):
    """statuses: of the next answers, then 200; 0 ends the connection unanswered."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.posted: list[Posted] = []
        self.statuses: list[int] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hooks/abc"


class _Handler(BaseHTTPRequestHandler):
    server: WebhookServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.posted.append(Posted(headers, body))
        status = self.server.statuses.pop(0) if self.server.statuses else 200
        if not status:
            self.connection.close()
            return
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        """Keep quiet."""


@contextmanager
def webhook_server() -> Iterator[WebhookServer]:
    """Serve in a thread."""
    with WebhookServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
