"""Create and look up products."""

from __future__ import annotations

import re

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput, NotFound, PermissionDenied
from devrag.core.principal import Principal, Role
from devrag.core.text import slugify_ascii
from devrag.products.models import NAME_PATTERN, Membership, Product


def check_product_name(name: str) -> str:
    """Return the name, or raise InvalidInput: it is also a directory and a URL part."""
    if not re.fullmatch(NAME_PATTERN, name) or ".." in name:
        near = slugify_ascii(name, "product")[:64]
        raise InvalidInput(
            gettext(
                "'%(name)s' cannot be a product name: use lower-case letters, digits, "
                "'.', '_' and '-' (at most 64). Try '%(near)s'."
            )
            % {"name": name[:80], "near": near}
        )
    return name


def get_visible_product(name: str, principal: Principal) -> Product:
    """Return a product the caller may read; NotFound otherwise."""
    product: Product | None = (
        Product.objects.visible_to(principal).filter(name=name).first()
    )
    if product is None:
        raise NotFound(gettext("There is no product '%(name)s'.") % {"name": name})
    return product


def get_maintained_product(name: str, principal: Principal) -> Product:
    """Return a product the caller may change, else NotFound or PermissionDenied."""
    product = get_visible_product(name, principal)
    if not Product.objects.maintained_by(principal).filter(pk=product.pk).exists():
        raise PermissionDenied(
            gettext("%(who)s may read '%(name)s' but not change it. Ask a maintainer.")
            % {"who": principal.name, "name": name}
        )
    return product


def check_may_add_products(principal: Principal) -> None:
    """Raise PermissionDenied for who may not create a product."""
    if principal.role < Role.MAINTAINER or principal.product_ids is not None:
        raise PermissionDenied(
            gettext("%(who)s may not add products. Sign in as a maintainer.")
            % {"who": principal.name}
        )


def create_product(*, name: str, principal: Principal, title: str = "") -> Product:
    """Create a product; its creator becomes its maintainer."""
    check_may_add_products(principal)
    product = Product.objects.create(name=check_product_name(name), title=title)
    if principal.user_id is not None:
        Membership.objects.create(
            product=product, user_id=principal.user_id, role=Membership.Role.MAINTAINER
        )
    return product
