"""The question before a deletion: what goes, how much of it, and where to turn back."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext

from devrag.core.page_urls import product_url
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.sources.models import Source
from devrag.use_cases.api import is_demo
from devrag.use_cases.deletion.request import check_may_delete
from devrag.use_cases.deletion.size import measure_product, measure_source


@dataclass(frozen=True, slots=True)
class DeletionPage:
    """typed_name: what must be typed to go on; empty when a click is enough."""

    name: str
    consequence: str
    lines: tuple[str, ...]
    typed_name: str
    back_url: str


def get_source_deletion(principal: Principal, source: Source) -> DeletionPage:
    """Return the question for a source; PermissionDenied for who may not."""
    product = source.product
    check_may_delete(principal, product, source.name)
    return DeletionPage(
        name=source.name,
        consequence=gettext(
            "Search stops finding it immediately. The wiki of %(product)s mentions it "
            "until it is updated. The original is not changed."
        )
        % {"product": product},
        lines=tuple(measure_source(source).lines()),
        typed_name="",
        back_url=product_url(product.name),
    )


def get_product_deletion(principal: Principal, product: Product) -> DeletionPage:
    """Return the question for a product; PermissionDenied for who may not."""
    check_may_delete(principal, product, product.name)
    return DeletionPage(
        name=str(product),
        consequence=gettext(
            "This deletes its sources, its index, and its wiki with all "
            "versions and notes. The original repositories and documents are "
            "not changed."
        ),
        lines=tuple(measure_product(product).lines()),
        typed_name="" if is_demo(product) else product.name,
        back_url=product_url(product.name),
    )
