"""A TCP proxy on loopback between devrag and a service, as a network that fails."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress

_CHUNK = 65_536


class Proxy:
    """Passes connections on, until told to drop, stall or delay what they carry."""

    def __init__(self, target: tuple[str, int]) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port: int = self._listener.getsockname()[1]
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._flows = threading.Event()
        self._flows.set()
        self._is_refusing = self._is_closed = False
        self._delay_seconds = 0.0
        threading.Thread(target=self._accept, daemon=True).start()

    def drop(self) -> None:
        """Reset all connections, and each new one, until `restore`."""
        self._is_refusing = True
        self._reset_all()

    def stall(self) -> None:
        """Let nothing through; connections stay open, until `restore`."""
        self._flows.clear()

    def delay(self, seconds: float) -> None:
        """Let every message take longer, until `restore`."""
        self._delay_seconds = seconds

    def restore(self) -> None:
        """Be a good network again."""
        self._is_refusing, self._delay_seconds = False, 0.0
        self._flows.set()

    def close(self) -> None:
        """Stop listening and end all connections."""
        self._is_closed = True
        self._listener.close()
        self.restore()
        self._reset_all()

    def _accept(self) -> None:
        while not self._is_closed:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self._flows.wait()
            if self._is_refusing:
                client.close()
                continue
            try:
                server = socket.create_connection(self._target, timeout=5)
            except OSError:
                client.close()
                continue
            server.settimeout(None)
            with self._lock:
                self._open |= {client, server}
            for pair in ((client, server), (server, client)):
                threading.Thread(target=self._pump, args=pair, daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(_CHUNK):
                if self._delay_seconds:
                    time.sleep(self._delay_seconds)
                self._flows.wait()
                sink.sendall(data)
        self._end(source, sink)

    def _end(self, *sockets: socket.socket) -> None:
        with self._lock:
            self._open.difference_update(sockets)
        for each in sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _reset_all(self) -> None:
        with self._lock:
            ended = list(self._open)
        self._end(*ended)
