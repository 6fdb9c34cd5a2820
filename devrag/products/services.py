"""Create and look up products."""

from __future__ import annotations

import re

from django.db import IntegrityError, transaction
from django.utils.translation import get_language, gettext

from devrag.audit.api import record_event
from devrag.core.errors import InvalidInput, NotFound, PermissionDenied
from devrag.core.principal import Principal, Role
from devrag.core.text import slugify_ascii
from devrag.products.models import NAME_PATTERN, Membership, Product, Visibility
from devrag.products.names import refuse_name
from devrag.products.wiki_problems import wiki_setting_problems
from devrag.products.wiki_settings import LANGUAGES, languages_of


def check_product_name(name: str) -> str:
    """Return the name, or raise InvalidInput: it is also a directory and a URL part."""
    if not re.fullmatch(NAME_PATTERN, name) or ".." in name:
        near = slugify_ascii(name, "product")[:64]
        raise InvalidInput(
            gettext(
                "Invalid product name '%(name)s'. Use lowercase letters, digits, '.', "
                "'_' and '-' (at most 64 characters), for example '%(near)s'."
            )
            % {"name": name[:80], "near": near}
        )
    return name


def find_visible_product(name: str, principal: Principal) -> Product | None:
    """Return the product if the principal may read one of this name. Queries: 1."""
    return Product.objects.visible_to(principal).filter(name=name).first()


def get_visible_product(name: str, principal: Principal) -> Product:
    """Return a product the caller may read; NotFound otherwise."""
    product = find_visible_product(name, principal)
    if product is None:
        raise NotFound(gettext("There is no product '%(name)s'.") % {"name": name})
    return product


def get_maintained_product(name: str, principal: Principal) -> Product:
    """Return a product the caller may change, else NotFound or PermissionDenied."""
    product = get_visible_product(name, principal)
    if not Product.objects.maintained_by(principal).filter(pk=product.pk).exists():
        raise PermissionDenied(
            gettext(
                "%(who)s can read '%(name)s' but not change it. Ask a maintainer "
                "of the product."
            )
            % {"who": principal.name, "name": name}
        )
    return product


def may_maintain(principal: Principal, product: Product | None) -> bool:
    """Return whether the caller may change a product's sources, index and wiki.

    Without a product only administrators may. Queries: 0 or 1.
    """
    if product is None or principal.is_admin:
        return principal.is_admin
    return Product.objects.maintained_by(principal).filter(pk=product.pk).exists()


def may_add_products(principal: Principal) -> bool:
    """Return whether the caller may create products, and so choose names for them."""
    return principal.role >= Role.MAINTAINER and principal.product_ids is None


def find_product_to_add_to(name: str, principal: Principal) -> Product | None:
    """Return the product of that name, None when the caller may create it.

    Raises NotFound for a hidden one and an unknown one alike, PermissionDenied, and
    Conflict where the name is taken (decision 13).
    """
    if Product.objects.visible_to(principal).filter(name=name).exists():
        return get_maintained_product(name, principal)
    if not may_add_products(principal):
        raise NotFound(
            gettext(
                "There is no product '%(name)s', and %(who)s is not allowed to add "
                "one. Sign in as a maintainer."
            )
            % {"name": name, "who": principal.name}
        )
    if Product.objects.filter(name=name).exists():
        raise refuse_name(name, principal)
    return None


@transaction.atomic
def create_product(
    *,
    name: str,
    principal: Principal,
    title: str = "",
    wiki_language: str = "",
    visibility: str = Visibility.EVERYONE,
) -> Product:
    """Create a product; its creator becomes its maintainer.

    wiki_language: '' for that of the request; the settings may say another later.
    visibility: a value of Visibility.
    Raises Conflict when the name is taken, also by what the caller may not see.
    """
    if not may_add_products(principal):
        raise PermissionDenied(
            gettext("%(who)s is not allowed to add products. Sign in as a maintainer.")
            % {"who": principal.name}
        )
    try:
        with transaction.atomic():
            product = Product.objects.create(
                name=check_product_name(name),
                title=title,
                visibility=visibility,
                wiki_settings=_first_wiki_settings(wiki_language),
            )
    except IntegrityError as error:
        raise refuse_name(name, principal) from error
    if principal.user_id is not None:
        Membership.objects.create(
            product=product, user_id=principal.user_id, role=Membership.Role.MAINTAINER
        )
    record_event("product.created", principal=principal, product=product)
    return product


def check_wiki_language(product: Product | None, language: str) -> None:
    """Raise InvalidInput for a language that the wiki of a product is not to be in.

    product: None for one that is to be made. language: '' for whatever it is.
    """
    for problem in wiki_setting_problems({"language": language}) if language else ():
        raise InvalidInput(problem)
    if not language or product is None:
        return
    known = languages_of(product.wiki_settings)
    if languages_of({"language": language}) != known:
        raise InvalidInput(
            gettext(
                "The wiki of '%(product)s' is written in '%(known)s'. Change it in the "
                "product's settings, or choose no language here."
            )
            % {"product": product.name, "known": ",".join(known)}
        )


def check_visibility(product: Product | None, visibility: str) -> None:
    """Raise InvalidInput if an existing product has a different visibility.

    product: None for a new one. visibility: '' accepts any.
    """
    if product is not None and visibility not in {"", product.visibility}:
        raise InvalidInput(
            gettext(
                "'%(product)s' exists already and has another visibility. Change it in "
                "the product's settings, or choose no visibility here."
            )
            % {"product": product.name}
        )


def _first_wiki_settings(chosen: str) -> dict[str, str]:
    """Return the language chosen for a product, else of its creator's request.

    {} for English.
    """
    if chosen:
        return {"language": chosen}
    language = (get_language() or "en").partition("-")[0]
    is_other = language in LANGUAGES and language != "en"
    return {"language": language} if is_other else {}
