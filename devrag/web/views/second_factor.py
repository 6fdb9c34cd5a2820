"""Two-step sign-in: the code after the password, and its page of the account."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import segno
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from devrag.access.sessions import end_other_sessions
from devrag.access.sign_in import (
    SignInLocked,
    count_password_change,
    count_second_step,
)
from devrag.accounts.api import (
    begin_second_factor,
    confirm_second_factor,
    count_recovery_codes,
    has_app,
    has_passkeys,
    has_second_factor,
    pending_second_step,
    pending_secret,
    remove_second_factor,
    renew_recovery_codes,
    take_code,
    totp_address,
)
from devrag.core.errors import DevragError
from devrag.core.htmx import render_page
from devrag.web.requests import WebRequest, sign_in_required
from devrag.web.views.passkey_challenge import site_of

_STEP, _PAGE = "web/second_step.html", "settings/second_factor.html"


@require_http_methods(["GET", "POST"])
@sensitive_post_parameters("code")
@never_cache
def second_step(request: WebRequest) -> HttpResponse:
    """Ask for a code after the right password, and go on with a right one."""
    step = pending_second_step(request)
    if step is None:
        return HttpResponseRedirect(reverse("web:sign_in"))
    user_id = step.login.user.pk
    offered = {
        "has_passkeys": has_passkeys(user_id, site_of(request)),
        "has_app": has_app(user_id),
    }
    if request.method != "POST":
        return render_page(request, _STEP, offered)
    if request.POST.get("action") == "cancel":
        return step.abort()  # type: ignore[no-any-return]
    try:
        take_back = count_second_step(request, user_id)
    except SignInLocked as locked:
        return _locked(request, _STEP, locked, offered)
    if take_code(user_id, request.POST.get("code", "")):
        take_back()
        return step.exit()  # type: ignore[no-any-return]
    context = {**offered, "problem": _wrong_code()}
    return render_page(request, _STEP, context, status=422)


@require_http_methods(["GET", "POST"])
@sensitive_post_parameters()
@never_cache
@sign_in_required
def second_factor(request: WebRequest) -> HttpResponse:
    """Show the state, set it up, renew recovery codes or turn it off."""
    user = User.objects.get(pk=request.principal.user_id or 0)
    if request.method != "POST" or not user.has_usable_password():
        return _page(request, user)
    try:
        if request.POST.get("action") == "confirm":
            return _confirm(request, user)
        count_password_change(request)
        if not user.check_password(request.POST.get("password", "")):
            return _page(request, user, problem=gettext("Incorrect password."))
        return _act(request, user)
    except SignInLocked as locked:
        return _locked(request, _PAGE, locked, {"section": "account"})
    except DevragError as error:
        return _page(request, user, problem=error.message)


def _act(request: WebRequest, user: User) -> HttpResponse:
    """Do what was asked for with the right password."""
    action = request.POST.get("action")
    if action == "renew" and has_second_factor(user.pk):
        return _page(request, user, codes=renew_recovery_codes(user.pk))
    if action == "remove":
        remove_second_factor(user.pk)
        is_off = not has_second_factor(user.pk)
        off = gettext("Two-step sign-in is off.")
        app_only = gettext("The app is removed. Sign-in still asks for a passkey.")
        messages.success(request, off if is_off else app_only)
        return HttpResponseRedirect(reverse("web:settings_account"))
    if action == "begin":
        begin_second_factor(user.pk)
    return HttpResponseRedirect(reverse("web:second_factor"))


def _confirm(request: WebRequest, user: User) -> HttpResponse:
    take_back: Callable[[], None] = count_second_step(request, user.pk)
    codes = confirm_second_factor(user.pk, request.POST.get("code", ""))
    if codes is None:
        return _page(request, user, problem=_wrong_code())
    take_back()
    end_other_sessions(user_id=user.pk, current_key=request.session.session_key)
    return _page(request, user, codes=codes)


def _page(
    request: WebRequest,
    user: User,
    *,
    problem: str = "",
    codes: list[str] | None = None,
) -> HttpResponse:
    is_on = has_app(user.pk)
    secret = "" if is_on else pending_secret(user.pk)
    context = {
        "section": "account",
        "problem": problem,
        "codes": codes,
        "is_on": is_on,
        "has_codes": has_second_factor(user.pk),
        "codes_left": count_recovery_codes(user.pk),
        "secret": " ".join(secret[at : at + 4] for at in range(0, len(secret), 4)),
        "qr_code": _qr_code(secret, user, request.get_host()) if secret else "",
        "has_password": user.has_usable_password(),
    }
    return render_page(request, _PAGE, context, status=422 if problem else 200)


def _qr_code(secret: str, user: User, host: str) -> str:
    """Return a picture as a data address. White around it: readers need that."""
    address = totp_address(secret, user.get_username(), f"devrag {host}")
    code = segno.make(address, error="m")
    return str(code.svg_data_uri(scale=5, border=4, light="white"))


def _locked(
    request: WebRequest,
    template: str,
    locked: SignInLocked,
    more: Mapping[str, object] | None = None,
) -> HttpResponse:
    context = {**(more or {}), "problem": locked.message}
    response = render_page(request, template, context, status=429)
    response["Retry-After"] = str(locked.retry_after_seconds)
    return response


def _wrong_code() -> str:
    return gettext("Incorrect or used code. Wait for the next one and try again.")
