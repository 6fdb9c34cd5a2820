"""Ask for vectors: a job for each source and spec, in a lane of its own."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

from devrag.core.errors import Conflict
from devrag.core.texts import gettext
from devrag.jobs.models import OPEN_STATES, Job
from devrag.jobs.services import enqueue_job
from devrag.products.models import Product
from devrag.search.models import EmbeddingSpec
from devrag.search.semantic.missing_vectors import lacks_vectors
from devrag.search.semantic.specs import wanted_specs
from devrag.sources.models import Source


def embed_lane(source_id: int, spec: EmbeddingSpec) -> str:
    """Return the lane in which a source's vectors of one spec are made."""
    return f"embed:{source_id}:{spec.pk}"


def spec_of(job: Job) -> EmbeddingSpec:
    """Return what an embedding job makes vectors of; Conflict when it was dropped."""
    spec = EmbeddingSpec.objects.filter(pk=job.params.get("specID")).first()
    if spec is None:
        raise Conflict(
            gettext(
                "The embedding model of this job was deleted, so there is "
                "nothing to do."
            )
        )
    return spec


def request_vectors(
    source: Source,
    spec: EmbeddingSpec,
    *,
    requested_by: str = "",
    index_job: uuid.UUID | None = None,
) -> Job:
    """Ask for a source's missing vectors of a spec. index_job: who wants the report."""
    params: dict[str, Any] = {"sourceID": source.pk, "specID": spec.pk}
    if index_job is not None:
        params |= {"indexJobID": str(index_job)}
    return enqueue_job(
        kind="embed",
        lane=embed_lane(source.pk, spec),
        product=source.product,
        source_name=source.name,
        requested_by=requested_by,
        params=params,
    )


def lacking_specs(source: Source) -> Iterator[EmbeddingSpec]:
    """Yield specs that a source lacks vectors of while no job makes them."""
    for spec in wanted_specs(source.product):
        lane = embed_lane(source.pk, spec)
        is_made = Job.objects.filter(lane=lane, state__in=OPEN_STATES).exists()
        if not is_made and lacks_vectors(spec, source.pk):
            yield spec


def request_lacking(product: Product | None = None) -> None:
    """Ask for whatever vectors are missing and not on their way. No product: of all."""
    sources = Source.objects.select_related("product").order_by("pk")
    if product is not None:
        sources = sources.filter(product=product)
    for source in sources:
        for spec in lacking_specs(source):
            request_vectors(source, spec)
