"""Pages that did not change are not sent again.

A form's token is masked anew in each answer, so an ETag of the text would never match:
it is taken of the text with the session's own secret in its place. A page that a
browser kept is as good as a new one until that secret changes.
"""

from __future__ import annotations

import re
from hashlib import sha256

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.http import ConditionalGetMiddleware
from django.utils.cache import patch_cache_control

_TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"')


class PageConditionalMiddleware(ConditionalGetMiddleware):
    """Answer 304 where the browser has the page already."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if _is_page(request, response):
            content: bytes = response.content  # type: ignore[attr-defined]
            secret = str(request.META.get("CSRF_COOKIE", "")).encode()
            digest = sha256(_TOKEN.sub(b"", content) + secret).hexdigest()
            response.headers["ETag"] = f'W/"{digest[:32]}"'
            if not response.has_header("Cache-Control"):
                patch_cache_control(response, private=True, no_cache=True)
        return super().process_response(request, response)


def _is_page(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Return whether it is a page to compare.

    One that tells of an event is for once.
    """
    headers = response.headers
    return (
        request.method == "GET"
        and response.status_code == 200
        and not response.streaming
        and "ETag" not in headers
        and "HX-Trigger" not in headers
        and "no-store" not in headers.get("Cache-Control", "")
        and headers.get("Content-Type", "").startswith("text/html")
    )
