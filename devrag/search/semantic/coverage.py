"""How much of a product is searchable by meaning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import OuterRef, Subquery, Sum
from django.utils.translation import gettext

from devrag.core.principal import SYSTEM, Principal
from devrag.jobs.models import OPEN_STATES, Job
from devrag.products.models import Product
from devrag.search.models import EmbeddingSpec, VectorCoverage
from devrag.search.prepared import prepared_cursor
from devrag.search.semantic.pauses import list_pauses
from devrag.search.semantic.spec_switch import unready_sources
from devrag.search.semantic.specs import search_spec, specs_in_scope
from devrag.sources.models import GitRef, Source

# As counted at work. Before a source's first embedding job all that it has is missing.
_COUNTS = """
SELECT r.source_id, coalesce(v.embedded, 0), coalesce(v.chunks, n.chunk_count, 0)
FROM git_refs r
LEFT JOIN source_snapshots n ON n.id = r.snapshot_id
LEFT JOIN search_vectorcoverage v ON v.source_id = r.source_id AND v.spec_id = %s
WHERE r.is_current AND r.source_id = ANY(%s)
"""


@dataclass(frozen=True, slots=True)
class VectorCount:
    """Chunks of a source that search by meaning should find; dimensions: of vectors."""

    embedded: int = 0
    chunks: int = 0
    dimensions: int = 0

    @property
    def missing(self) -> int:
        return max(0, self.chunks - self.embedded)


def count_by_source(source_ids: Sequence[int]) -> dict[int, VectorCount]:
    """Return the counts of sources under the specs that search asks for them."""
    return count_in_scope(specs_in_scope(source_ids))


def count_in_scope(
    scope: Mapping[EmbeddingSpec, Sequence[int]],
) -> dict[int, VectorCount]:
    """Return the counts of sources by the spec that is asked. Queries: one a spec."""
    found = {
        key: VectorCount(dimensions=spec.dimensions)
        for spec, source_ids in scope.items()
        for key in source_ids
    }
    with prepared_cursor() as cursor:
        for spec, source_ids in scope.items():
            cursor.execute(_COUNTS, [spec.pk, list(source_ids)])
            for key, embedded, chunks in cursor:
                found[key] = VectorCount(embedded, chunks, spec.dimensions)
    return found


def describe_missing(counts: Iterable[VectorCount]) -> tuple[str, ...]:
    """Return a note on the share of chunks with a vector, nothing when all have one."""
    counts = list(counts)
    missing = sum(count.missing for count in counts)
    if not missing:
        return ()
    chunks = sum(count.chunks for count in counts)
    percent = 100 * (chunks - missing) // chunks
    text = gettext(
        "Semantic search is %(percent)s%% ready; the rest is found by keyword search "
        "only."
    )
    return (text % {"percent": percent},)


@dataclass(frozen=True, slots=True)
class SourceShare:
    """Chunks of a source's current manifest and how many have a vector.

    indexed: all that there are, with those of files that get no vectors.
    """

    source: str
    embedded: int
    chunks: int
    indexed: int | None = None


@dataclass(frozen=True, slots=True)
class VectorShare:
    """The same of a product. Only chunks that are to be embedded count.

    is_pending: an embedding job is open, so that the share still grows, unless paused.
    is_paused_alone: the pause is the product's own, not one of everything.
    """

    sources: tuple[SourceShare, ...]
    is_pending: bool
    is_paused: bool
    is_paused_alone: bool

    @property
    def embedded(self) -> int:
        return sum(source.embedded for source in self.sources)

    @property
    def chunks(self) -> int:
        return sum(source.chunks for source in self.sources)

    @property
    def missing(self) -> int:
        return max(0, self.chunks - self.embedded)

    @property
    def left_out(self) -> int:
        """How many chunks get no vectors: they are found by their words alone."""
        return sum(max(0, (s.indexed or 0) - s.chunks) for s in self.sources)

    @property
    def percent(self) -> int:
        return min(100, 100 * self.embedded // self.chunks) if self.chunks else 100


def vector_share(product: Product, principal: Principal = SYSTEM) -> VectorShare:
    """Return the share of a product, from what was counted at work. Queries: 4.

    principal: a reader of the product, who sees some of its sources.
    """
    coverage = VectorCoverage.objects.filter(
        spec=search_spec(product),
        source__in=Source.objects.within_limits(principal).filter(product=product),
    )
    current = GitRef.objects.filter(source=OuterRef("source"), is_current=True)
    rows = coverage.order_by("source__name").values_list(
        "source__name",
        "embedded",
        "chunks",
        Subquery(current.values("snapshot__chunk_count")[:1]),
    )
    pauses = list_pauses(product)
    jobs = Job.objects.filter(product=product, kind="embed", state__in=OPEN_STATES)
    return VectorShare(
        sources=tuple(SourceShare(*row) for row in rows),
        is_pending=jobs.exists(),
        is_paused=bool(pauses),
        is_paused_alone=pauses == [product.pk],
    )


@dataclass(frozen=True, slots=True)
class SpecShare:
    """How much has vectors under a spec. unready: sources a switch to it waits for."""

    spec: EmbeddingSpec
    embedded: int
    chunks: int
    unready: tuple[str, ...]

    @property
    def state(self) -> str:
        if self.spec.is_active:
            return "active"
        return "being prepared" if self.spec.is_next else "kept"


def spec_shares() -> list[SpecShare]:
    """Return the share of each spec, the active one first."""
    specs = EmbeddingSpec.objects.order_by("-is_active", "-is_next", "pk")
    return [_spec_share(spec) for spec in specs]


def _spec_share(spec: EmbeddingSpec) -> SpecShare:
    coverage = VectorCoverage.objects.filter(spec=spec, source__is_deleting=False)
    sums = coverage.aggregate(embedded=Sum("embedded"), chunks=Sum("chunks"))
    return SpecShare(
        spec=spec,
        embedded=sums["embedded"] or 0,
        chunks=sums["chunks"] or 0,
        unready=tuple(unready_sources(spec)),
    )


def count_orphans() -> int:
    """Return how many vectors belong to chunks outside every current manifest.

    They wait for a revert; housekeeping deletes them with their chunks.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM search_embedding WHERE NOT is_live")
        return int(cursor.fetchone()[0])
