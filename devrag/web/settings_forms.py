"""What people type below Settings: a token, a product's settings, a member."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from devrag.access.models import ApiToken
from devrag.access.own_tokens import grantable_scopes
from devrag.core.errors import InvalidInput
from devrag.core.principal import Principal
from devrag.products.models import Membership, Product
from devrag.products.wiki_settings import read_glossary
from devrag.sources.api import may_grant
from devrag.use_cases.api import DigestOptions
from devrag.web.visibilities import visibilities
from devrag.web.wiki_choices import WIKI_LANGUAGES

_SCOPE_WORDS = {
    ApiToken.Scope.READ: gettext_lazy("read: search, files, wiki"),
    ApiToken.Scope.INDEX: gettext_lazy("index: start indexing"),
    ApiToken.Scope.WIKI: gettext_lazy("wiki: update the wiki"),
    ApiToken.Scope.ADMIN: gettext_lazy("admin: everything, including deleting"),
}
_LIFETIMES = (
    (30, gettext_lazy("30 days")),
    (90, gettext_lazy("90 days")),
    (365, gettext_lazy("1 year")),
    (0, gettext_lazy("No expiration")),
)
_LONGEST = 4_000


class TokenForm(forms.Form):
    """A new token: what for, what it may do, where, and how long."""

    name = forms.CharField(
        max_length=100,
        error_messages={
            "required": gettext_lazy(
                "Enter a name so that you can recognize the token later."
            )
        },
    )
    scopes = forms.MultipleChoiceField(
        initial=["read"],
        error_messages={"required": gettext_lazy("Choose at least one scope.")},
    )
    products = forms.MultipleChoiceField(required=False)
    days = forms.TypedChoiceField(choices=_LIFETIMES, coerce=int, initial=90)

    def __init__(
        self,
        data: Any = None,
        *,
        principal: Principal,
        products: Sequence[Product],
    ) -> None:
        super().__init__(data)
        scopes = [
            (each.value, _SCOPE_WORDS[each]) for each in grantable_scopes(principal)
        ]
        self.fields["scopes"].choices = scopes  # type: ignore[attr-defined]
        named = [(product.name, str(product)) for product in products]
        self.fields["products"].choices = named  # type: ignore[attr-defined]


class MemberForm(forms.Form):
    """Whom to let into a product."""

    user_name = forms.CharField(
        max_length=150,
        error_messages={"required": gettext_lazy("Enter a username.")},
    )
    role = forms.ChoiceField(
        choices=[
            (Membership.Role.VIEWER, gettext_lazy("viewer")),
            (Membership.Role.MAINTAINER, gettext_lazy("maintainer")),
        ],
        initial=Membership.Role.VIEWER,
    )


class ProductForm(forms.Form):
    """A product's own settings; `changes_of` says what they are in its fields."""

    title = forms.CharField(required=False, max_length=200)
    description = forms.CharField(required=False, max_length=_LONGEST)
    visibility = forms.ChoiceField(choices=visibilities)
    is_inside = forms.BooleanField(required=False)
    source_roots = forms.CharField(required=False, max_length=2 * _LONGEST)
    is_ssh_key_allowed = forms.BooleanField(required=False)
    language = forms.ChoiceField(choices=WIKI_LANGUAGES)
    audience = forms.CharField(required=False, max_length=_LONGEST)
    notes = forms.CharField(required=False, max_length=_LONGEST)
    glossary = forms.CharField(required=False, max_length=2 * _LONGEST)

    @classmethod
    def of(cls, product: Product) -> ProductForm:
        """Return the form as the product is now."""
        wiki: dict[str, Any] = product.wiki_settings
        glossary = wiki.get("glossary") or {}
        lines = [f"{word}: {written}" for word, written in glossary.items()]
        return cls(
            initial={
                "title": product.title,
                "description": product.description,
                "visibility": product.visibility,
                "is_inside": not product.is_external_models_allowed,
                "source_roots": "\n".join(product.source_roots),
                "is_ssh_key_allowed": product.is_ssh_key_allowed,
                "language": str(wiki.get("language") or "en").replace(" ", ""),
                "audience": wiki.get("audience", ""),
                "notes": wiki.get("notes", ""),
                "glossary": "\n".join(lines),
            }
        )

    def clean_glossary(self) -> dict[str, str]:
        """Read a line for each word."""
        found: dict[str, str] = {}
        for line in self.cleaned_data["glossary"].splitlines():
            try:
                found |= read_glossary([line])
            except InvalidInput as error:
                said = gettext(
                    "“%(line)s” is not a valid entry. Write a term, a colon and how "
                    "to write it."
                )
                raise forms.ValidationError(said % {"line": line[:60]}) from error
        return found

    def changes_of(self, product: Product, principal: Principal) -> dict[str, Any]:
        """Return the fields of the product; wiki settings that are empty go.

        Those of the server are in the form of administrators alone.
        """
        given = self.cleaned_data
        wiki = {
            key: given[key] for key in ("language", "audience", "notes", "glossary")
        }
        others = {
            key: value
            for key, value in product.wiki_settings.items()
            if key not in wiki
        }
        server = {
            "source_roots": given["source_roots"].splitlines(),
            "is_ssh_key_allowed": given["is_ssh_key_allowed"],
        }
        return {
            **(server if may_grant(principal) else {}),
            "title": given["title"],
            "description": given["description"],
            "visibility": given["visibility"],
            "is_external_models_allowed": not given["is_inside"],
            "wiki_settings": {
                **others,
                **{key: value for key, value in wiki.items() if value},
            },
        }


class DigestForm(forms.Form):
    """Where a product's weekly digest goes. recipients: an address in each line."""

    channel = forms.ChoiceField(
        required=False,
        choices=[
            ("", gettext_lazy("Off")),
            ("email", gettext_lazy("By email")),
            ("webhook", gettext_lazy("By webhook")),
        ],
    )
    recipients = forms.CharField(required=False, max_length=2 * _LONGEST)
    webhook = forms.CharField(required=False, max_length=2_000)

    @classmethod
    def of(cls, options: DigestOptions) -> DigestForm:
        """Return the form as it is chosen now, without the address of the webhook."""
        lines = "\n".join(options.recipients)
        return cls(initial={"channel": options.channel, "recipients": lines})

    @property
    def choice(self) -> dict[str, Any]:
        """The fields as the service takes them."""
        given = self.cleaned_data
        lines = given["recipients"].replace(",", "\n").splitlines()
        return {**given, "recipients": lines}


class LabelForm(forms.Form):
    """A label of a product. paths: a pattern in each line."""

    name = forms.CharField(
        max_length=200,
        error_messages={"required": gettext_lazy("Enter a name for the label.")},
    )
    description = forms.CharField(required=False, max_length=_LONGEST)
    paths = forms.CharField(required=False, max_length=_LONGEST)

    @property
    def changes(self) -> dict[str, Any]:
        """The fields as the vocabulary takes them."""
        given = self.cleaned_data
        return {**given, "paths": given["paths"].splitlines()}
