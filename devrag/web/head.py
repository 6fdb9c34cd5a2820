"""HEAD is answered as GET everywhere; the server leaves the body out."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class HeadMiddleware:
    """Let views, which know GET only, answer HEAD with all of its headers."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "HEAD":
            return _allow_head(self.get_response(request))
        request.method = "GET"
        try:
            return _allow_head(self.get_response(request))
        finally:
            request.method = "HEAD"


def _allow_head(response: HttpResponse) -> HttpResponse:
    """Name HEAD beside GET where another method was refused."""
    allowed = response.headers.get("Allow", "").split(", ")
    if "GET" in allowed and "HEAD" not in allowed:
        response["Allow"] = ", ".join(sorted([*allowed, "HEAD"]))
    return response
