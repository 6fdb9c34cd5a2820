"""The user's own account: preferences, password, and where they are signed in."""

from __future__ import annotations

from typing import cast

import structlog
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from devrag.access.preferences import preferences_of
from devrag.access.sessions import (
    end_other_sessions,
    end_session,
    list_sessions,
)
from devrag.access.sign_in import (
    SignInLocked,
    client_address,
    count_password_change,
)
from devrag.accounts.api import (
    configured_provider,
    has_app,
    linked_identity,
    list_passkeys,
)
from devrag.core.htmx import render_page
from devrag.web.pages.time_zones import zones_by_region
from devrag.web.preferences_form import THEMES, PreferencesForm, languages
from devrag.web.requests import WebRequest, sign_in_required
from devrag.web.views.oidc import link_url

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
    """Show the page, or change the password and stay signed in here only."""
    form = PasswordForm(request)
    if form.is_bound and form.is_valid():
        _change_password(request, form)
        messages.success(
            request, gettext("Password changed. All other devices are signed out.")
        )
        return _to_account()
    chosen = preferences_of(request.user)
    context = {
        "form": form,
        "has_password": form.user.has_usable_password(),
        "sessions": list_sessions(_user_id(request), request.session.session_key),
        "preferences": PreferencesForm.of(chosen),
        "themes": THEMES,
        "languages": languages(),
        "zones": zones_by_region(chosen.time_zone or ""),
        "section": "account",
        "is_two_step": has_app(_user_id(request)),
        "passkey_count": len(list_passkeys(_user_id(request))),
        **_identity(request),
    }
    response = render_page(
        request, "settings/account.html", context, status=form.status
    )
    if form.locked is not None:
        response["Retry-After"] = str(form.locked.retry_after_seconds)
    return response


def _identity(request: WebRequest) -> dict[str, object]:
    """Return the account's counterpart at the provider, or how to link one."""
    configuration = configured_provider()
    if configuration is None:
        return {}
    return {
        "oidc_name": configuration.name,
        "identity": linked_identity(_user_id(request)),
        "link_url": link_url(_user_id(request)),
    }


def _change_password(request: WebRequest, form: PasswordForm) -> None:
    user = form.save()
    end_other_sessions(user_id=user.pk, current_key=request.session.session_key)
    update_session_auth_hash(request, user)
    log.info(
        "password_changed",
        user_name=user.get_username(),
        address=client_address(request),
    )


@require_POST
@sign_in_required
def end(request: WebRequest, session_id: int) -> HttpResponse:
    """Sign out one session; its own one as well, as with the menu."""
    end_session(user_id=_user_id(request), session_id=session_id)
    messages.success(request, gettext("Session signed out."))
    return _to_account()


@require_POST
@sign_in_required
def end_others(request: WebRequest) -> HttpResponse:
    """Sign out everywhere but here."""
    end_other_sessions(
        user_id=_user_id(request), current_key=request.session.session_key
    )
    messages.success(request, gettext("All other sessions are signed out."))
    return _to_account()


def _user_id(request: WebRequest) -> int:
    """Return who is signed in, as these views require."""
    return cast("int", request.user.pk)


def _to_account() -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("web:settings_account"))
