"""The user's own account: change the password, which ends all other sessions."""

from __future__ import annotations

import structlog
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from devrag.access.sign_in import (
    SignInLocked,
    client_address,
    count_password_change,
)
from devrag.core.htmx import render_page
from devrag.web.requests import WebRequest, sign_in_required

log = structlog.get_logger(__name__)


class PasswordForm(PasswordChangeForm):
    """Django's form with short messages and a limit on attempts."""

    error_messages = {
        **PasswordChangeForm.error_messages,
        "password_incorrect": gettext_lazy("Incorrect password."),
        "password_mismatch": gettext_lazy("The two passwords do not match."),
    }

    def __init__(self, request: HttpRequest) -> None:
        is_sent = request.method == "POST"
        super().__init__(request.user, request.POST if is_sent else None)
        self.request = request
        self.locked: SignInLocked | None = None

    def clean_old_password(self) -> str:
        try:
            count_password_change(self.request)
        except SignInLocked as locked:
            self.locked = locked
            raise
        return super().clean_old_password()

    @property
    def status(self) -> int:
        if self.locked is not None:
            return 429
        return 422 if self.is_bound else 200


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
@never_cache
@sign_in_required
def account(request: WebRequest) -> HttpResponse:
    """Show the form, or change the password and stay signed in here only."""
    form = PasswordForm(request)
    if form.is_bound and form.is_valid():
        user = form.save()
        update_session_auth_hash(request, user)
        log.info(
            "password_changed",
            user_name=user.get_username(),
            address=client_address(request),
        )
        messages.success(
            request, gettext("Password changed. All other devices are signed out.")
        )
        return HttpResponseRedirect(reverse("web:settings_account"))
    response = render_page(
        request,
        "settings/account.html",
        {
            "form": form,
            "has_password": form.user.has_usable_password(),
            "section": "account",
        },
        status=form.status,
    )
    if form.locked is not None:
        response["Retry-After"] = str(form.locked.retry_after_seconds)
    return response
