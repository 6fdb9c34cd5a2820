"""Sign-in by OpenID Connect: to the provider, back from it, and linked accounts."""

from __future__ import annotations

from urllib.parse import urlencode

import structlog
from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from devrag.accounts.api import (
    COOKIE,
    MOST_SECONDS,
    Begun,
    Configuration,
    begin,
    configured_provider,
    finish,
    is_reset_possible,
    link_identity,
    resume,
    sign_in_user,
    unlink_identity,
)
from devrag.core.errors import DevragError
from devrag.web.requests import WebRequest, sign_in_required
from devrag.web.views.passkey_challenge import site_of

log = structlog.get_logger(__name__)
_LINK_SALT = "devrag.web.oidc.link"
_COOKIE_PATH = "/sign-in/oidc/"
_LONGEST_STATE = 200


@require_GET
@never_cache
def start(request: WebRequest) -> HttpResponse:
    """Go to the provider. It is a link: forms may not lead to other hosts (CSP)."""
    configuration = _configuration()
    try:
        begun, url = begin(
            configuration,
            request.build_absolute_uri(reverse("web:oidc_callback")),
            safe_next(request, request.GET.get("next", "")),
            link_user_id=_link_user_id(request),
        )
    except DevragError as error:
        return show_problem(request, error.message, error.http_status)
    response = HttpResponseRedirect(url)
    _set_cookie(response, begun)
    return response


@require_GET
@never_cache
def callback(request: WebRequest) -> HttpResponse:
    """Come back from the provider: sign in, or link the account that is signed in."""
    configuration = _configuration()
    answer = {name: request.GET[name] for name in request.GET}
    try:
        state = answer.get("state", "")[:_LONGEST_STATE]
        begun = resume(request.COOKIES.get(COOKIE), state)
        response = _finish(request, begun, answer, configuration)
    except DevragError as error:
        response = show_problem(request, error.message, error.http_status)
    response.delete_cookie(COOKIE, path=_COOKIE_PATH, samesite="Lax")
    return response


@require_POST
@sign_in_required
def unlink(request: WebRequest) -> HttpResponse:
    """Unlink the own account."""
    try:
        unlink_identity(request.user.pk or 0)
    except DevragError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, gettext("Account unlinked."))
    return HttpResponseRedirect(reverse("web:settings_account"))


def show_problem(request: HttpRequest, problem: str, status: int) -> HttpResponse:
    """Show the sign-in page with what went wrong."""
    context = {"problem": problem, "redirect_field_value": "", **ways_in(request)}
    return render(request, "web/sign_in.html", context, status=status)


def ways_in(request: HttpRequest) -> dict[str, object]:
    """Return what the sign-in page offers beside the form for a password.

    oidc_name: '' without a provider. is_password_shown: passwords are for everybody, or
    a local administrator asks for the form.
    """
    configuration = configured_provider()
    is_passkey_shown = site_of(request) is not None
    if configuration is None:
        return {
            "is_passkey_shown": is_passkey_shown,
            "oidc_name": "",
            "is_password_shown": True,
            "is_reset_possible": is_reset_possible(),
        }
    onwards = safe_next(request, request.GET.get("next", ""))
    return {
        "is_passkey_shown": is_passkey_shown,
        "oidc_name": configuration.name,
        "oidc_url": f"{reverse('web:oidc_start')}?{urlencode({'next': onwards})}",
        "is_password_limited": configuration.is_only,
        "is_password_shown": not configuration.is_only
        or request.method == "POST"
        or "local" in request.GET,
        "is_reset_possible": is_reset_possible(),
        "local_url": f"?{urlencode({'local': 1, 'next': onwards})}",
    }


def link_url(user_id: int) -> str:
    """Return the address that links an account; nobody else can make it."""
    token = signing.dumps(user_id, salt=_LINK_SALT)
    return f"{reverse('web:oidc_start')}?{urlencode({'link': token})}"


def _finish(
    request: WebRequest,
    begun: Begun,
    answer: dict[str, str],
    configuration: Configuration,
) -> HttpResponse:
    claims = finish(begun, answer, configuration)
    if begun.link_user_id:
        if begun.link_user_id != request.user.pk:
            raise Http404
        link_identity(begun.link_user_id, claims, configuration)
        messages.success(
            request,
            gettext("Your account is linked to %(name)s.")
            % {"name": configuration.name},
        )
        return HttpResponseRedirect(reverse("web:settings_account"))
    user = sign_in_user(claims, configuration)
    get_adapter(request).login(request, user)
    request.session.set_expiry(configuration.session_seconds)
    return HttpResponseRedirect(begun.next_url)


def _configuration() -> Configuration:
    configuration = configured_provider()
    if configuration is None:
        raise Http404
    return configuration


def _link_user_id(request: WebRequest) -> int:
    """Return who links their account; 0 where nobody does."""
    if "link" not in request.GET:
        return 0
    try:
        user_id = signing.loads(
            request.GET["link"], salt=_LINK_SALT, max_age=MOST_SECONDS
        )
    except signing.BadSignature:
        user_id = None
    if user_id is None or user_id != request.user.pk:
        raise Http404
    return int(user_id)


def safe_next(request: HttpRequest, url: str) -> str:
    """Return where to go after sign-in: a page of this host."""
    is_safe = url_has_allowed_host_and_scheme(
        url, {request.get_host()}, require_https=request.is_secure()
    )
    return url if is_safe else reverse("web:dashboard")


def _set_cookie(response: HttpResponse, begun: Begun) -> None:
    response.set_cookie(
        COOKIE,
        begun.as_cookie(),
        max_age=MOST_SECONDS,
        path=_COOKIE_PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",  # the provider leads back here from another site
    )
