"""Passkeys: their page of the account, and signing in with one."""

from __future__ import annotations

from collections.abc import Callable

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from devrag.access.sessions import end_other_sessions
from devrag.access.sign_in import (
    SignInLocked,
    count_challenge,
    count_passkey,
    count_password_change,
    count_second_step,
    record_refused_passkey,
)
from devrag.accounts.api import (
    begin_passkey,
    begin_passkey_sign_in,
    finish_passkey,
    list_passkeys,
    pending_second_step,
    remove_passkey,
    rename_passkey,
    take_passkey,
)
from devrag.core.errors import DevragError
from devrag.core.htmx import render_page
from devrag.web.requests import WebRequest, sign_in_required
from devrag.web.views.oidc import safe_next, show_problem
from devrag.web.views.passkey_challenge import (
    keep_challenge,
    require_site,
    site_of,
    take_challenge,
)


@require_http_methods(["GET", "POST"])
@sensitive_post_parameters("password")
@never_cache
@sign_in_required
def passkeys(request: WebRequest) -> HttpResponse:
    """List the own passkeys; add, rename or remove one."""
    user = User.objects.get(pk=request.principal.user_id or 0)
    action = request.POST.get("action", "")
    if request.method != "POST" or not user.has_usable_password():
        return _page(request, user)
    try:
        if action in ("begin", "remove"):
            count_password_change(request)
            if not user.check_password(request.POST.get("password", "")):
                return _refuse(request, user, gettext("Incorrect password."))
        return _act(request, user, action)
    except SignInLocked as locked:
        return _refuse(request, user, str(locked.message), locked)
    except DevragError as error:
        return _refuse(request, user, error.message)


def _act(request: WebRequest, user: User, action: str) -> HttpResponse:
    if action == "begin":
        options, state = begin_passkey(user, require_site(request))
        keep_challenge(request, "add", state)
        return JsonResponse(options)
    if action == "finish":
        codes = finish_passkey(
            user=user,
            site=require_site(request),
            state=take_challenge(request, "add"),
            answer=request.POST.get("credential", ""),
            name=request.POST.get("name", ""),
        )
        messages.success(request, gettext("Passkey added."))
        if codes:
            end_other_sessions(user_id=user.pk, current_key=request.session.session_key)
            return _page(request, user, codes=codes)
    elif action in ("rename", "remove"):
        _change(request, user, action)
    return HttpResponseRedirect(reverse("web:passkeys"))


def _change(request: WebRequest, user: User, action: str) -> None:
    number = request.POST.get("passkey", "")
    passkey_id = int(number) if number.isdecimal() and len(number) < 19 else 0
    if action == "rename":
        rename_passkey(user, passkey_id, request.POST.get("name", ""))
    else:
        remove_passkey(user, passkey_id)
        messages.success(request, gettext("Passkey removed."))


def _refuse(
    request: WebRequest, user: User, problem: str, locked: SignInLocked | None = None
) -> HttpResponse:
    """Say what is wrong: to the script that asks for a challenge, else on the page."""
    if request.POST.get("action") == "begin":
        return _problem(problem, locked)
    return _with_wait(_page(request, user, problem=problem), locked)


def _problem(problem: str, locked: SignInLocked | None) -> HttpResponse:
    return _with_wait(JsonResponse({"problem": problem}, status=422), locked)


def _with_wait(response: HttpResponse, locked: SignInLocked | None) -> HttpResponse:
    if locked is not None:
        response.status_code = 429
        response["Retry-After"] = str(locked.retry_after_seconds)
    return response


def _page(
    request: WebRequest,
    user: User,
    *,
    problem: str = "",
    codes: list[str] | None = None,
) -> HttpResponse:
    context = {
        "section": "account",
        "problem": problem,
        "codes": codes,
        "passkeys": list_passkeys(user.pk),
        "site": site_of(request),
        "has_password": user.has_usable_password(),
    }
    status = 422 if problem else 200
    return render_page(request, "settings/passkeys.html", context, status=status)


@require_POST
@never_cache
def sign_in(request: WebRequest) -> HttpResponse:
    """Sign in with a passkey: after the right password, or instead of one."""
    step = pending_second_step(request) if "second" in request.POST else None
    user_id = step.login.user.pk if step else None
    purpose = f"sign-in {user_id or ''}"
    is_begin = request.POST.get("action") == "begin"
    try:
        site = require_site(request)
        if is_begin:
            count_challenge(request)
            options, state = begin_passkey_sign_in(site, user_id)
            keep_challenge(request, purpose, state)
            return JsonResponse(options)
        take_back = _count(request, user_id)
        user = take_passkey(
            site=site,
            state=take_challenge(request, purpose),
            answer=request.POST.get("credential", ""),
            user_id=user_id,
        )
    except SignInLocked as locked:
        return _with_wait(_fail(request, str(locked.message)), locked)
    except DevragError as error:
        if not is_begin:
            record_refused_passkey(step.login.user.username if step else "")
        return _fail(request, error.message)
    take_back()
    if step is not None:
        return step.exit()  # type: ignore[no-any-return]  # allauth has no types
    get_adapter(request).login(request, user)
    return HttpResponseRedirect(safe_next(request, request.POST.get("next", "")))


def _count(request: WebRequest, user_id: int | None) -> Callable[[], None]:
    if user_id is None:
        return count_passkey(request)
    return count_second_step(request, user_id)


def _fail(request: WebRequest, problem: str) -> HttpResponse:
    """Say what is wrong, on the page from which it was tried."""
    if request.POST.get("action") == "begin":
        return _problem(problem, None)
    if "second" in request.POST:
        messages.error(request, problem)
        return HttpResponseRedirect(reverse("web:second_step"))
    return show_problem(request, problem, status=422)
