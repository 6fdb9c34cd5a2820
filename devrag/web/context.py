"""What the frame around every page shows: products to switch to and who is here."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from devrag.access.preferences import theme_of
from devrag.core.principal import ANONYMOUS, Principal
from devrag.products.models import Product
from devrag.web.pages.job_watch import list_watched

MAX_SWITCHER_PRODUCTS = 100


def shell(request: HttpRequest) -> dict[str, Any]:
    """Return the frame's context; its queries run only if the frame is rendered."""
    principal = getattr(request, "principal", ANONYMOUS)
    return {
        "shell_products": SimpleLazyObject(lambda: _list_products(principal)),
        "shell_principal": principal,
        "shell_theme": SimpleLazyObject(lambda: theme_of(request)),
        "shell_watched": SimpleLazyObject(lambda: list_watched(principal)),
    }


def _list_products(principal: Principal) -> list[Product]:
    """Return products to switch to; `is_maintained`: the caller may change it."""
    own = Product.objects.maintained_by(principal).filter(pk=OuterRef("pk"))
    products = Product.objects.visible_to(principal).only("name", "title")
    return list(products.annotate(is_maintained=Exists(own))[:MAX_SWITCHER_PRODUCTS])
