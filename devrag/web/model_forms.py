"""What administrators choose of the language model."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy

from devrag.llm.prices import EXAMPLE
from devrag.llm.providers import DEFAULT_MODELS
from devrag.spending.model_settings import CAPS
from devrag.use_cases.api import ModelChoice, ModelState

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

PROVIDERS = (
    ("structural", gettext_lazy("No language model")),
    ("openai", gettext_lazy("OpenAI or compatible")),
    ("anthropic", gettext_lazy("Anthropic or compatible")),
)
_WINDOW_HINT = gettext_lazy(
    "Prompt and answer together. Default: 128,000 at the provider, "
    "32,768 on another server."
)
_ADDRESS_HINT = gettext_lazy(
    "Only for another server, such as Ollama, vLLM or a gateway. "
    "Leave empty to use the provider’s own."
)
_CHECK_HINT = gettext_lazy(
    "Checks that cited lines support each sentence, and compares "
    "documents with code. Leave empty to use the model above."
)
_PRICE_HINT = gettext_lazy(
    "US dollars per million tokens of input, cached input and output."
    " Leave empty to use the list price, if known."
)
# Name → label, hint, type of the input.
_LINES: dict[str, tuple[StrPromise, StrPromise | str, str]] = {
    "base_url": (gettext_lazy("Base URL"), _ADDRESS_HINT, "url"),
    "model": (
        gettext_lazy("Model"),
        gettext_lazy(
            "Generates wiki pages. Leave empty to use the provider’s default."
        ),
        "text",
    ),
    "cap_per_month": (gettext_lazy("Per product and month"), "", "number"),
    "ask_cap_per_day": (gettext_lazy("Answers, per product and day"), "", "number"),
    "cap_per_run": (gettext_lazy("Per run or answer"), "", "number"),
    "conflicts_cap_per_month": (
        gettext_lazy("Conflicts, per product and month"),
        "",
        "number",
    ),
    "ask_model": (
        gettext_lazy("Model for answers"),
        gettext_lazy("Leave empty to use the model above."),
        "text",
    ),
    "check_model": (gettext_lazy("Model for checks"), _CHECK_HINT, "text"),
    "window": (gettext_lazy("Context window in tokens"), _WINDOW_HINT, "number"),
    "price": (gettext_lazy("Price"), _PRICE_HINT, "text"),
}
_CAPS = [name for name in _LINES if "cap_per" in name]
_OPTIONS = ["ask_model", "check_model", "window", "price"]
_NAME: dict[str, Any] = {"required": False, "max_length": 100}
_CAP: dict[str, Any] = {"required": False, "min_value": 0.0, "max_value": 1_000_000.0}


@dataclass(frozen=True, slots=True)
class Line:
    """A field as the page shows it. variable: of the environment that sets it."""

    field: forms.BoundField
    label: str
    hint: str
    type: str
    placeholder: str
    variable: str

    @property
    def id(self) -> str:
        return f"dr-{self.field.html_name.replace('_', '-')}"


class LanguageModelForm(forms.Form):
    """A ModelChoice; what the environment sets stays as it is, whatever is sent.

    secret: the API key, which no page gives back.
    """

    provider = forms.ChoiceField(choices=PROVIDERS)
    base_url = forms.CharField(required=False, max_length=500)
    secret = forms.CharField(required=False, max_length=1_000)
    is_key_removed = forms.BooleanField(required=False)
    model = forms.CharField(**_NAME)
    check_model = forms.CharField(**_NAME)
    ask_model = forms.CharField(**_NAME)
    window = forms.IntegerField(required=False)
    price = forms.CharField(required=False, max_length=60)
    cap_per_run = forms.FloatField(**_CAP)
    cap_per_month = forms.FloatField(**_CAP)
    ask_cap_per_day = forms.FloatField(**_CAP)
    conflicts_cap_per_month = forms.FloatField(**_CAP)

    def __init__(self, data: Any = None, *, state: ModelState) -> None:
        initial = asdict(state.choice) | {"secret": ""}
        initial["provider"] = state.choice.provider or "structural"
        super().__init__(data, initial=initial)
        for name in state.fixed:
            self.fields[name].disabled = True
        self.state = state

    @property
    def address(self) -> Line:
        return self._line("base_url", "http://localhost:11434/v1")

    @property
    def writer(self) -> Line:
        model = self.state.model or DEFAULT_MODELS["openai"]
        return self._line("model", model)

    @property
    def caps(self) -> list[Line]:
        """The caps, with what holds where one is left empty."""
        return [
            self._line(name, f"{getattr(settings, CAPS[name]):g}") for name in _CAPS
        ]

    @property
    def options(self) -> list[Line]:
        found = {"price": EXAMPLE.partition("=")[2]}
        return [self._line(name, found.get(name, "")) for name in _OPTIONS]

    def _line(self, name: str, placeholder: str) -> Line:
        label, hint, kind = _LINES[name]
        variable = self.state.fixed.get(name, "")
        return Line(self[name], str(label), str(hint), kind, placeholder, variable)

    @property
    def choice(self) -> ModelChoice:
        """The fields as the use case takes them."""
        return ModelChoice(**self.cleaned_data)

    @property
    def has_options(self) -> bool:
        """Whether the panel of options is open: something in it is set or wrong."""
        return any(self[name].value() or self[name].errors for name in _OPTIONS)
