"""Vectors against the manifests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from devrag.jobs.models import OPEN_STATES, Job
from devrag.operations.consistency_checks.types import Check
from devrag.search.api import (
    complete_switch,
    drop_partition,
    lacking_vectors,
    orphan_partitions,
    ready_specs,
    recount_vectors,
    request_vectors,
    wanted_specs,
    wrong_counts,
    wrong_live_flags,
)
from devrag.search.models import EmbeddingSpec
from devrag.sources.models import Source


def settled(source_ids: Sequence[int]) -> list[Source]:
    """Return the sources that no index or embedding job works on now."""
    busy = Job.objects.filter(kind__in=["index", "embed"], state__in=OPEN_STATES)
    rows = Source.objects.filter(pk__in=list(source_ids), is_deleting=False)
    return list(
        rows.exclude(
            pk__in=list(busy.values_list("params__sourceID", flat=True))
        ).select_related("product")
    )


@dataclass(frozen=True, slots=True)
class Lack:
    """A source without some vectors, or their right number, of a spec it needs."""

    source: Source
    spec: EmbeddingSpec

    def __str__(self) -> str:
        return f"{self.source} ({self.spec.name})"


def find_lacking() -> Sequence[Lack]:
    """Return sources with chunks that nobody will embed, by spec."""
    return _wanted(lacking_vectors())


def _wanted(pairs: set[tuple[int, int]]) -> list[Lack]:
    """Return those pairs of source and spec that the source should have vectors of."""
    sources = settled(sorted({source_id for source_id, _ in pairs}))
    return [
        Lack(source, spec)
        for source in sources
        for spec in wanted_specs(source.product)
        if (source.pk, spec.pk) in pairs
    ]


@transaction.atomic
def embed(lacks: Sequence[Lack]) -> None:
    """Let the missing vectors be made; counted anew, a job looks at everything."""
    for lack in lacks:
        recount_vectors(spec=lack.spec, source_id=lack.source.pk)
        request_vectors(lack.source, lack.spec)


def find_wrong_counts() -> Sequence[Lack]:
    """Return sources whose share of vectors is not what people are shown."""
    return _wanted(wrong_counts())


@transaction.atomic
def count_again(lacks: Sequence[Lack]) -> None:
    """Count chunks and vectors anew."""
    for lack in lacks:
        recount_vectors(spec=lack.spec, source_id=lack.source.pk)


def find_wrong_flags() -> Sequence[Source]:
    """Return sources with vectors that search sees or misses wrongly."""
    return settled(list(wrong_live_flags()))


def mend_flags(sources: Sequence[Source]) -> None:
    """Make search see exactly the vectors of the current manifests."""
    for source in sources:
        recount(source)


@transaction.atomic
def recount(source: Source) -> None:
    """Set a source's flags and counts right, under each spec that counts for it."""
    for spec in wanted_specs(source.product):
        recount_vectors(spec=spec, source_id=source.pk)


def switch(_specs: Sequence[EmbeddingSpec]) -> None:
    """Let search use it."""
    complete_switch()


def drop_orphans(names: Sequence[str]) -> None:
    """Drop the tables of specs that are gone."""
    for name in names:
        drop_partition(name)


CHECKS = (
    Check("model ready", "becomes the active one", ready_specs, switch),
    Check("missing vectors", "are embedded by a job", find_lacking, embed),
    Check(
        "vectors with a wrong search state",
        "are marked again",
        find_wrong_flags,
        mend_flags,
    ),
    Check("wrong vector counts", "are counted again", find_wrong_counts, count_again),
    Check(
        "vector tables without a model", "are dropped", orphan_partitions, drop_orphans
    ),
)
