"""Files that people choose or drop, and what the source of them is called."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile as SentFile
from django.utils.datastructures import MultiValueDict

from devrag.core.errors import InvalidInput
from devrag.products.services import check_product_name
from devrag.sources.addresses import check_source_name
from devrag.sources.api import UploadedFile
from devrag.web.wiki_choices import WIKI_LANGUAGES_TO_ADD


class UploadForm(forms.Form):
    """All fields may be left empty: names are taken from the first file."""

    product = forms.CharField(required=False, max_length=64)
    source_name = forms.CharField(required=False, max_length=100)
    members = forms.CharField(required=False, max_length=4_000)
    no_wiki = forms.BooleanField(required=False)
    wiki_language = forms.ChoiceField(choices=WIKI_LANGUAGES_TO_ADD, required=False)

    def clean_product(self) -> str:
        """Check the name by the one rule, so that its message stands at its field."""
        return _checked(check_product_name, self.cleaned_data["product"])

    def clean_source_name(self) -> str:
        """Check the name by the one rule."""
        return _checked(check_source_name, self.cleaned_data["source_name"])

    @property
    def has_options(self) -> bool:
        """Return whether the panel of options holds anything to look at."""
        return any(self[name].value() or self[name].errors for name in self.fields)

    def request(self) -> dict[str, Any]:
        """Return what adding the files takes of a valid form."""
        given = self.cleaned_data
        names = given["members"].replace("、", ",").split(",")
        return {
            "product_name": given["product"] or None,
            "source_name": given["source_name"] or None,
            "members": [name.strip() for name in names if name.strip()] or None,
            "is_wiki_wanted": not given["no_wiki"],
            "wiki_language": given["wiki_language"],
        }


def sent_files(files: MultiValueDict[str, SentFile]) -> list[UploadedFile]:
    """Return the files of a form; a field in which none was chosen has none."""
    return [
        UploadedFile(each.name or "", each.file, each.size or 0)  # type: ignore[arg-type]
        for each in files.getlist("files")
    ]


def _checked(check: Any, name: str) -> str:
    try:
        return check(name) if name else ""
    except InvalidInput as error:
        raise forms.ValidationError(error.message) from error
