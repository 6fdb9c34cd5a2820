"""What people type: a repository to add, a search, a sign-in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from devrag.core.errors import InvalidInput
from devrag.products.services import check_product_name
from devrag.search.api import STRATEGIES
from devrag.search.types import (
    CHUNK_KINDS,
    DOCUMENT_KINDS,
    KINDS,
    MAX_CONTEXT,
    MODE_ALIASES,
    PAGE_SIZES,
    SYMBOL_KINDS,
)
from devrag.sources.addresses import check_ref
from devrag.sources.schedule import MAX_MINUTES
from devrag.web.kind_labels import kind_label
from devrag.web.visibilities import visibilities_to_add
from devrag.web.wiki_choices import WIKI_LANGUAGES_TO_ADD, WIKI_WANTED

_SHOWN = {
    "snippet": gettext_lazy("Snippet"),
    "entry": gettext_lazy("Entry"),
    "full": gettext_lazy("Full"),
}


class AddRepositoryForm(forms.Form):
    """One location is enough; the name is taken from it when left out.

    ref: the branch that the source follows, '' for the default one. minutes: between
    two scheduled runs, None for no schedule.
    """

    OPTIONS = ("product", "visibility", "ref", "minutes", "wiki", "wiki_language")

    location = forms.CharField(
        max_length=2_000,
        error_messages={"required": gettext_lazy("Enter a git URL or a path.")},
    )
    product = forms.CharField(required=False, max_length=64)
    visibility = forms.ChoiceField(choices=visibilities_to_add, required=False)
    ref = forms.CharField(required=False, max_length=250)
    minutes = forms.IntegerField(required=False, min_value=1, max_value=MAX_MINUTES)
    wiki = forms.ChoiceField(choices=WIKI_WANTED, required=False)
    wiki_language = forms.ChoiceField(choices=WIKI_LANGUAGES_TO_ADD, required=False)

    def clean_product(self) -> str:
        """Check the name by the one rule, so that its message stands at its field."""
        name: str = self.cleaned_data["product"]
        try:
            return check_product_name(name) if name else ""
        except InvalidInput as error:
            raise forms.ValidationError(error.message) from error

    def clean_ref(self) -> str:
        """Check the branch's form; whether it is there, the repository itself says."""
        name: str = self.cleaned_data["ref"]
        try:
            return check_ref(name) if name else ""
        except InvalidInput as error:
            raise forms.ValidationError(error.message) from error

    @property
    def usual_audience(self) -> str:
        """Return who sees a new product for which nothing else is chosen."""
        return visibilities_to_add()[0][1]

    @property
    def has_options(self) -> bool:
        """Return whether the panel of options holds anything to look at."""
        given = (self[name].value() for name in self.OPTIONS)
        return any(value not in {None, "", "yes"} for value in given) or any(
            name in self.errors for name in self.OPTIONS
        )

    def request(self) -> dict[str, Any]:
        """Return what adding the repository takes of a valid form."""
        given = self.cleaned_data
        return {
            "location": given["location"],
            "product_name": given["product"] or None,
            "visibility": given["visibility"],
            "ref": given["ref"] or None,
            "is_ref_default": bool(given["ref"]),
            "index_every_minutes": given["minutes"],
            "is_wiki_wanted": given["wiki"] != "no",
            "wiki_language": given["wiki_language"],
        }

    def tested(self) -> dict[str, Any]:
        """Return what testing the repository takes of a valid form."""
        given = self.cleaned_data
        followed = {"default_branch": given["ref"]} if given["ref"] else {}
        return {
            "location": given["location"],
            "product_name": given["product"] or None,
            "settings": followed,
        }


class ScheduleForm(forms.Form):
    """How often a source is indexed by itself; empty means only when asked."""

    minutes = forms.IntegerField(required=False, min_value=1, max_value=MAX_MINUTES)
    wiki = forms.BooleanField(required=False)


class ChunkingForm(forms.Form):
    """Sizes of a source's chunks; empty ones are those of the installation."""

    chunk_tokens = forms.IntegerField(required=False)
    chunk_overlap_tokens = forms.IntegerField(required=False)
    chunk_max_chars = forms.IntegerField(required=False)


class ModeField(forms.ChoiceField):
    """A mode of search; aliases in an address are taken for what they stand for."""

    def to_python(self, value: object) -> str:
        """Return the mode itself."""
        text: str = super().to_python(value)
        return MODE_ALIASES.get(text, text)


class SearchForm(forms.Form):
    """The query and its filters, as they stand in the URL."""

    MODES = (
        ("hybrid", gettext_lazy("Words and meaning")),
        ("keyword", gettext_lazy("Words")),
        ("semantic", gettext_lazy("Meaning")),
    )
    USUAL_KINDS = ("code", "doc", "wiki", *DOCUMENT_KINDS)

    # How much is too much, the search itself says.
    q = forms.CharField(required=False)
    mode = ModeField(choices=MODES, required=False)
    kind = forms.ChoiceField(choices=[(each, each) for each in KINDS], required=False)
    product = forms.CharField(required=False, max_length=64)
    source = forms.CharField(required=False, max_length=200)
    path = forms.CharField(required=False, max_length=500)
    language = forms.CharField(required=False, max_length=40)
    complexity = forms.IntegerField(required=False, min_value=1, max_value=10_000)
    complexity_to = forms.IntegerField(required=False, min_value=1, max_value=10_000)
    mime = forms.CharField(required=False, max_length=100)
    status = forms.CharField(required=False, max_length=200)
    author = forms.CharField(required=False, max_length=200)
    after = forms.CharField(required=False, max_length=10)
    before = forms.CharField(required=False, max_length=10)
    depth = forms.CharField(required=False, max_length=20)
    context = forms.IntegerField(required=False, min_value=0, max_value=MAX_CONTEXT)
    show = forms.ChoiceField(
        choices=[(each, _SHOWN[each]) for each in STRATEGIES], required=False
    )
    most = forms.TypedChoiceField(
        choices=[(each, each) for each in PAGE_SIZES], coerce=int, required=False
    )
    generated = forms.BooleanField(required=False)
    unchanged = forms.BooleanField(required=False)
    rewrite = forms.BooleanField(required=False)
    summary = forms.BooleanField(required=False)

    def __init__(self, *given: Any, has_documents: bool = True, **named: Any) -> None:
        super().__init__(*given, **named)
        self._hidden_kinds = () if has_documents else DOCUMENT_KINDS

    def kind_chips(self) -> list[tuple[str, str]]:
        """Return the kinds of files to search in, and the chosen one if it is rare.

        Without pages and tickets where no source has any.
        """
        usual = [each for each in self.USUAL_KINDS if each not in self._hidden_kinds]
        chosen = self.cleaned_data.get("kind", "")
        if chosen and not self.narrow_kind() and chosen not in usual:
            usual.append(chosen)
        return [("", gettext("Everything")), *((k, kind_label(k)) for k in usual)]

    def narrow_kind(self) -> str:
        """Return the chosen kind if it is one of definitions or of parts of files."""
        chosen: str = self.cleaned_data.get("kind", "")
        return chosen if chosen in {*SYMBOL_KINDS, *CHUNK_KINDS} else ""


class JobsForm(forms.Form):
    """Which jobs are listed, as it stands in the URL."""

    STATES = (
        ("", gettext_lazy("All jobs")),
        ("open", gettext_lazy("Running and waiting")),
        ("failed", gettext_lazy("Failed")),
        ("ended", gettext_lazy("Finished")),
    )

    state = forms.ChoiceField(choices=STATES, required=False)
    kind = forms.CharField(required=False, max_length=40)
    product = forms.CharField(required=False, max_length=64)


class PartForm(forms.Form):
    """Which part of a long file or folder is asked for."""

    line = forms.IntegerField(required=False, min_value=1)
    entry = forms.IntegerField(required=False, min_value=0, max_value=10_000_000)
    outline = forms.CharField(required=False, max_length=10)
    view = forms.CharField(required=False, max_length=10)


class TreeForm(forms.Form):
    """Which part of the tree of files is asked for: level for one folder."""

    level = forms.BooleanField(required=False)


class FindForm(forms.Form):
    """A text that is looked for in a file."""

    text = forms.CharField(max_length=200, strip=False)
    case = forms.BooleanField(required=False)


class HistoryForm(forms.Form):
    """Which part of a history is asked for: after how many commits, from which line."""

    skip = forms.IntegerField(required=False, min_value=0, max_value=100_000)
    line = forms.IntegerField(required=False, min_value=1)


class RangeForm(forms.Form):
    """Lines of a file."""

    first = forms.IntegerField(min_value=1)
    last = forms.IntegerField(min_value=1)


class CompletionForm(forms.Form):
    """The word of a question that is being written, and where it is asked."""

    word = forms.CharField(max_length=200)
    product = forms.CharField(required=False, max_length=64)


class PaletteForm(forms.Form):
    """A few letters of what one wants to go to, and the product one is in."""

    q = forms.CharField(required=False, max_length=200)
    product = forms.CharField(required=False, max_length=64)


class OpenedForm(forms.Form):
    """Which hit of a search was opened."""

    token = forms.CharField(max_length=200)
    rank = forms.IntegerField()
