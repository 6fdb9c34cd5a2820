"""How one reads the pages: language, theme and time zone."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy

from devrag.access.models import Preferences
from devrag.access.preferences import Theme

THEMES = (
    (Theme.SYSTEM.value, gettext_lazy("System")),
    (Theme.LIGHT.value, gettext_lazy("Light")),
    (Theme.DARK.value, gettext_lazy("Dark")),
)
_LONGEST = 64


def languages() -> list[tuple[str, str]]:
    """Return the languages of the interface, each by its own name."""
    return [(code, str(name)) for code, name in settings.LANGUAGES]


class PreferencesForm(forms.Form):
    """One choice or several; what is not sent stays. Empty: as the browser asks for."""

    language = forms.CharField(required=False, max_length=_LONGEST)
    theme = forms.CharField(required=False, max_length=_LONGEST)
    time_zone = forms.CharField(required=False, max_length=_LONGEST)

    @classmethod
    def of(cls, chosen: Preferences) -> PreferencesForm:
        """Return the form as it is chosen now."""
        return cls(
            initial={
                "language": chosen.language,
                "theme": chosen.theme or Theme.SYSTEM.value,
                "time_zone": chosen.time_zone,
            }
        )

    @property
    def sent(self) -> dict[str, Any]:
        """The valid choices that were sent."""
        return {
            key: value for key, value in self.cleaned_data.items() if key in self.data
        }
