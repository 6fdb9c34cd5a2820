"""The content security policy: strict for our pages, as strict as can be for others'.

The administration (unfold, Alpine) evaluates expressions in its markup, and both it and
the API's documentation set styles inline. Neither shows anything of a repository as
markup, and neither may load from, send to or be framed by another site.
"""

from __future__ import annotations

from typing import Any

from csp.middleware import CSPMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase

_SELF = "'self'"
_INLINE = [_SELF, "'unsafe-inline'"]
_REPLACED: dict[str, dict[str, Any]] = {
    "/admin/": {"script-src": [*_INLINE, "'unsafe-eval'"], "style-src": _INLINE},
    "/api/v1/docs": {"style-src": _INLINE},
}


class PolicyMiddleware(CSPMiddleware):
    """Send the policy of the settings, loosened where others' pages need it."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        for prefix, replaced in _REPLACED.items():
            if request.path_info.startswith(prefix):
                response._csp_replace = replaced  # type: ignore[attr-defined]
        return super().process_response(request, response)
