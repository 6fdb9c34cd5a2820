"""How much of a product is searchable by meaning."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Sum

from devrag.jobs.models import OPEN_STATES, Job
from devrag.products.models import Product
from devrag.search.models import VectorCoverage
from devrag.search.semantic.specs import active_spec


@dataclass(frozen=True, slots=True)
class VectorShare:
    """Chunks of current manifests and how many have a vector of the active spec.

    is_pending: an embedding job is open, so that the share still grows.
    """

    embedded: int
    chunks: int
    is_pending: bool

    @property
    def percent(self) -> int:
        return 100 * self.embedded // self.chunks if self.chunks else 100


def vector_share(product: Product) -> VectorShare:
    """Return the share of a product from what jobs counted. Queries: 3."""
    coverage = VectorCoverage.objects.filter(
        spec=active_spec(), source__product=product
    )
    sums = coverage.aggregate(chunks=Sum("chunks"), embedded=Sum("embedded"))
    jobs = Job.objects.filter(product=product, kind="embed", state__in=OPEN_STATES)
    return VectorShare(sums["embedded"] or 0, sums["chunks"] or 0, jobs.exists())
