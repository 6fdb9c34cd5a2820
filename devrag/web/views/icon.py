"""The icon that browsers and tools ask for at the root, unasked."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.templatetags.static import static


def favicon(_request: HttpRequest) -> HttpResponse:
    """Lead to the icon; its own address changes with its content, this one's not."""
    response = HttpResponsePermanentRedirect(static("favicon.svg"))
    response["Cache-Control"] = "public, max-age=86400"
    return response
