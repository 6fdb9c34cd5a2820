"""Vectors against the manifests."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from devrag.flows.checks.types import Check
from devrag.jobs.models import OPEN_STATES, Job
from devrag.jobs.services import enqueue_job
from devrag.search.consistency import (
    drop_partition,
    lacking_vectors,
    orphan_partitions,
    wrong_live_flags,
)
from devrag.search.semantic.live import recount_vectors
from devrag.search.semantic.specs import ensure_active_spec
from devrag.sources.models import Source


def settled(source_ids: Sequence[int]) -> list[Source]:
    """Return the sources that no index or embedding job works on now."""
    busy = Job.objects.filter(kind__in=["index", "embed"], state__in=OPEN_STATES)
    rows = Source.objects.filter(pk__in=list(source_ids)).select_related("product")
    return list(
        rows.exclude(pk__in=list(busy.values_list("params__sourceID", flat=True)))
    )


def find_lacking() -> Sequence[Source]:
    """Return sources with chunks that nobody will embed."""
    return settled(list(lacking_vectors()))


def embed(sources: Sequence[Source]) -> None:
    """Let the missing vectors be made; counted anew, a job looks at everything."""
    for source in sources:
        recount(source)
        enqueue_job(
            kind="embed",
            lane=f"embed:{source.pk}",
            product=source.product,
            source_name=source.name,
            params={"sourceID": source.pk},
        )


def find_wrong_flags() -> Sequence[Source]:
    """Return sources with vectors that search sees or misses wrongly."""
    return settled(list(wrong_live_flags()))


def mend_flags(sources: Sequence[Source]) -> None:
    """Make search see exactly the vectors of the current manifests."""
    for source in sources:
        recount(source)


@transaction.atomic
def recount(source: Source) -> None:
    """Set a source's flags and counts right."""
    recount_vectors(spec=ensure_active_spec(), source_id=source.pk)


def drop_orphans(names: Sequence[str]) -> None:
    """Drop the tables of specs that are gone."""
    for name in names:
        drop_partition(name)


CHECKS = (
    Check("vectors missing", "are embedded by a job", find_lacking, embed),
    Check("vectors seen wrongly", "are marked anew", find_wrong_flags, mend_flags),
    Check("vector tables of no spec", "are dropped", orphan_partitions, drop_orphans),
)
