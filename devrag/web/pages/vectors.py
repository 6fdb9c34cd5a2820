"""How much of a product is searchable by meaning, and what one may do about it."""

from __future__ import annotations

from dataclasses import dataclass

from devrag.core.principal import Principal
from devrag.jobs.models import OPEN_STATES, Job
from devrag.products.models import Product
from devrag.search.semantic.coverage import VectorShare, vector_share
from devrag.web.pages.jobs import may_change


@dataclass(frozen=True, slots=True)
class VectorPanel:
    """The share with its buttons. is_busy: a job is open, so that it may change."""

    product: Product
    share: VectorShare
    is_busy: bool
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
    jobs = Job.objects.filter(product=product, state__in=OPEN_STATES)
    return VectorPanel(
        product=product,
        share=vector_share(product),
        is_busy=jobs.exists(),
        may_maintain=may_change(principal, product),
    )
