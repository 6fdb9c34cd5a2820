"""What administrators choose of the language model."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from devrag.use_cases.api import ModelChoice, ModelState

PROVIDERS = (
    ("structural", gettext_lazy("No model: pages are written from facts alone")),
    ("openai", gettext_lazy("OpenAI, or a server that speaks its protocol")),
    ("anthropic", gettext_lazy("Anthropic, or a server that speaks its protocol")),
)


def _name() -> forms.CharField:
    return forms.CharField(required=False, max_length=100)


def _cap() -> forms.FloatField:
    return forms.FloatField(required=False, min_value=0.0, max_value=1_000_000.0)


class LanguageModelForm(forms.Form):
    """A ModelChoice; what the environment sets stays as it is, whatever is sent.

    secret: the API key, which no page gives back.
    """

    provider = forms.ChoiceField(choices=PROVIDERS)
    base_url = forms.CharField(required=False, max_length=500)
    secret = forms.CharField(required=False, max_length=1_000)
    is_key_removed = forms.BooleanField(required=False)
    model = _name()
    check_model = _name()
    ask_model = _name()
    window = forms.IntegerField(required=False)
    price = forms.CharField(required=False, max_length=60)
    cap_per_run = _cap()
    cap_per_month = _cap()
    ask_cap_per_day = _cap()
    conflicts_cap_per_month = _cap()

    def __init__(self, data: Any = None, *, state: ModelState) -> None:
        initial = asdict(state.choice) | {"secret": ""}
        initial["provider"] = state.choice.provider or "structural"
        super().__init__(data, initial=initial)
        for name in state.fixed:
            self.fields[name].disabled = True

    @property
    def choice(self) -> ModelChoice:
        """The fields as the use case takes them."""
        return ModelChoice(**self.cleaned_data)

    @property
    def has_options(self) -> bool:
        """Whether the panel of options is open: something in it is set or wrong."""
        names = ("check_model", "ask_model", "window", "price")
        return any(self[name].value() or self[name].errors for name in names)
