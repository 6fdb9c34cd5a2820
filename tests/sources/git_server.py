"""A small smart-HTTP git host on loopback: git's own http-backend behind a socket."""

from __future__ import annotations

import base64
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit


class GitHost(ThreadingHTTPServer):
    """Serves the bare repositories below a folder.

    login: user:password that is asked for. status: answered to everything, if set.
    """

    daemon_threads = False

    def __init__(self, root: Path, login: str = "", status: int = 0) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.root, self.login, self.status = root, login, status
        self.requests_seen: list[str] = []

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self.server_port}/{name}"


class _Handler(BaseHTTPRequestHandler):
    server: GitHost

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        self.server.requests_seen.append(self.path)

    def _answer(self) -> None:
        expected = "Basic " + base64.b64encode(self.server.login.encode()).decode()
        if self.server.status:
            self.send_response(self.server.status)
            self.send_header("Location", "/elsewhere")
            self.end_headers()
        elif self.server.login and self.headers["Authorization"] != expected:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="git"')
            self.end_headers()
        else:
            self._run_backend()

    def _run_backend(self) -> None:
        parts = urlsplit(self.path)
        length = int(self.headers["Content-Length"] or 0)
        environment = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(self.server.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_PROTOCOL": self.headers["Git-Protocol"] or "",
            "PATH_INFO": parts.path,
            "QUERY_STRING": parts.query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers["Content-Type"] or "",
            "CONTENT_LENGTH": str(length),
            "HTTP_CONTENT_ENCODING": self.headers["Content-Encoding"] or "",
        }
        done = subprocess.run(
            ["git", "http-backend"],
            input=self.rfile.read(length),
            env=environment,
            capture_output=True,
            check=False,
        )
        head, _, body = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        self.send_response(int(headers.pop("Status", "200").split()[0]))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def serving(root: Path, *, login: str = "", status: int = 0) -> Iterator[GitHost]:
    host = GitHost(root, login, status)
    thread = threading.Thread(target=host.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield host
    finally:
        host.shutdown()
        thread.join()
        host.server_close()
