"""What a product's maintainers set; a change may ask for other vectors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from devrag.audit.api import record_event
from devrag.core.errors import InvalidInput
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.products.services import get_maintained_product
from devrag.products.wiki_problems import wiki_setting_problems
from devrag.search.api import request_lacking
from devrag.sources.api import check_grants

# What an administrator wants to read of a change; of the others only that they changed.
_TOLD = {
    "visibility",
    "is_external_models_allowed",
    "source_roots",
    "is_ssh_key_allowed",
}
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
    before = {field: getattr(product, field) for field in changes}
    for field, value in changes.items():
        setattr(product, field, value)
    with transaction.atomic():
        product.save(update_fields=[*changes, "updated_at"])
        _record(principal, product, before, changes)
        request_lacking(product)
    return product


def _record(
    principal: Principal,
    product: Product,
    before: Mapping[str, Any],
    changes: Mapping[str, Any],
) -> None:
    changed = sorted(name for name in changes if before[name] != changes[name])
    told = {
        name: {"from": before[name], "to": changes[name]}
        for name in changed
        if name in _TOLD
    }
    if changed:
        details = {"changed": changed, **told}
        record_event(
            "product.changed", principal=principal, product=product, details=details
        )
