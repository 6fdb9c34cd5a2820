"""What forms offer of who can see a product."""

from __future__ import annotations

from django.conf import settings
from django.utils.translation import gettext

from devrag.products.models import Visibility


def visibilities() -> list[tuple[str, str]]:
    """Return the values and what each means on this server."""
    everyone = gettext("Everyone who can sign in")
    if settings.IS_OPEN_READING:
        everyone = gettext("Everyone, also without signing in")
    return [
        (Visibility.EVERYONE.value, everyone),
        (Visibility.MEMBERS.value, gettext("Members only")),
    ]


def visibilities_to_add() -> list[tuple[str, str]]:
    """Return those of a new product; an existing one keeps its own."""
    (_, everyone), (members, _) = visibilities()
    return [("", everyone), (members, gettext("Only you and the members you add"))]
