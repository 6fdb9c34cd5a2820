"""How much of a product is searchable by meaning, and what one may do about it."""

from __future__ import annotations

from dataclasses import dataclass

from devrag.core.principal import Principal
from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.search.semantic.coverage import VectorShare, vector_share
from devrag.web.pages.jobs import may_change, open_poll_seconds


@dataclass(frozen=True, slots=True)
class VectorPanel:
    """The share with its buttons. poll_seconds: until it may differ, 0 while no job
    is open.
    """

    product: Product
    share: VectorShare
    poll_seconds: int
    may_maintain: bool

    @property
    def may_pause(self) -> bool:
        is_at_work = self.share.is_pending and not self.share.is_paused
        return self.may_maintain and is_at_work

    @property
    def may_resume(self) -> bool:
        return self.may_maintain and self.share.is_paused_alone


def get_vector_panel(principal: Principal, product: Product) -> VectorPanel:
    """Return the panel of a product. Queries: 6."""
    return VectorPanel(
        product=product,
        share=vector_share(product),
        poll_seconds=open_poll_seconds(Job.objects.filter(product=product)),
        may_maintain=may_change(principal, product),
    )
