"""What administrators choose of the language model."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy

from devrag.llm.providers import DEFAULT_MODELS
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
    base_url = forms.CharField(required=False, max_length=500, widget=forms.URLInput)
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
        for name, shown in _placeholders(state).items():
            self.fields[name].widget.attrs["placeholder"] = shown
        for name, variable in state.fixed.items():
            self.fields[name].disabled = True
            self.fields[name].widget.attrs["variable"] = variable

    @property
    def choice(self) -> ModelChoice:
        """The fields as the use case takes them."""
        return ModelChoice(**self.cleaned_data)

    @property
    def has_options(self) -> bool:
        """Whether the panel of options is open: something in it is set or wrong."""
        names = ("check_model", "ask_model", "window", "price")
        return any(self[name].value() or self[name].errors for name in names)


def _placeholders(state: ModelState) -> dict[str, str]:
    """Return what an empty field stands for, by the name of the field."""
    return {
        "base_url": "http://localhost:11434/v1",
        "model": state.model or DEFAULT_MODELS["openai"],
        "price": "0.5/0.05/2",
        "cap_per_run": f"{settings.LLM_CAP_PER_RUN:g}",
        "cap_per_month": f"{settings.LLM_CAP_PER_MONTH:g}",
        "ask_cap_per_day": f"{settings.ASK_CAP_PER_DAY:g}",
        "conflicts_cap_per_month": f"{settings.CONFLICTS_CAP_PER_MONTH:g}",
    }
