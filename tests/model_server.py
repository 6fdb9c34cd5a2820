"""An embedding API on loopback that speaks OpenAI's and Gemini's shapes."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "k-0123456789-secret"


@dataclass(frozen=True)
class Scripted:
    """An answer instead of vectors. is_late: only once the server is let go."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    is_late: bool = False


@dataclass(frozen=True)
class Seen:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def texts(self) -> list[str]:
        if "input" in self.body:
            return list(self.body["input"])
        parts = [each["content"]["parts"] for each in self.body["requests"]]
        return [part["text"] for (part,) in parts]


class ModelServer(ThreadingHTTPServer):
    """Models by name with their dimensions; `script` is answered first, in order."""

    daemon_threads = True

    def __init__(self, **dimensions: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.dimensions = dimensions
        self.script: list[Scripted] = []
        self.seen: list[Seen] = []
        self.is_let_go = threading.Event()
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    @property
    def texts(self) -> list[str]:
        return [text for request in self.seen for text in request.texts]


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        headers = {name.lower(): value for name, value in self.headers.items()}
        seen = Seen(self.path, headers, json.loads(self.rfile.read(size)))
        with self.server.lock:
            self.server.seen.append(seen)
            script = self.server.script
            answer = script.pop(0) if script else self._vectors(seen)
        if answer.is_late:
            self.server.is_let_go.wait(30)
        self._send(answer)

    def _vectors(self, seen: Seen) -> Scripted:
        is_gemini = "requests" in seen.body
        name = seen.path.split("/")[-1].split(":")[0] if is_gemini else None
        model = name or seen.body["model"]
        if model not in self.server.dimensions:
            return Scripted(404, {"error": {"message": f"no model {model}"}})
        rows = [vector_of(each, self.server.dimensions[model]) for each in seen.texts]
        if is_gemini:
            return Scripted(200, {"embeddings": [{"values": row} for row in rows]})
        data = [{"index": n, "embedding": row} for n, row in enumerate(rows)]
        usage = {"prompt_tokens": 10 * len(rows)}
        return Scripted(200, {"data": data[::-1], "usage": usage})

    def _send(self, answer: Scripted) -> None:
        is_text = isinstance(answer.body, str)
        data = (answer.body if is_text else json.dumps(answer.body)).encode()
        try:
            self.send_response(answer.status)
            self.send_header(
                "Content-Type", "text/html" if is_text else "application/json"
            )
            self.send_header("Content-Length", str(len(data)))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client gave up, as the test wanted

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


def vector_of(text: str, size: int) -> list[float]:
    """Return a vector of a text's words: texts that share words are near."""
    vector = [0.01] * size
    for word in text.lower().split():
        vector[hashlib.sha256(word.encode()).digest()[0] % size] += 1.0
    return vector


@contextmanager
def model_server(**dimensions: int) -> Iterator[ModelServer]:
    """Serve models until the block ends."""
    server = ModelServer(**dimensions)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.is_let_go.set()
        server.shutdown()
        thread.join()
        server.server_close()
