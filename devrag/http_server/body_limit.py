"""Refuse request bodies that are too large or ambiguous, before anything stores them.

Django would write a body of any length to a temporary file before it looks at the
request. This wraps the whole application: Content-Length is compared at once, chunked
bodies are counted as they arrive. A request that states its length in both ways is
refused: a proxy may have read the other one, and taken the rest for a next request.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from http import HTTPStatus
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
ErrorPage = Callable[[Scope, int], bytes]

MAX_BODY_BYTES = 1_000_000
# Git hosts send up to 25 MB; a push of a few thousand commits stays below this.
MAX_HOOK_BYTES = 5_000_000
# What surrounds the files of an upload in its body.
_FORM_BYTES = 1_000_000
_DISCARD_SECONDS = 10.0
_CODES = {
    HTTPStatus.BAD_REQUEST: "bad_request",
    HTTPStatus.UNAUTHORIZED: "unauthenticated",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "too_large",
}
_FOR_PROGRAMS = ("/api/", "/v1/", "/mcp")
_HOOK = re.compile(r"/api/v1/hooks/[^/]+/[^/]+")
_UPLOAD = re.compile(
    r"/add/upload/|/p/[^/]+/s/[^/]+/upload/|/api/v1/sources/(?:\d+/)?upload"
)


class _BodyTooLarge(Exception):
    """More bytes arrived than the path allows."""


class BodyLimit:
    """ASGI middleware that answers 413 when a body exceeds the limit of its path.

    upload_bytes: how large uploaded files may be.
    400 to a request with both Content-Length and Transfer-Encoding (RFC 9112, 6.1).
    page: returns the HTML page of a status, for browsers; without it they get a line.
    """

    def __init__(
        self, app: Application, upload_bytes: int = 0, page: ErrorPage | None = None
    ) -> None:
        self.app, self.upload_bytes, self.page = app, upload_bytes, page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = body_limit_of(scope["path"], self.upload_bytes)
        if _has_two_lengths(scope):
            text = "Send either Content-Length or Transfer-Encoding, not both."
            await _answer(scope, send, HTTPStatus.BAD_REQUEST, text, is_last=True)
        elif _declared_length(scope) > limit:
            await self._refuse_length(scope, receive, send, limit)
        else:
            await self._serve_counted(scope, receive, send, limit)

    async def _serve_counted(
        self, scope: Scope, receive: Receive, send: Send, limit: int
    ) -> None:
        """Pass the request on; answer 413 as soon as more bytes arrive than allowed."""
        received = 0
        is_started = False

        async def count_body() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit:
                raise _BodyTooLarge
            return message

        async def watch_start(message: Message) -> None:
            nonlocal is_started
            is_started = True
            await send(message)

        try:
            await self.app(scope, count_body, watch_start)
        except _BodyTooLarge:
            if not is_started:
                await self._refuse_length(scope, receive, send, limit)

    async def _refuse_length(
        self, scope: Scope, receive: Receive, send: Send, limit: int
    ) -> None:
        text = f"The request body is larger than the limit of {limit:,} bytes."
        status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        page = self.page(scope, status) if self.page and _is_page(scope) else b""
        await refuse(scope, receive, send, status, text, page)


def is_upload(path: str) -> bool:
    """Return whether files are uploaded to a path."""
    return _UPLOAD.fullmatch(path) is not None


def body_limit_of(path: str, upload_bytes: int = 0) -> int:
    """Return how many bytes a request body to this path may have."""
    if is_upload(path):
        return upload_bytes + _FORM_BYTES
    return MAX_HOOK_BYTES if _HOOK.fullmatch(path) else MAX_BODY_BYTES


def _declared_length(scope: Scope) -> int:
    """Return Content-Length, 0 without one; the server refused malformed ones."""
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value)
    return 0


def _is_page(scope: Scope) -> bool:
    """Return whether a browser asks, for nothing that programs read."""
    is_for_programs = scope["path"].startswith(_FOR_PROGRAMS)
    accepted = dict(scope["headers"]).get(b"accept", b"")
    return not is_for_programs and b"text/html" in accepted


def _has_two_lengths(scope: Scope) -> bool:
    names = {name for name, _value in scope["headers"]}
    return {b"content-length", b"transfer-encoding"} <= names


async def refuse(
    scope: Scope,
    receive: Receive,
    send: Send,
    status: HTTPStatus,
    text: str,
    page: bytes = b"",
) -> None:
    """Answer an error, then discard for a while what the client still sends.

    Many clients read the response only after they have written the whole body, and a
    connection that is closed before shows them a broken pipe instead.
    """
    is_waiting = any(name == b"expect" for name, _value in scope["headers"])
    await _answer(scope, send, status, text, is_last=is_waiting, page=page)
    if not is_waiting:
        await _discard(receive)
        await send({"type": "http.response.body", "body": b""})


async def _answer(
    scope: Scope,
    send: Send,
    status: HTTPStatus,
    text: str,
    *,
    is_last: bool,
    page: bytes = b"",
) -> None:
    """Send an error. is_last: close the connection; else the caller ends the body."""
    content_type, body = _describe(scope["path"], status, text)
    if page:
        content_type, body = "text/html; charset=utf-8", page
    headers = [
        (b"content-type", content_type.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    if is_last:
        headers.append((b"connection", b"close"))
    start = {"type": "http.response.start", "status": status.value, "headers": headers}
    await send(start)
    part = {"type": "http.response.body", "body": body, "more_body": not is_last}
    await send(part)


async def _discard(receive: Receive) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(_DISCARD_SECONDS):
            message = await receive()
            while message["type"] == "http.request" and message.get("more_body"):
                message = await receive()


def _describe(path: str, status: HTTPStatus, text: str) -> tuple[str, bytes]:
    """Return content type and body of the error, in the form callers of a path read."""
    if path.startswith("/api/"):
        problem = {
            "title": status.phrase,
            "status": status.value,
            "code": _CODES[status],
            "detail": text,
        }
        return "application/problem+json", json.dumps(problem).encode()
    if path.rstrip("/") == "/mcp":
        error = {"code": -32600, "message": text}
        document = {"jsonrpc": "2.0", "id": None, "error": error}
        return "application/json", json.dumps(document).encode()
    return "text/plain; charset=utf-8", f"{text}\n".encode()
