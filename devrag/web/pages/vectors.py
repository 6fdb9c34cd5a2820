"""How much of a product is searchable by meaning, and what one may do about it."""

from __future__ import annotations

from dataclasses import dataclass

from devrag.core.principal import Principal
from devrag.jobs.models import Job
from devrag.operations.model_keys import EMBEDDING, MissingKey, missing_key
from devrag.products.models import Product
from devrag.products.services import may_maintain
from devrag.search.api import VectorShare, has_remote_spec, vector_share
from devrag.web.pages.jobs import open_poll_seconds


@dataclass(frozen=True, slots=True)
class VectorPanel:
    """The share with its buttons. poll_seconds: until it may differ, 0 while no job
    is open. missing_key: what the server lacks to make the vectors that are missing.
    """

    product: Product
    share: VectorShare
    poll_seconds: int
    may_maintain: bool
    missing_key: MissingKey | None

    @property
    def is_growing(self) -> bool:
        return self.share.is_pending and not self.share.is_paused

    @property
    def may_pause(self) -> bool:
        return self.may_maintain and self.is_growing

    @property
    def may_resume(self) -> bool:
        return self.may_maintain and self.share.is_paused_alone


def get_vector_panel(principal: Principal, product: Product) -> VectorPanel:
    """Return the panel of a product. Queries: 7."""
    return VectorPanel(
        product=product,
        share=vector_share(product, principal),
        missing_key=missing_embedding_key(product),
        poll_seconds=open_poll_seconds(Job.objects.filter(product=product)),
        may_maintain=may_maintain(principal, product),
    )


def missing_embedding_key(product: Product) -> MissingKey | None:
    """Return what the server lacks to embed a product's texts. Queries: 1."""
    if not (product.is_external_models_allowed and has_remote_spec()):
        return None
    return missing_key(EMBEDDING)
