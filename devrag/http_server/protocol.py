"""uvicorn's HTTP/1.1 protocol with deadlines for slow clients and a connection limit.

uvicorn closes idle connections after a response, and only then: a client that sends
nothing, half a header, a byte of a body now and then, or that never reads its response
keeps its connection for good. Deadlines here begin with each phase and are not moved by
single bytes. While a complete request is being answered there is none, so that event
streams and long responses may take as long as they take.

A body in very many short chunks is refused: each takes as long to parse as a long one,
and all other connections wait meanwhile.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from devrag.http_server.body_limit import is_upload

_TIMEOUT_TEXT = b"The request was not received completely in time.\n"


# JSON that is sent token by token stays below this, at a third of a second to parse.
_MAX_SHORT_CHUNKS = 10_000
_SHORT_CHUNK_BYTES = 256


class _ChunkCounter(h11.Connection):
    """Raises for a request body in too many short chunks."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._short_chunks = 0

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._short_chunks = 0
        elif isinstance(event, h11.Data) and event.chunk_end:
            self._short_chunks += len(event.data) < _SHORT_CHUNK_BYTES
            if self._short_chunks > _MAX_SHORT_CHUNKS:
                raise h11.RemoteProtocolError("too many short chunks")
        return event


class LimitedProtocol(H11Protocol):
    """One connection. The limits are attributes of the class, in seconds."""

    # From the connection's start, or the last response, to the end of the headers.
    head_seconds: float = 10.0
    # From the headers to the end of the body.
    body_seconds: float = 60.0
    # The same for uploads: 200 MB at 1 Mbit/s. Who sends them is known by then.
    upload_seconds: float = 1800.0
    # What remains of a body whose request was answered already is discarded that long,
    # so that a client that writes first and reads later sees the response.
    discard_seconds: float = 10.0
    # Without any progress in writing a response, also what is left of it at the end:
    # asyncio would wait for good before it closes the connection.
    write_seconds: float = 60.0
    max_connections: int = 400

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn = _ChunkCounter(h11.SERVER)
        self._phase: tuple[str, object] = ("", None)
        self._phase_began = 0.0
        self._deadline: asyncio.TimerHandle | None = None
        self._write_deadline: asyncio.TimerHandle | None = None
        self._write_began = 0.0

    # -- events of the connection ---------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.max_connections:
            self._make_room()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_deadline()
        self._end_write_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def eof_received(self) -> None:
        super().eof_received()
        self.loop.call_soon(self._watch)  # asyncio closes the connection first

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._watch()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_writing()

    def resume_writing(self) -> None:
        if not self.transport.is_closing():
            self._end_write_deadline()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Answer 400; only close the connection where another response began."""
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            super().send_400_response(msg)
        else:
            self.transport.close()

    def _should_upgrade(self) -> bool:
        """Answer all requests as HTTP/1.1: nothing here uses WebSockets.

        uvicorn would pass the connection on, past all limits, to whatever package for
        WebSockets is installed, and log advice to install one where there is none.
        """
        return False

    # -- deadlines ------------------------------------------------------------

    def _watch(self) -> None:
        """Start the deadline of the phase, if this is a new one."""
        if self.transport.is_closing():
            self._end_deadline()
            if self._write_deadline is None and self in self.connections:
                self._watch_writing()
            return
        phase = (self._name_phase(), self.cycle)
        if phase == self._phase:
            return
        self._phase = phase
        self._phase_began = self.loop.time()
        self._end_deadline()
        seconds = {
            "head": self.head_seconds,
            "body": self._body_seconds(),
            "discard": self.discard_seconds,
        }.get(phase[0])
        if seconds is not None:
            self._deadline = self.loop.call_later(seconds, self._on_deadline)

    def _body_seconds(self) -> float:
        is_long = self.scope is not None and is_upload(self.scope["path"])
        return self.upload_seconds if is_long else self.body_seconds

    def _name_phase(self) -> str:
        if self.conn.their_state is h11.IDLE:
            return "head"
        if self.conn.their_state is not h11.SEND_BODY:
            return "answer"
        return "discard" if self.cycle.response_complete else "body"

    def _on_deadline(self) -> None:
        if self._phase[0] == "body" and self.flow.read_paused:
            # It is the application that does not read, not the client that is slow.
            self._deadline = self.loop.call_later(self.body_seconds, self._on_deadline)
            return
        self._close(is_answered=self._has_begun())

    def _has_begun(self) -> bool:
        """Return whether part of a request arrived that no response was sent to."""
        if self._phase[0] == "body":
            return True
        return self._phase[0] == "head" and bool(self.conn.trailing_data[0])

    def _close(self, *, is_answered: bool) -> None:
        """Close the connection, with 408 where the client waits for a response."""
        if self.transport.is_closing():
            return
        if is_answered and self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            headers = [
                (b"content-type", b"text/plain; charset=utf-8"),
                (b"content-length", str(len(_TIMEOUT_TEXT)).encode()),
                (b"connection", b"close"),
            ]
            for event in (
                h11.Response(
                    status_code=408, headers=headers, reason=b"Request Timeout"
                ),
                h11.Data(data=_TIMEOUT_TEXT),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        if self.cycle is not None and not self.cycle.response_complete:
            # The application may still try to answer; nobody listens any more.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()
        self._watch()

    def _watch_writing(self) -> None:
        """Start the time within which the client has to read something."""
        self._end_write_deadline()
        self._write_began = self.loop.time()
        unread = self.transport.get_write_buffer_size()
        self._write_deadline = self.loop.call_later(
            self.write_seconds, self._on_write_deadline, unread
        )

    def _on_write_deadline(self, unread_before: int) -> None:
        if self.transport.get_write_buffer_size() < unread_before:
            self._watch_writing()
        else:
            self.transport.abort()

    def _end_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _end_write_deadline(self) -> None:
        if self._write_deadline is not None:
            self._write_deadline.cancel()
            self._write_deadline = None

    # -- connection limit -----------------------------------------------------

    def _make_room(self) -> None:
        """Close the connection that waits for its client longest, else this one.

        Not only those without a request: a client that sends headers and no body, or
        reads nothing of its response, would keep others out as well.
        """
        waiting = [
            each
            for each in self.connections
            if isinstance(each, LimitedProtocol)
            and each is not self
            and each._waiting_since() is not None
        ]
        oldest = min(waiting, key=lambda each: each._waiting_since() or 0, default=self)
        oldest._end_deadline()
        oldest._end_write_deadline()
        oldest.transport.abort()

    def _waiting_since(self) -> float | None:
        """Return since when (loop time) the client must send or read; None: not now."""
        if self._write_deadline is not None:
            return self._write_began
        if self._phase[0] == "body" and self.flow.read_paused:
            return None
        return None if self._deadline is None else self._phase_began
