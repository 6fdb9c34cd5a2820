"""Put the caller's Principal on each request."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from devrag.access.auth import principal_of_request


class PrincipalMiddleware:
    """Set `request.principal` lazily computed once; sync and thin."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.principal = principal_of_request(request)  # type: ignore[attr-defined]
        return self.get_response(request)
