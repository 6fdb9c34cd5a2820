"""Choose language, theme and time zone; strangers keep theirs in cookies."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language, gettext, override
from django.views.decorators.http import require_POST

from devrag.access.preferences import (
    THEME_COOKIE,
    change_preferences,
    check_preferences,
)
from devrag.core.errors import InvalidInput
from devrag.web.preferences_form import PreferencesForm
from devrag.web.requests import WebRequest, sign_in_required

_COOKIES = {"language": settings.LANGUAGE_COOKIE_NAME, "theme": THEME_COOKIE}


@require_POST
def choose(request: WebRequest) -> HttpResponse:
    """Take a choice made in a menu; a script gets 204, a browser goes back."""
    sent = _take(request)
    if request.headers.get("X-Requested-With") == "fetch":
        return _with_cookies(HttpResponse(status=204), sent)
    return _with_cookies(HttpResponseRedirect(_back(request)), sent)


@require_POST
@sign_in_required
def store(request: WebRequest) -> HttpResponse:
    """Store the form of the account's page; the answer is in the language chosen."""
    sent = _take(request)
    with override(sent.get("language") or get_language()):
        messages.success(request, gettext("Preferences saved."))
    return _with_cookies(HttpResponseRedirect(reverse("web:settings_account")), sent)


def _take(request: WebRequest) -> dict[str, str]:
    """Check and store what was sent; return it. Raises InvalidInput."""
    form = PreferencesForm(request.POST)
    if not form.is_valid():
        raise InvalidInput(gettext("These preferences are not valid."))
    sent: dict[str, str] = form.sent
    check_preferences(**sent)
    if request.user.is_authenticated:
        change_preferences(user=request.user, **sent)
    return sent


def _with_cookies(response: HttpResponse, sent: dict[str, str]) -> HttpResponse:
    """Keep language and theme in the browser, also for when one is signed out."""
    for name in _COOKIES.keys() & sent.keys():
        if not sent[name]:
            response.delete_cookie(_COOKIES[name], samesite="Lax")
            continue
        response.set_cookie(
            _COOKIES[name],
            sent[name],
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


def _back(request: WebRequest) -> str:
    """Return the page to go back to: one of this host, else the dashboard."""
    page = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(
        page,
        allowed_hosts={request.get_host()},
        require_https=request.is_secure(),
    )
    return page if is_ours else reverse("web:dashboard")
