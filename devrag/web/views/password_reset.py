"""Forgot your password? Ask for a link by email, and choose a new one."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from devrag.access.sign_in import SignInLocked, count_forgotten_password
from devrag.accounts.api import (
    is_reset_possible,
    request_reset_links,
    reset_password,
    user_of_link,
)
from devrag.core.htmx import render_page
from devrag.web.invitation_forms import NewPasswordForm
from devrag.web.requests import WebRequest


class AddressForm(forms.Form):
    """Whose password was forgotten."""

    address = forms.EmailField(max_length=254)


@require_http_methods(["GET", "POST"])
@never_cache
def forgot(request: WebRequest) -> HttpResponse:
    """Ask for an address; answer the same whether or not an account has it."""
    if not is_reset_possible():
        raise Http404
    form = AddressForm(request.POST if request.method == "POST" else None)
    context: dict[str, object] = {"form": form}
    if not form.is_valid():
        return _show(request, context, status=422 if form.is_bound else 200)
    address = form.cleaned_data["address"]
    try:
        count_forgotten_password(request, address)
    except SignInLocked as locked:
        context["problem"] = locked.message
        response = _show(request, context, status=429)
        response["Retry-After"] = str(locked.retry_after_seconds)
        return response
    request_reset_links(address, get_language() or "")
    context["asked_for"] = address
    return _show(request, context)


@require_http_methods(["GET", "POST"])
@sensitive_post_parameters()
@never_cache
def reset(request: WebRequest, uid: str, token: str) -> HttpResponse:
    """Show the form of a link, or replace the password and lead to the sign-in page."""
    user = user_of_link(uid, token)
    form = NewPasswordForm(
        request.POST if request.method == "POST" else None, user=user
    )
    if form.is_valid():
        reset_password(uid, token, form.cleaned_data["new_password1"])
        messages.success(
            request, gettext("Password changed. Sign in with the new one.")
        )
        return HttpResponseRedirect(reverse("web:sign_in"))
    return render_page(
        request,
        "web/password_reset.html",
        {"form": form, "user_name": user.get_username()},
        status=422 if form.is_bound else 200,
    )


def _show(
    request: WebRequest, context: dict[str, object], status: int = 200
) -> HttpResponse:
    return render_page(request, "web/forgot_password.html", context, status=status)
