"""Whether a product's texts may leave for a remote model."""

from __future__ import annotations

from devrag.core.errors import PermissionDenied
from devrag.products.models import Product


def check_external_models(product: Product | None, model: str, *, instead: str) -> None:
    """Raise PermissionDenied unless the product allows external models.

    product: None when it is being deleted. instead: what happens without.
    """
    if product is None or not product.is_external_models_allowed:
        name = product.name if product else "a product that goes"
        raise PermissionDenied(
            f"'{name}' allows no external models, and {model} is one: nothing was "
            f"sent. {instead}"
        )
