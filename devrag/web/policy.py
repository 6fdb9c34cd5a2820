"""The content security policy: strict for our pages, as strict as can be for others'.

The administration (unfold, Alpine) evaluates expressions in its markup, and both it and
the API's documentation set styles inline. Neither shows anything of a repository as
markup, and neither may load from, send to or be framed by another site.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from csp.middleware import CSPMiddleware
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

_SELF = "'self'"
_INLINE = [_SELF, "'unsafe-inline'"]
_REPLACED: dict[str, dict[str, Any]] = {
    "/admin/": {"script-src": [*_INLINE, "'unsafe-eval'"], "style-src": _INLINE},
    "/api/v1/docs": {"style-src": _INLINE},
}


class ResourcePolicyMiddleware:
    """Keep pages of other origins from embedding or reading what is not public.

    Static files are served before this, also to the sandboxed frame of diagrams, which
    has an origin of its own. Browsers ask with the reader's cookies, or from this
    machine, where reading needs no sign-in; another port of the same host is another
    origin, too.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return response


class PolicyMiddleware(CSPMiddleware):
    """Send the policy of the settings, loosened where others' pages need it."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        for prefix, replaced in _REPLACED.items():
            if request.path_info.startswith(prefix):
                response._csp_replace = replaced  # type: ignore[attr-defined]
        return super().process_response(request, response)
