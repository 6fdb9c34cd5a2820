"""A real web server with short limits, and raw connections to it."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn

from devrag.http_server.body_limit import BodyLimit
from devrag.http_server.protocol import LimitedProtocol
from tests.waiting import wait_until


@dataclass
class Service:
    """An application behind the limits; it notes what reached it."""

    port: int = 0
    connections: set[Any] = field(default_factory=set)
    bodies: list[bytes] = field(default_factory=list)
    aborted: int = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        path = scope["path"]
        if path != "/early":
            body = await self._read(receive)
            if body is None:
                self.aborted += 1
                return
            self.bodies.append(body)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        if path == "/stream":
            for _ in range(8):
                await send(_part(b"tick\n", more=True))
                await asyncio.sleep(0.2)  # an event stream: longer than every limit
        if path == "/huge":
            for _ in range(400):
                await send(_part(b"x" * 100_000, more=True))
        while path == "/unread" and not self.has_unread():
            await send(_part(b"x" * 10_000, more=True))
            # The kernel may take the rest after a moment.
            await asyncio.sleep(0.1 if self.has_unread() else 0)
        await send(_part(b"done", more=False))

    def has_unread(self) -> bool:
        """Return whether a client leaves the end of a response unread."""
        kept = [*self.connections]
        return any(each.transport.get_write_buffer_size() > 0 for each in kept)

    async def _read(self, receive: Any) -> bytes | None:
        body = b""
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += bytes(message["body"])
            if not message["more_body"]:
                return body


def _part(body: bytes, *, more: bool) -> dict[str, Any]:
    return {"type": "http.response.body", "body": body, "more_body": more}


class Quick(LimitedProtocol):
    head_seconds = 0.5
    body_seconds = 0.7
    discard_seconds = 0.5
    write_seconds = 0.6
    max_connections = 20


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    config = uvicorn.Config(
        BodyLimit(made),
        port=0,
        http=Quick,
        lifespan="off",
        log_config=None,
        access_log=False,
        timeout_keep_alive=1,
    )
    web = uvicorn.Server(config)
    thread = threading.Thread(target=web.run, name="web")
    thread.start()
    try:
        wait_until(lambda: web.started, what="the web server's start")
        made.port = web.servers[0].sockets[0].getsockname()[1]
        made.connections = web.server_state.connections
        yield made
    finally:
        web.should_exit = True
        thread.join()


Connect = Callable[..., socket.socket]


@pytest.fixture
def connect(service: Service) -> Iterator[Connect]:
    """Open a connection and send bytes; reads give up after ten seconds."""
    with ExitStack() as stack:

        def open_connection(data: bytes = b"") -> socket.socket:
            made = socket.create_connection(("127.0.0.1", service.port), timeout=10)
            stack.enter_context(made)
            made.sendall(data)
            return made

        yield open_connection
