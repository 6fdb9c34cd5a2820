"""Whether a product's texts may leave for a remote model."""

from __future__ import annotations

from devrag.core.errors import PermissionDenied
from devrag.core.texts import gettext
from devrag.products.models import Product


def check_external_models(product: Product | None, model: str, *, instead: str) -> None:
    """Raise PermissionDenied unless the product allows external models.

    product: None when it is being deleted. instead: what happens without.
    """
    if product is None:
        raise PermissionDenied(
            gettext("The product is being deleted, so nothing was sent.")
        )
    if not product.is_external_models_allowed:
        said = {"product": product.name, "model": model, "instead": instead}
        text = gettext(
            "'%(product)s' does not allow external models, so nothing was sent to "
            "%(model)s. %(instead)s"
        )
        raise PermissionDenied(text % said)
