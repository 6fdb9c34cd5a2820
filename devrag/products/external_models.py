"""Whether a product's texts may leave for a remote model."""

from __future__ import annotations

from devrag.core.errors import PermissionDenied
from devrag.core.texts import gettext
from devrag.products.models import Product


def check_external_models(product: Product | None, model: str, *, instead: str) -> None:
    """Raise PermissionDenied unless the product allows external models.

    product: None when it is being deleted. instead: what happens without.
    """
    if product is None or not product.is_external_models_allowed:
        text = gettext(
            "'%(product)s' allows no external models, and %(model)s is one: nothing "
            "was sent. %(instead)s"
        )
        name = product.name if product else "?"
        said = {"product": name, "model": model, "instead": instead}
        raise PermissionDenied(text % said)
