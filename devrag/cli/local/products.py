"""Products of this machine."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.db import transaction

from devrag.cli.interfaces import Deletable, Document, ProductChanges
from devrag.core.errors import NotFound
from devrag.core.principal import SYSTEM
from devrag.products.models import Product
from devrag.products.services import create_product, get_visible_product
from devrag.use_cases.api import change_product
from devrag.use_cases.deletion.request import delete_product
from devrag.use_cases.deletion.size import measure_product


class LocalProducts:
    """Products in the database. See `devrag.cli.interfaces.Products`."""

    def list(self) -> list[Document]:
        return list(map(_row, Product.objects.visible_to(SYSTEM)))

    def create(self, name: str, changes: ProductChanges) -> Document:
        with transaction.atomic():  # wrong settings leave no product behind
            product = create_product(
                name=name, principal=SYSTEM, title=changes.title or ""
            )
            _change(product, changes)
        return _row(product)

    def update(self, name: str, changes: ProductChanges) -> Document:
        product = _find(name)
        _change(product, changes)
        return _row(product)

    def describe(self, name: str) -> tuple[Document, Deletable]:
        product = _find(name)
        size = measure_product(product)
        return _row(product), Deletable(product.pk, size.lines(), asdict(size))

    def delete(self, product: Deletable) -> str:
        found = Product.objects.visible_to(SYSTEM).filter(pk=product.id).first()
        if found is None:
            raise NotFound("This product was deleted in the meantime.")
        return str(delete_product(principal=SYSTEM, product=found).pk)


def _find(name: str) -> Product:
    return get_visible_product(name, SYSTEM)


def _change(product: Product, changes: ProductChanges) -> None:
    wiki = {**product.wiki_settings, **changes.wiki} if changes.wiki else None
    wanted: dict[str, Any] = {
        "title": changes.title,
        "description": changes.description,
        "is_external_models_allowed": changes.allows_external_models,
        "source_roots": changes.source_roots,
        "is_ssh_key_allowed": changes.allows_ssh_key,
        "wiki_settings": wiki,
    }
    given = {key: value for key, value in wanted.items() if value is not None}
    if given:
        change_product(principal=SYSTEM, product=product, changes=given)


def _row(product: Product) -> Document:
    return {
        "name": product.name,
        "title": product.title,
        "description": product.description,
        "visibility": product.visibility,
        "wiki": product.wiki_settings,
        "externalModels": product.is_external_models_allowed,
        "sourceRoots": product.source_roots,
        "sshKey": product.is_ssh_key_allowed,
        "sources": [source.name for source in product.sources.all()],
    }
