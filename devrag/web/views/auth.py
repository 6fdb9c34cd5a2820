"""Sign-in with allauth's view, sign-out with Django's; the administration's, too."""

from __future__ import annotations

import unicodedata
from typing import Any
from urllib.parse import urlencode

from allauth.account.forms import LoginForm
from allauth.account.views import LoginView
from django.contrib import admin
from django.contrib.auth.models import User
from django.contrib.auth.views import LogoutView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from devrag.access.auth import is_direct_local_request
from devrag.access.sign_in import SignInLocked
from devrag.core.errors import PermissionDenied
from devrag.web.views.oidc import ways_in

# As before allauth, whose name for it is "login": password managers know it.
_FIELD_NAMES = {"login": "username"}


class SignInForm(LoginForm):  # type: ignore[misc]  # allauth has no types
    """allauth's form in our style; it knows for how long sign-in is locked."""

    locked: SignInLocked | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs["class"] = "input"
            field.widget.attrs.pop("placeholder", None)

    def add_prefix(self, field_name: str) -> str:
        return _FIELD_NAMES.get(field_name, field_name)

    def clean_login(self) -> str:
        """Return the name as Django stores names: in normalised Unicode."""
        return unicodedata.normalize("NFKC", self.cleaned_data["login"].strip())

    def clean(self) -> Any:
        try:
            return super().clean()
        except SignInLocked as locked:
            self.locked = locked
            raise


class SignIn(LoginView):  # type: ignore[misc]
    template_name = "web/sign_in.html"
    form_class = SignInForm

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the form with the other ways in beside it.

        is_first_start: nobody has signed in yet, so how to begin is told; where the
        password is, only to who sits at the server itself (is_local).
        """
        is_first_start = not User.objects.exclude(last_login=None).exists()
        ways = {
            **ways_in(self.request),
            "is_first_start": is_first_start,
            "is_local": is_first_start and is_direct_local_request(self.request),
        }
        return {**super().get_context_data(**kwargs), **ways}

    def form_invalid(self, form: SignInForm) -> HttpResponse:
        """Show the form again, with 429 while sign-in is locked."""
        response: HttpResponse = super().form_invalid(form)
        if form.locked is not None:
            response.status_code = 429
            response["Retry-After"] = str(form.locked.retry_after_seconds)
        return response


class SignOut(LogoutView):
    next_page = "web:dashboard"


def admin_password(
    request: HttpRequest, extra_context: dict[str, Any] | None = None
) -> HttpResponse:
    """Lead to the page where people change their own password."""
    return HttpResponseRedirect(reverse("web:settings_account"))


def admin_sign_in(
    request: HttpRequest, extra_context: dict[str, Any] | None = None
) -> HttpResponse:
    """Lead to the one sign-in page instead of a second form without limits."""
    if admin.site.has_permission(request):
        return HttpResponseRedirect(reverse("admin:index"))
    if request.user.is_authenticated:
        raise PermissionDenied("")
    asked = request.GET.get("next") or reverse("admin:index")
    query = urlencode({"next": asked})
    return HttpResponseRedirect(f"{reverse('web:sign_in')}?{query}")
