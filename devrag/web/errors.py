"""Every failure as a page in our words, or as a fragment when htmx asks for one."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import structlog
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import get_language_from_request, gettext

from devrag.core.errors import DevragError, FileNotFound
from devrag.core.page_urls import file_url, wiki_url
from devrag.core.principal import ANONYMOUS, Principal
from devrag.core.time_limit import TimeLimitExceeded
from devrag.core.unavailable import retry_after, to_unavailable
from devrag.products.services import find_visible_product
from devrag.sources.selectors import CURRENT_VERSION
from devrag.web.error_texts import describe_error
from devrag.web.late_forms import give_back, has_typed, is_own_form
from devrag.web.requests import WebRequest, is_signed_in

log = structlog.get_logger(__name__)
# Pages with the frame of all others, which asks the database who reads.
_FRAMED = frozenset({403, 404, 409})
_OF_PRODUCT = re.compile(r"/p/([^/]+)/")


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
        if isinstance(exception, DevragError):
            return answer_failure(request, exception)
        return answer_unavailable(request, exception)


def render_error(
    request: HttpRequest,
    status: int,
    message: str = "",
    *,
    is_timeout: bool = False,
    closest: str = "",
) -> HttpResponse:
    """Return the error page, or its fragment for htmx.

    closest: the path of a file that may have been meant.
    """
    is_framed = status in _FRAMED
    place = _place_of(request, closest) if is_framed else {}
    is_fragment = bool(getattr(request, "htmx", False))
    # Middleware that fails comes before the one that knows the reader's language.
    with translation.override(get_language_from_request(request)):
        body = render_to_string(
            "errors/error.html#message" if is_fragment else "errors/error.html",
            describe_error(
                request.path_info,
                status,
                message,
                is_timeout=is_timeout,
                is_signed_in=is_framed and is_signed_in(_principal_of(request)),
                is_in_product=bool(place.get("product")),
            )
            | place,
            # A broken database must not break the page that says so: no request, no
            # context processors, no frame that asks for products.
            request=request if is_framed else None,
        )
    response = HttpResponse(body, status=status)
    response["Vary"] = "HX-Request"
    return response


def _principal_of(request: HttpRequest) -> Principal:
    principal: Principal = getattr(request, "principal", ANONYMOUS)
    return principal


def _place_of(request: HttpRequest, closest: str) -> dict[str, Any]:
    """Return the product that an address is below, and where another file of it is."""
    found = _OF_PRODUCT.match(request.path_info)
    if found is None:
        return {}
    product = find_visible_product(unquote(found[1]), _principal_of(request))
    place: dict[str, Any] = {"product": product}
    match = request.resolver_match
    if product and match and match.url_name == "wiki":
        place["front_page_url"] = wiki_url(product.name)
    if closest and request.resolver_match:
        of = request.resolver_match.kwargs
        url = file_url(
            of["name"], of["source"], of.get("version", CURRENT_VERSION), closest
        )
        place |= {"closest": closest, "closest_url": url}
    return place


def render_page_of(scope: Any, status: int) -> bytes:
    """Return the page for a request that came no further than the ASGI server."""
    request = ASGIRequest(scope, io.BytesIO())
    return bytes(render_error(request, status).content)


def answer_failure(request: HttpRequest, error: DevragError) -> HttpResponse:
    """Return the page of an expected failure, with the time to try again if known."""
    if error.http_status >= 500:
        log.error("request_failed", code=error.code, error=error.message)
    is_timeout = isinstance(error, TimeLimitExceeded)
    closest = error.closest if isinstance(error, FileNotFound) else ""
    response = render_error(
        request,
        error.http_status,
        error.message,
        is_timeout=is_timeout,
        closest=closest,
    )
    if seconds := retry_after(error):
        response["Retry-After"] = seconds
    return response


def answer_unavailable(
    request: HttpRequest, error: BaseException | None
) -> HttpResponse | None:
    """Return the page for a service that does not answer, None for other errors."""
    unavailable = to_unavailable(error)
    if unavailable is None:
        return None
    log.error("service_unavailable", error=str(error))
    return answer_failure(request, unavailable)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render_error(request, 413 if _is_too_large(exception) else 400)


def _is_too_large(exception: Exception) -> bool:
    return isinstance(exception, RequestDataTooBig | TooManyFieldsSent)


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
    """Answer errors outside views: middleware reads sessions from the database, too.

    Django calls this while it handles the exception, in the same thread.
    """
    error = sys.exc_info()[1]
    return answer_unavailable(request, error) or render_error(request, 500)
