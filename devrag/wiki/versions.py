"""Which version readers see, and whether it is still about the present commits."""

from __future__ import annotations

from django.db.models import F

from devrag.products.models import Product
from devrag.wiki.compose import WRITER_VERSION
from devrag.wiki.models import Version
from devrag.wiki.selectors import current_versions


def current_version(product: Product, language: str = "en") -> Version | None:
    """Return the version that readers see, or None before the first."""
    return Version.objects.filter(
        wiki__product=product,
        wiki__language=language,
        pk=F("wiki__current_id"),
    ).first()


def is_up_to_date(product: Product) -> bool:
    """Say whether the present writer wrote about the present commits already."""
    version = current_version(product)
    if version is None or version.prompt_version != WRITER_VERSION:
        return False
    now = {v.source: v.commit for v in current_versions(product.pk)}
    return {name: at["commit"] for name, at in version.sources.items()} == now
