"""The sandboxed page that Mermaid runs in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_GET

# An origin of its own, no network, and styles only in here: docs/decisions/0005.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; "
    "sandbox allow-scripts; frame-ancestors 'self'; base-uri 'none'"
)


@require_GET
@xframe_options_sameorigin
def mermaid(request: HttpRequest) -> HttpResponse:
    response = render(request, "web/mermaid_frame.html")
    response["Content-Security-Policy"] = POLICY
    patch_cache_control(response, public=True, max_age=300)
    return response
