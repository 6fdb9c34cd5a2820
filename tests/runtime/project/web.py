"""A web process that only knows /health: `web.py <host> <port>`."""

from __future__ import annotations

import os
import signal
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path


class Health(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"status": "ok"}')


def leave(_number: int, _frame: object) -> None:
    with (Path(os.environ["DEVRAG_HOME"]) / "order").open("a") as file:
        file.write("web\n")
    os._exit(0)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, leave)
    if "BROKEN_WEB" in os.environ:
        sys.exit("the web process has a broken configuration")
    HTTPServer((sys.argv[1], int(sys.argv[2])), Health).serve_forever()
