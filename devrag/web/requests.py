"""The request as views see it, and who may pass."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlencode

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext

from devrag.core.errors import PermissionDenied
from devrag.core.htmx import HtmxHttpRequest, redirect_or_location
from devrag.core.principal import Principal, Role
from devrag.web.late_forms import give_back, has_typed

P = ParamSpec("P")


class WebRequest(HtmxHttpRequest):
    """A request that passed the htmx and the principal middleware."""

    principal: Principal


View = Callable[Concatenate[WebRequest, P], HttpResponse]


# What only answers may also stream.
AnyView = Callable[Concatenate[WebRequest, P], HttpResponseBase]


def reader_required(view: AnyView[P]) -> AnyView[P]:
    """Send those who may read nothing to the sign-in page, and back afterwards."""

    @wraps(view)
    def guarded(
        request: WebRequest, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        if request.principal.role < Role.VIEWER:
            return ask_to_sign_in(request, _page_of(request))
        return view(request, *args, **kwargs)

    return guarded


def _page_of(request: WebRequest) -> str:
    """Return the address of the page that asks, for a part of it too."""
    page: str | None = request.htmx.current_url_abs_path if request.htmx else None
    return page or request.get_full_path()


def sign_in_required(view: View[P]) -> View[P]:
    """Send who is not signed in to the sign-in page; a plain POST to the dashboard."""

    @wraps(view)
    def guarded(
        request: WebRequest, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        if not is_signed_in(request.principal):
            is_page = request.method == "GET" or bool(request.htmx)
            back = _page_of(request) if is_page else reverse("web:dashboard")
            return ask_to_sign_in(request, back)
        return view(request, *args, **kwargs)

    return guarded


def admin_required(view: View[P]) -> View[P]:
    """Let only administrators pass; others are told so."""

    @wraps(view)
    def guarded(
        request: WebRequest, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        if not request.principal.is_admin:
            raise PermissionDenied(gettext("Only administrators can do this."))
        return view(request, *args, **kwargs)

    return sign_in_required(guarded)


def ask_to_sign_in(request: WebRequest, next_url: str) -> HttpResponse:
    """Redirect to the sign-in page, which leads on to `next_url`.

    A form comes back with what was typed instead.
    """
    if request.method == "POST" and has_typed(request):
        return give_back(request, is_signed_in=False)
    query = urlencode({"next": next_url})
    return redirect_or_location(request, f"{reverse('web:sign_in')}?{query}")


def is_signed_in(principal: Principal) -> bool:
    return principal.user_id is not None
