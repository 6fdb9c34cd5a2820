"""A proxy as small as one can be: it sends requests to servers that are ready."""

from __future__ import annotations

import http.client
import itertools
import threading
from collections.abc import Sequence
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_PAUSE_SECONDS, _TIMEOUT_SECONDS = 0.2, 30.0
_PASSED_ON = ("Authorization", "X-Forwarded-Proto", "Accept")


class Proxy:
    """Answers GET on a port of loopback from one of several servers, in turn.

    It asks each of them for /ready, and gives a request that was refused to the next,
    as nginx and HAProxy do.
    """

    def __init__(self, port: int, servers: Sequence[int]) -> None:
        self.ready: list[int] = []
        self._servers, self._is_over = servers, threading.Event()
        self._turn = itertools.count()
        self._checks = threading.Thread(target=self._check, daemon=True)
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                given = {k: v for k in _PASSED_ON if (v := self.headers.get(k))}
                status, kind, body = proxy.forward(self.path, given)
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_words: Any) -> None:
                """Print nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._answers = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Proxy:
        self._checks.start()
        self._answers.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._is_over.set()
        self._server.shutdown()
        self._server.server_close()
        self._checks.join()

    def forward(self, path: str, headers: dict[str, str]) -> tuple[int, str, bytes]:
        """Return status, type and body of the first server that takes the request."""
        ready = list(self.ready)
        start = next(self._turn) % max(1, len(ready))
        for port in ready[start:] + ready[:start]:
            answer = _ask(port, path, headers)
            if answer[0] not in {0, 503}:
                return answer
        return 502, "text/plain", b"no server is ready\n"

    def _check(self) -> None:
        while True:
            answers = {port: _ask(port, "/ready", {}) for port in self._servers}
            self.ready = [port for port, answer in answers.items() if answer[0] == 200]
            if self._is_over.wait(_PAUSE_SECONDS):
                return


def _ask(port: int, path: str, headers: dict[str, str]) -> tuple[int, str, bytes]:
    """Return status, type and body of an answer; status 0 without one."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT_SECONDS)
    with closing(connection):
        try:
            sent = {"X-Forwarded-Proto": "https", **headers}
            connection.request("GET", path, headers=sent)
            answer = connection.getresponse()
            return answer.status, answer.getheader("Content-Type", ""), answer.read()
        except (OSError, http.client.HTTPException):
            return 0, "", b""
