"""What views need of htmx: a typed request, whether a fragment is asked for, answers.

A page and its fragments share a URL, so every answer varies by the request's header.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django_htmx.http import HttpResponseClientRedirect, trigger_client_event
from django_htmx.middleware import HtmxDetails


class HtmxHttpRequest(HttpRequest):
    """A request that passed django-htmx's middleware."""

    htmx: HtmxDetails


def is_partial(request: HtmxHttpRequest) -> bool:
    """Return whether htmx wants a fragment, not a page (boost, history, whole body)."""
    htmx = request.htmx
    return (
        bool(htmx)
        and not htmx.boosted
        and not htmx.history_restore_request
        and htmx.request_type != "full"
    )


def render_page(
    request: HtmxHttpRequest,
    template: str,
    context: dict[str, Any],
    *,
    partial: str = "",
    status: int = 200,
) -> HttpResponse:
    """Render the template, or its named partial when htmx asks for a fragment."""
    name = f"{template}#{partial}" if partial and is_partial(request) else template
    response = render(request, name, context, status=status)
    patch_vary_headers(response, ["HX-Request", "HX-Request-Type"])
    return response


def redirect_or_location(request: HtmxHttpRequest, url: str) -> HttpResponse:
    """Send the browser to the URL, from a plain form as well as from htmx."""
    if request.htmx:
        return HttpResponseClientRedirect(url)
    response = HttpResponse(status=303)
    response["Location"] = url
    return response


def add_toast(response: HttpResponse, message: str, *, kind: str = "info") -> None:
    """Let the page show a short message. kind: info, success, error."""
    trigger_client_event(response, "toast", {"message": message, "kind": kind})
