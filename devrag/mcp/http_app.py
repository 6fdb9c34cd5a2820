"""The ASGI application at /mcp: one stateless exchange for each request."""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit
from uuid import uuid4

import anyio
import anyio.to_thread
from django.conf import settings
from django.http.request import split_domain_port, validate_host

from devrag.access.services import (
    SECRET_PATTERN,
    describe_refusal,
    principal_of_token,
)
from devrag.access.sign_in import plain_address
from devrag.audit.api import Entry, Origin, bound_origin
from devrag.core.hashing import sha256_hex
from devrag.core.local_operator import LOCAL_OPERATOR, is_local_request
from devrag.core.principal import Principal
from devrag.core.unavailable import (
    DATABASE_FAILURES,
    describe_database_failure,
    retry_after,
)
from devrag.http_server.body_limit import MAX_BODY_BYTES
from devrag.jobs.api import TooManyRequests, count_request
from devrag.mcp.local import SCOPE_KEY
from devrag.mcp.threads import with_own_connection

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

PATH = "/mcp"
Scope = dict[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = dict[str, str]


class Refused(Exception):
    """A request that comes no further. Not an error of ours."""

    def __init__(
        self, status: int, message: str, headers: Headers | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers or {}


async def serve(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one request at /mcp."""
    headers = {k.decode("latin-1"): v.decode("latin-1") for k, v in scope["headers"]}
    try:
        _check_host(headers)
        _check_address(scope["query_string"].decode("latin-1"))
        principal = await anyio.to_thread.run_sync(_authenticate, headers)
        _check_method(scope["method"])
        body = await _read_body(receive)
    except Refused as refused:
        await _refuse(send, refused)
        return
    if body is not None:
        with bound_origin(_origin_of(scope, principal)):
            await _exchange({**scope, SCOPE_KEY: principal}, body, receive, send)


def _origin_of(scope: Scope, principal: Principal) -> Origin:
    """Return what the audit log says of where a request comes from."""
    client = scope.get("client") or ("", 0)
    address = plain_address(client[0])
    return Origin(Entry.MCP, address, uuid4().hex, principal)


def _check_host(headers: Headers) -> None:
    """Refuse foreign hosts, and pages of foreign origins in a browser."""
    host = headers.get("host", "")
    domain, _port = split_domain_port(host)
    if not domain or not validate_host(domain, settings.ALLOWED_HOSTS):
        raise Refused(421, f"The host '{host[:100]}' is not in ALLOWED_HOSTS.")
    origin = headers.get("origin")
    is_own = origin is None or urlsplit(origin).netloc.lower() == host.lower()
    if not is_own and origin not in settings.CSRF_TRUSTED_ORIGINS:
        raise Refused(
            403,
            f"Requests from pages of '{str(origin)[:100]}' are not allowed. Add the "
            "origin to CSRF_TRUSTED_ORIGINS.",
        )


def _check_address(query: str) -> None:
    """Refuse a secret in the address, which ends up in logs."""
    if SECRET_PATTERN.search(unquote(query)):
        raise Refused(
            400,
            "Tokens must not be sent in the URL. Use the header 'Authorization: "
            "Bearer …', and revoke any token that was sent in a URL.",
        )


def _check_method(method: str) -> None:
    """Refuse the event stream that GET asks for.

    Nothing is ever sent in it, since each exchange stands alone, and it would keep its
    connection for as long as the client likes.
    """
    if method != "POST":
        raise Refused(
            405, "Send messages with POST; there is no event stream.", {"allow": "POST"}
        )


@with_own_connection
def _authenticate(headers: Headers) -> Principal:
    try:
        return _identify(headers)
    except DATABASE_FAILURES as error:
        failure = describe_database_failure(error)
        headers = {"retry-after": retry_after(failure)}
        raise Refused(failure.http_status, failure.message, headers) from error


def _identify(headers: Headers) -> Principal:
    scheme, _, secret = headers.get("authorization", "").partition(" ")
    is_bearer = scheme.lower() == "bearer" and bool(secret.strip())
    principal = _principal(secret.strip()) if is_bearer else None
    why = describe_refusal(secret.strip()) if is_bearer and not principal else ""
    if principal is None:
        raise Refused(
            401,
            f"{why} Send a valid token in the header 'Authorization: Bearer …'. "
            "Create one with `devrag token create`.".lstrip(),
            {"www-authenticate": "Bearer"},
        )
    if principal is not LOCAL_OPERATOR:
        _count(secret.strip())
    return principal


def _count(secret: str) -> None:
    try:
        count_request(sha256_hex(secret))
    except TooManyRequests as error:
        seconds = str(math.ceil(error.retry_after_seconds))
        raise Refused(429, error.message, {"retry-after": seconds}) from error


def _principal(secret: str) -> Principal | None:
    """Return whom a token stands for; `manage.py mcp` signs its own."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    if is_local_request(secret, keys):
        return LOCAL_OPERATOR
    return principal_of_token(secret)


async def _read_body(receive: Receive) -> bytes | None:
    """Return the whole body, None when the client has gone."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if len(body) > MAX_BODY_BYTES:
            raise Refused(413, f"The message is larger than {MAX_BODY_BYTES:,} bytes.")
        if not message.get("more_body", False):
            break
    if body.lstrip()[:1] == b"[":
        raise Refused(
            400, "Send one message per request: MCP no longer supports batches."
        )
    return bytes(body)


def warm_up() -> None:
    """Import the SDK and describe the tools: a second that nobody need wait for."""
    from devrag.mcp.server import build_server  # noqa: PLC0415

    build_server()


async def _exchange(scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
    """Serve one message; when the client goes, what is done for it ends."""
    is_read = False

    async def replay() -> Message:
        nonlocal is_read
        if is_read:
            await anyio.sleep_forever()
        is_read = True
        return {"type": "http.request", "body": body, "more_body": False}

    manager = _session_manager()
    async with anyio.create_task_group() as tasks, manager.run():

        async def watch() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            tasks.cancel_scope.cancel()

        tasks.start_soon(watch)
        await manager.handle_request(scope, replay, send)
        tasks.cancel_scope.cancel()


def _session_manager() -> StreamableHTTPSessionManager:
    """Return a session manager, which serves once and keeps nothing.

    Host and origin have been checked before.
    """
    # Not at the top: a start of the web process takes a second less without the SDK.
    from mcp.server.transport_security import (  # noqa: PLC0415
        TransportSecuritySettings,
    )

    from devrag.mcp.server import build_server  # noqa: PLC0415

    server = build_server()
    server.streamable_http_app(  # creates the manager
        json_response=True,
        stateless_http=True,
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=False
        ),
    )
    return server.session_manager


async def _refuse(send: Send, refused: Refused) -> None:
    error = {"code": -32600, "message": refused.message}
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
    headers = {"content-type": "application/json", **refused.headers}
    await send(
        {
            "type": "http.response.start",
            "status": refused.status,
            "headers": [(k.encode(), v.encode()) for k, v in headers.items()],
        }
    )
    await send({"type": "http.response.body", "body": body})
