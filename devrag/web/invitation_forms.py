"""Forms of invitations: to make a link, and to take it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.auth import password_validation
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy

from devrag.accounts.models import Invitation
from devrag.products.models import Product

_DAYS = (
    (1, gettext_lazy("1 day")),
    (7, gettext_lazy("7 days")),
    (30, gettext_lazy("30 days")),
)
_ROLES = {
    Invitation.Role.VIEWER: gettext_lazy("viewer"),
    Invitation.Role.MAINTAINER: gettext_lazy("maintainer"),
    Invitation.Role.CREATOR: gettext_lazy("product creator"),
    Invitation.Role.ADMINISTRATOR: gettext_lazy("administrator"),
}


class InvitationForm(forms.Form):
    """Whom to invite with what role. product: '' for the installation."""

    product_name = forms.ChoiceField(required=False)
    role = forms.ChoiceField(initial=Invitation.Role.VIEWER)
    days = forms.TypedChoiceField(choices=_DAYS, coerce=int, initial=7)
    note = forms.CharField(required=False, max_length=100)

    def __init__(
        self,
        data: Any = None,
        *,
        products: Sequence[Product],
        is_admin: bool,
        initial: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=initial)
        named = [(each.name, str(each)) for each in products]
        everywhere = [("", gettext_lazy("No product (account only)"))]
        names = [*(everywhere if is_admin else []), *named]
        self.fields["product_name"].choices = names  # type: ignore[attr-defined]
        usual = (Invitation.Role.VIEWER, Invitation.Role.MAINTAINER)
        self.fields["role"].choices = [  # type: ignore[attr-defined]
            (role.value, word)
            for role, word in _ROLES.items()
            if is_admin or role in usual
        ]


class NewPasswordForm(forms.Form):
    """A password, twice. user: whose it will be, for the rules that compare."""

    new_password1 = forms.CharField(strip=False, max_length=4096)
    new_password2 = forms.CharField(strip=False, max_length=4096)

    def __init__(self, data: Any = None, *, user: User | None = None) -> None:
        super().__init__(data)
        self.user = user

    def clean_new_password1(self) -> str:
        password: str = self.cleaned_data["new_password1"]
        password_validation.validate_password(password, self.user)
        return password

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.errors and given["new_password1"] != given["new_password2"]:
            self.add_error(
                "new_password2", gettext_lazy("The two passwords do not match.")
            )
        return given


class NewAccountForm(NewPasswordForm):
    """A name as well; whether it is free, the service says."""

    name = forms.CharField(max_length=150)
