"""Every failure as a page in our words, or as a fragment when htmx asks for one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import structlog
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext, gettext_noop

from devrag.core.errors import DevragError
from devrag.web.requests import WebRequest, is_signed_in
from devrag.web.typed import give_back, has_typed, is_own_form

log = structlog.get_logger(__name__)
# The embedded database is back within this time after a restart.
RETRY_SECONDS = 10


@dataclass(frozen=True, slots=True)
class ErrorText:
    title: str
    message: str


_TEXTS = {
    400: ErrorText(
        gettext_noop("That request does not make sense"),
        gettext_noop(
            "Something in the address or form cannot be used. Go back and try again."
        ),
    ),
    403: ErrorText(
        gettext_noop("You may not do that"),
        gettext_noop("Sign in as someone who may, or ask an administrator."),
    ),
    404: ErrorText(
        gettext_noop("There is nothing here"),
        gettext_noop(
            "The page may have moved, or you may not see it. Search, or start from the "
            "dashboard."
        ),
    ),
    409: ErrorText(
        gettext_noop("Not now"), gettext_noop("The state of things does not allow it.")
    ),
    500: ErrorText(
        gettext_noop("Something went wrong on our side"),
        gettext_noop(
            "It has been logged. Try again; if it stays, `devrag doctor` says what is "
            "wrong."
        ),
    ),
    502: ErrorText(
        gettext_noop("Something else did not answer"),
        gettext_noop("Try again in a moment."),
    ),
    503: ErrorText(
        gettext_noop("A service is not running"),
        gettext_noop(
            "The database or another service does not answer. `devrag server status` "
            "shows which."
        ),
    ),
}


class DevragErrorMiddleware:
    """Turn expected failures raised by views into pages with their own sentence."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # PostgreSQL has no NUL in text: no such address or question can exist.
        if "\x00" in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            return render_error(request, 400)
        return self.get_response(request)

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponse | None:
        if isinstance(exception, OperationalError):
            log.error("database_away", error=str(exception))
            return away(request)
        if not isinstance(exception, DevragError):
            return None
        if exception.http_status >= 500:
            log.error("request_failed", code=exception.code, error=exception.message)
        return render_error(request, exception.http_status, exception.message)


def render_error(request: HttpRequest, status: int, message: str = "") -> HttpResponse:
    """Return the error page, or its fragment for htmx."""
    text = _TEXTS.get(status, _TEXTS[500])
    is_fragment = bool(getattr(request, "htmx", False))
    body = render_to_string(
        "errors/error.html#message" if is_fragment else "errors/error.html",
        {
            "status": status,
            "title": gettext(text.title),
            "message": message or gettext(text.message),
        },
        # A broken database must not break the page that says so: no request, no
        # context processors, no frame that asks for products.
        request=request if status in {403, 404, 409} else None,
    )
    response = HttpResponse(body, status=status)
    response["Vary"] = "HX-Request"
    return response


def away(request: HttpRequest) -> HttpResponse:
    """Say that the database does not answer, and when to ask again."""
    response = render_error(request, 503)
    response["Retry-After"] = str(RETRY_SECONDS)
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render_error(request, 400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render_error(request, 403)


def csrf_failure(request: WebRequest, reason: str = "") -> HttpResponse:
    """Say what a failed CSRF check means to a person; what they typed comes back."""
    if is_own_form(request) and has_typed(request):
        return give_back(request, is_signed_in=is_signed_in(request.principal))
    return render_error(
        request,
        403,
        gettext(
            "This page was open for too long, or cookies are blocked. Reload it and "
            "send the form again."
        ),
    )


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render_error(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    return render_error(request, 500)
