"""A mail server on loopback that keeps what is sent to it."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class SmtpServer(socketserver.ThreadingTCPServer):
    """refusal: the answer to who it is for, '' to take it. is_rude: ends the connection
    where it should confirm a message.
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.recipients: list[str] = []
        self.messages: list[str] = []
        self.refusal = ""
        self.is_rude = False

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class _Handler(socketserver.StreamRequestHandler):
    server: SmtpServer

    def handle(self) -> None:
        self._say("220 ready")
        while line := self.rfile.readline().decode().strip():
            word = line.partition(" ")[0].upper()
            if word == "RCPT" and not self.server.refusal:
                self.server.recipients.append(line.partition("<")[2].partition(">")[0])
            if word == "DATA":
                if not self._take():
                    return
            elif word == "QUIT":
                self._say("221 bye")
                return
            else:
                is_refused = word == "RCPT" and self.server.refusal
                self._say(self.server.refusal if is_refused else "250 ok")

    def _take(self) -> bool:
        self._say("354 go on")
        lines = []
        while (line := self.rfile.readline().decode()).strip() != ".":
            lines.append(line)
        self.server.messages.append("".join(lines))
        if self.server.is_rude:
            return False
        self._say("250 kept")
        return True

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


@contextmanager
def smtp_server() -> Iterator[SmtpServer]:
    """Serve in a thread."""
    with SmtpServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
