"""What forms offer of who can see a product."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from devrag.products.models import Visibility

VISIBILITIES = (
    (Visibility.EVERYONE, gettext_lazy("Everyone with access to this server")),
    (Visibility.MEMBERS, gettext_lazy("Members only")),
)
# Of a new product; an existing one keeps its own.
VISIBILITIES_TO_ADD = (
    ("", VISIBILITIES[0][1]),
    (Visibility.MEMBERS, gettext_lazy("Only you and the members you add")),
)
