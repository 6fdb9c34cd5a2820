"""How much of a product is searchable by meaning."""

from __future__ import annotations

from dataclasses import dataclass

from devrag.jobs.models import OPEN_STATES, Job
from devrag.products.models import Product
from devrag.search.models import Embedding
from devrag.search.semantic.specs import active_spec
from devrag.sources.models import Chunk


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
    """Return the share of a product: three counts."""
    chunks = Chunk.objects.filter(
        file__source__product=product,
        file__manifests__until=None,
        file__manifests__ref__is_current=True,
    ).count()
    embedded = Embedding.objects.filter(
        spec=active_spec(), source__product=product, is_live=True
    ).count()
    jobs = Job.objects.filter(product=product, kind="embed", state__in=OPEN_STATES)
    return VectorShare(embedded, chunks, jobs.exists())
