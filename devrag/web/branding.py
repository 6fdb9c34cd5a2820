"""The name and icon of devrag in the administration, and the way back."""

from __future__ import annotations

from django.http import HttpRequest
from django.templatetags.static import static
from django.utils.translation import gettext


def icon_url(request: HttpRequest) -> str:
    """Return the address of devrag's icon."""
    return static("favicon.svg")


def back_words(request: HttpRequest) -> str:
    """Return what the link to the dashboard says, below the name."""
    return gettext("Back to devrag")
