"""Passkeys: made and removed on the account page, and sign-in with them."""

from __future__ import annotations

import json
from typing import Any

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from devrag.access.sign_in import SignInLocked, count_password_change
from devrag.accounts.api import (
    begin_passkey,
    begin_passkey_sign_in,
    finish_passkey,
    finish_passkey_sign_in,
    remove_passkey,
)
from devrag.core.errors import DevragError
from devrag.web.requests import WebRequest, sign_in_required
from devrag.web.views.oidc import safe_next


@require_POST
@sensitive_post_parameters("password")
@never_cache
@sign_in_required
def begin(request: WebRequest) -> HttpResponse:
    """Start to make a passkey, with the current password where there is one."""
    user = User.objects.get(pk=request.principal.user_id or 0)
    try:
        count_password_change(request)
        password = request.POST.get("password", "")
        if user.has_usable_password() and not user.check_password(password):
            return _problem(gettext("Incorrect password."), 422)
        options, state = begin_passkey(user, request.get_host())
    except SignInLocked as locked:
        return _problem(str(locked.message), 429)
    except DevragError as error:
        return _problem(error.message, error.http_status)
    return JsonResponse({"options": options["publicKey"], "state": state})


@require_POST
@never_cache
@sign_in_required
def finish(request: WebRequest) -> HttpResponse:
    """Store the passkey that the browser made."""
    user = User.objects.get(pk=request.principal.user_id or 0)
    try:
        finish_passkey(
            user,
            request.get_host(),
            request.POST.get("state", ""),
            _answer(request),
            request.POST.get("name", ""),
        )
    except DevragError as error:
        return _problem(error.message, error.http_status)
    messages.success(request, gettext("Passkey added."))
    return JsonResponse({"location": reverse("web:settings_account")})


@require_POST
@sign_in_required
def remove(request: WebRequest, passkey_id: int) -> HttpResponse:
    remove_passkey(request.principal.user_id or 0, passkey_id)
    messages.success(request, gettext("Passkey removed."))
    return HttpResponseRedirect(reverse("web:settings_account"))


@require_POST
@never_cache
def begin_sign_in(request: WebRequest) -> HttpResponse:
    """Start a sign-in; which passkey, the browser asks."""
    options, state = begin_passkey_sign_in(request.get_host())
    return JsonResponse({"options": options["publicKey"], "state": state})


@require_POST
@never_cache
def finish_sign_in(request: WebRequest) -> HttpResponse:
    """Sign in whose passkey it is, and say where to go on."""
    try:
        user = finish_passkey_sign_in(
            request.get_host(), request.POST.get("state", ""), _answer(request)
        )
    except DevragError as error:
        return _problem(error.message, error.http_status)
    get_adapter(request).login(request, user)
    return JsonResponse({"location": safe_next(request, request.POST.get("next", ""))})


def _answer(request: WebRequest) -> dict[str, Any]:
    """Return the credential as the browser gave it; empty for what is none."""
    try:
        read = json.loads(request.POST.get("answer", ""))
    except (ValueError, RecursionError):
        read = None
    return read if isinstance(read, dict) else {}


def _problem(message: str, status: int) -> JsonResponse:
    return JsonResponse({"problem": message}, status=status)
