"""Ask for a wiki run of a product."""

from __future__ import annotations

from devrag.core.errors import Conflict, PermissionDenied
from devrag.core.principal import Principal
from devrag.jobs.models import Job
from devrag.jobs.services import enqueue_job
from devrag.products.models import Product
from devrag.sources.models import GitRef


def request_wiki(*, principal: Principal, product: Product, cause: str = "") -> Job:
    """Enqueue a wiki job; Conflict while nothing of the product is indexed."""
    maintained = Product.objects.maintained_by(principal).filter(pk=product.pk)
    if not principal.may("wiki") or not maintained.exists():
        raise PermissionDenied(
            f"{principal.name} may not generate the wiki of '{product.name}'. Ask a "
            "maintainer or use a token with the scope 'wiki'."
        )
    if not is_wiki_possible(product):
        raise Conflict(
            f"'{product.name}' has no indexed source yet, so there is nothing to write "
            "about. Index a source first, then generate the wiki."
        )
    return enqueue_job(
        kind="wiki",
        lane=f"wiki:{product.pk}",
        product=product,
        requested_by=principal.name,
        params={"productID": product.pk, "cause": cause or "requested"},
    )


def is_wiki_possible(product: Product) -> bool:
    """Say whether anything of the product is indexed to write about."""
    refs = GitRef.objects.filter(source__product=product, is_current=True)
    return refs.filter(snapshot__is_indexed=True).exists()
