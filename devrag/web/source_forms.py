"""What people type to connect a wiki, a tracker or a private repository."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from devrag.core.errors import InvalidInput
from devrag.products.services import check_product_name
from devrag.sources.api import ConnectionForm, connection_forms
from devrag.sources.connectors.types import Credentials
from devrag.web.wiki_choices import WIKI_LANGUAGES_TO_ADD, WIKI_WANTED


class TokenForm(forms.Form):
    """Another token of a source that is there; it is never shown again."""

    username = forms.CharField(required=False, max_length=200)
    secret = forms.CharField(
        max_length=4_000,
        widget=forms.PasswordInput(render_value=False),
        error_messages={"required": gettext_lazy("Enter the new token.")},
    )

    def credentials(self) -> Credentials:
        """Return what was typed into a valid form."""
        given = self.cleaned_data
        return Credentials(given["username"].strip(), given["secret"])


class AddSourceForm(forms.Form):
    """An address, a user where one is needed, a token; what of it is read.

    The kinds and what each asks for come from the connectors. A token is never shown
    again, not even beside an error.
    """

    type = forms.ChoiceField()
    location = forms.CharField(
        max_length=2_000,
        error_messages={"required": gettext_lazy("Enter the URL of the source.")},
    )
    username = forms.CharField(required=False, max_length=200)
    secret = forms.CharField(
        required=False,
        max_length=4_000,
        widget=forms.PasswordInput(render_value=False),
    )
    product = forms.CharField(required=False, max_length=64)
    switches = forms.MultipleChoiceField(required=False)
    members = forms.CharField(required=False, max_length=4_000)
    wiki = forms.ChoiceField(choices=WIKI_WANTED, required=False)
    wiki_language = forms.ChoiceField(choices=WIKI_LANGUAGES_TO_ADD, required=False)

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.kinds = connection_forms()
        self.fields["type"].choices = [  # type: ignore[attr-defined]  # of choices
            (kind, form.title) for kind, form in self.kinds.items()
        ]
        keys = {each.key for form in self.kinds.values() for each in form.switches}
        self.fields["switches"].choices = [  # type: ignore[attr-defined]
            (key, key) for key in sorted(keys)
        ]

    @property
    def kind(self) -> str:
        """Return the kind that was chosen, the first one where none was."""
        chosen = str(self["type"].value() or "")
        return chosen if chosen in self.kinds else next(iter(self.kinds))

    @property
    def asked(self) -> ConnectionForm:
        """Return what the chosen kind asks for."""
        return self.kinds[self.kind]

    @property
    def shown_switches(self) -> list[tuple[str, str, bool]]:
        """Return key, label and state of the settings that the kind has."""
        given = self["switches"].value() if self.is_bound else None
        return [
            (each.key, each.label, each.is_on if given is None else each.key in given)
            for each in self.asked.switches
        ]

    def clean_product(self) -> str:
        """Check the name by the one rule, so that its message stands at its field."""
        name: str = self.cleaned_data["product"]
        try:
            return check_product_name(name) if name else ""
        except InvalidInput as error:
            raise forms.ValidationError(error.message) from error

    @property
    def member_names(self) -> list[str] | None:
        """Return who alone may see the source; None for all readers."""
        names = self.cleaned_data["members"].replace("、", ",").split(",")
        return [name.strip() for name in names if name.strip()] or None

    @property
    def has_wiki_options(self) -> bool:
        """Return whether the panel on the wiki holds anything to look at."""
        fields = (self["wiki"], self["wiki_language"])
        return any(
            each.errors or each.value() not in {None, "", "yes"} for each in fields
        )

    def wiki_request(self) -> dict[str, Any]:
        """Return what adding the source takes of a valid form on its wiki."""
        given = self.cleaned_data
        return {
            "is_wiki_wanted": given["wiki"] != "no",
            "wiki_language": given["wiki_language"],
        }

    def request(self) -> dict[str, Any]:
        """Return what testing a connection takes of a valid form, and adding it."""
        given = self.cleaned_data
        return {
            "location": given["location"],
            "product_name": given["product"] or None,
            "source_type": self.kind,
            "credentials": Credentials(given["username"].strip(), given["secret"]),
            "settings": {
                each.key: each.key in given["switches"]
                for each in self.asked.switches
                if (each.key in given["switches"]) != each.is_on
            },
        }
