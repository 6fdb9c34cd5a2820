"""What people type: a repository to add, a search, a sign-in."""

from __future__ import annotations

from django import forms

from devrag.products.models import NAME_PATTERN

NAME_HELP = "Lower-case letters, digits, '.', '_' and '-'."


class AddRepositoryForm(forms.Form):
    """One location is enough; the name is taken from it when left out."""

    location = forms.CharField(
        max_length=2_000,
        error_messages={"required": "Paste the address of a git repository or a path."},
    )
    product = forms.RegexField(
        NAME_PATTERN,
        required=False,
        max_length=64,
        error_messages={"invalid": f"A product name cannot be written so. {NAME_HELP}"},
    )


class SearchForm(forms.Form):
    """The query and its filters, as they stand in the URL."""

    MODES = (("hybrid", "Best match"), ("keyword", "Words"), ("semantic", "Meaning"))
    KINDS = (("", "Everything"), ("code", "Code"), ("doc", "Docs"), ("wiki", "Wiki"))

    q = forms.CharField(required=False, max_length=1_000)
    mode = forms.ChoiceField(choices=MODES, required=False)
    kind = forms.ChoiceField(choices=KINDS, required=False)
    product = forms.CharField(required=False, max_length=64)
    source = forms.CharField(required=False, max_length=200)
    path = forms.CharField(required=False, max_length=500)
