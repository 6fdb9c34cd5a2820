"""What the administration asks for a new source."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy
from unfold.widgets import (
    UnfoldAdminPasswordWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from devrag.core.errors import DevragError
from devrag.core.principal import ANONYMOUS, Principal
from devrag.sources.api import connection_forms, source_types
from devrag.sources.connectors.types import Credentials
from devrag.sources.models import Source
from devrag.use_cases.api import check_connection

_LONGEST_ADDRESS, _LONGEST_NAME, _LONGEST_TOKEN = 2_000, 200, 4_000


class NewSourceForm(forms.ModelForm):  # type: ignore[type-arg]  # not at run time
    """A source to add: its place is asked before anything is stored.

    principal: who adds it; see `for_principal`.
    """

    principal: Principal = ANONYMOUS
    source_type = forms.ChoiceField(
        label=gettext_lazy("Source type"), widget=UnfoldAdminSelectWidget()
    )
    location = forms.CharField(
        label=gettext_lazy("Address or path"),
        max_length=_LONGEST_ADDRESS,
        widget=UnfoldAdminTextInputWidget(),
    )
    username = forms.CharField(
        label=gettext_lazy("Username"),
        required=False,
        max_length=_LONGEST_NAME,
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
    )
    secret = forms.CharField(
        label=gettext_lazy("Token"),
        required=False,
        max_length=_LONGEST_TOKEN,
        widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "new-password"}),
        help_text=gettext_lazy("It is stored encrypted and not shown again."),
    )

    class Meta:
        model = Source
        fields = ("product",)

    @classmethod
    def for_principal(cls, principal: Principal) -> type[NewSourceForm]:
        """Return the form of who asks."""
        return type("NewSourceForm", (cls,), {"principal": principal})

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        titles = {k: gettext(form.title) for k, form in connection_forms().items()}
        self.fields["source_type"].choices = [  # type: ignore[attr-defined]
            (kind, titles.get(kind, kind)) for kind in source_types()
        ]

    def clean(self) -> dict[str, Any]:
        """Ask the place; why it cannot be read stands above the form."""
        given = super().clean() or {}
        if not self.errors:
            try:
                check_connection(principal=self.principal, **self.request())
            except DevragError as error:
                raise forms.ValidationError(error.message) from error
        return given

    def request(self) -> dict[str, Any]:
        """Return what the use cases take of a form whose fields are valid."""
        given = self.cleaned_data
        return {
            "location": given["location"],
            "product_name": given["product"].name,
            "source_type": given["source_type"],
            "credentials": Credentials(given["username"].strip(), given["secret"]),
        }
