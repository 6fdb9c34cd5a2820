"""What a product's maintainers set; a change may ask for other vectors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from devrag.core.errors import InvalidInput
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.products.services import get_maintained_product
from devrag.products.wiki_problems import wiki_setting_problems
from devrag.search.api import request_lacking
from devrag.sources.api import check_grants

_MOST_CHARACTERS = {"title": 200, "description": 10_000}


def change_product(
    *, principal: Principal, product: Product, changes: Mapping[str, Any]
) -> Product:
    """Set fields of a product; vectors of another model are asked for where needed.

    changes: title, description, visibility, is_external_models_allowed, wiki_settings;
    source_roots and is_ssh_key_allowed only by administrators.
    """
    get_maintained_product(product.name, principal)
    changes = check_grants(principal, changes)
    for problem in wiki_setting_problems(changes.get("wiki_settings", {})):
        raise InvalidInput(problem)
    for name, most in _MOST_CHARACTERS.items():
        if len(changes.get(name, "")) > most:
            raise InvalidInput(
                gettext("The %(field)s can have at most %(most)s characters.")
                % {"field": name, "most": most}
            )
    for field, value in changes.items():
        setattr(product, field, value)
    with transaction.atomic():
        product.save(update_fields=[*changes, "updated_at"])
        request_lacking(product)
    return product
