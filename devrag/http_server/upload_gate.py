"""Refuse uploads of callers who are not known, before their files are taken in.

Django reads the whole body of a request before it asks who sends it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus

from devrag.http_server.body_limit import (
    Application,
    Receive,
    Scope,
    Send,
    is_upload,
    refuse,
)

_TEXT = "Sign in, or send a token with the scope 'index', before you upload files."


class UploadGate:
    """ASGI middleware. is_known: whether the head of a request names its sender."""

    def __init__(
        self, app: Application, is_known: Callable[[Scope], Awaitable[bool]]
    ) -> None:
        self.app = app
        self.is_known = is_known

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_asked = scope["type"] == "http" and scope["method"] == "POST"
        if is_asked and is_upload(scope["path"]) and not await self.is_known(scope):
            await refuse(scope, receive, send, HTTPStatus.UNAUTHORIZED, _TEXT)
        else:
            await self.app(scope, receive, send)
