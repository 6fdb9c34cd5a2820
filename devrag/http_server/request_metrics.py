"""Give each request an id, count it, and write one line about it to the log.

This wraps the whole application, so that refusals and agents count as pages do. The
route comes from a middleware inside of Django: names of routes are few, paths are not,
and paths and queries say what people read and ask.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from devrag.core.metrics import count, observe
from devrag.core.metrics.definitions import HTTP_REQUESTS, HTTP_SECONDS
from devrag.core.request_id import bound_request_id, choose_request_id
from devrag.http_server.body_limit import Application, Message, Receive, Scope, Send

log = structlog.get_logger("devrag.http_server")
_SCOPE_KEY = "devrag.request"
_HEADER = b"x-request-id"
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
UNMATCHED, STATIC, MCP = "(none)", "static", "mcp"
# Asked every few seconds by machines: they are counted and not logged.
_QUIET = frozenset({STATIC, "health", "ready", "metrics"})


class RequestMetrics:
    """An ASGI application whose requests have an id and are counted."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        given = dict(scope["headers"]).get(_HEADER, b"").decode("latin-1")
        request = _Request(choose_request_id(given), str(scope["method"]))
        request.route = _route_of(str(scope["path"]))
        scope[_SCOPE_KEY] = request

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                request.answer(message)
            await send(message)

        with bound_request_id(request.id):
            try:
                await self._application(scope, receive, send_on)
            finally:
                request.end()


class _Request:
    """What is known of a request so far."""

    def __init__(self, request_id: str, method: str) -> None:
        self.id, self.route = request_id, UNMATCHED
        self._method = method if method in _METHODS else "OTHER"
        self._began, self._seconds, self._status = time.monotonic(), 0.0, 0

    def answer(self, message: Message) -> None:
        """Note when the answer begins, and put the id on it."""
        self._seconds, self._status = self._elapsed(), int(message["status"])
        headers = list(message.get("headers", ()))
        message["headers"] = [*headers, (_HEADER, self.id.encode("ascii"))]

    def end(self) -> None:
        """Count the request; 499, as in nginx, of a client that went before."""
        status = self._status or 499
        seconds = self._seconds if self._status else self._elapsed()
        count(HTTP_REQUESTS, self.route, self._method, str(status))
        observe(HTTP_SECONDS, self.route, seconds=seconds)
        if self.route not in _QUIET:
            log.info(
                "request answered",
                route=self.route,
                method=self._method,
                status=status,
                seconds=round(seconds, 4),
            )

    def _elapsed(self) -> float:
        return time.monotonic() - self._began


def _route_of(path: str) -> str:
    """Return the name of what answers before Django looks for a route."""
    if path.startswith(settings.STATIC_URL):
        return STATIC
    return MCP if path.rstrip("/") == "/mcp" else UNMATCHED


class RouteMiddleware:
    """Tell RequestMetrics the name of the route that Django found."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        measured = getattr(request, "scope", {}).get(_SCOPE_KEY)
        if measured is not None and request.resolver_match is not None:
            measured.route = _name_of(request.resolver_match)
        return response


def _name_of(match: Any) -> str:
    return str(match.view_name or match.route)
