"""An HTTP server on loopback that answers what a test wrote down for it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar

S = TypeVar("S", bound="ScriptedServer")
KEY = "k-0123456789-secret"


@dataclass(frozen=True)
class Scripted:
    """An answer as it is. is_late: only once the server is let go."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    is_late: bool = False

    def send(self, handler: Handler) -> None:
        if self.is_late:
            handler.server.is_let_go.wait(30)
        is_text = isinstance(self.body, str)
        data = (self.body if is_text else json.dumps(self.body)).encode()
        handler.send_response(self.status)
        handler.send_header(
            "Content-Type", "text/html" if is_text else "application/json"
        )
        handler.send_header("Content-Length", str(len(data)))
        for name, value in self.headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(data)


@dataclass(frozen=True)
class Request:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class ScriptedServer(ThreadingHTTPServer):
    """`script` is answered first, in order; then what `answer` makes."""

    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.script: list[Any] = []
        self.seen: list[Any] = []
        self.is_let_go = threading.Event()
        self.is_left = threading.Event()  # a client closed its connection early
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def read(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> Any:
        """Return a request as tests look at it."""
        return Request(path, headers, body)

    def answer(self, seen: Any) -> Any:
        """Return the answer to what the script does not tell."""
        raise NotImplementedError

    def finish(self, seen: Any, answer: Any) -> Any:
        """Return an answer as something that has a `send`."""
        del seen
        return answer


class Handler(BaseHTTPRequestHandler):
    server: ScriptedServer

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        self._answer(json.loads(self.rfile.read(size)))

    def _answer(self, body: dict[str, Any]) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        seen = self.server.read(self.path, headers, body)
        with self.server.lock:
            self.server.seen.append(seen)
            script = self.server.script
            answer = script.pop(0) if script else self.server.answer(seen)
        answer = self.server.finish(seen, answer)
        try:
            answer.send(self)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client gave up, as the test wanted
            self.server.is_left.set()

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


@contextmanager
def serving(server: S) -> Iterator[S]:
    """Serve until the block ends."""
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.is_let_go.set()
        server.shutdown()
        thread.join()
        server.server_close()
