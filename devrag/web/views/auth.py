"""Sign-in and sign-out with Django's own views."""

from __future__ import annotations

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest
from django.utils.translation import gettext_lazy


class SignInForm(AuthenticationForm):
    """Django's form in our words and style."""

    error_messages = {
        "invalid_login": gettext_lazy(
            "That name and password do not belong together. Check both; "
            "capital letters count."
        ),
        "inactive": gettext_lazy("This account is switched off. Ask an administrator."),
    }

    def __init__(self, request: HttpRequest | None = None, *args: object, **kw: object):
        super().__init__(request, *args, **kw)
        for field in self.fields.values():
            field.widget.attrs["class"] = "input"


class SignIn(LoginView):
    template_name = "web/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True


class SignOut(LogoutView):
    next_page = "web:dashboard"
