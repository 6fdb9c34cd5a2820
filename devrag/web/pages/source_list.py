"""The sources of a product: what each current ref points at, and what runs for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.products.services import may_maintain
from devrag.sources.models import GitRef, Source
from devrag.web.pages.jobs import JobRow, jobs_of_product, list_poll_seconds

RECENT_JOBS = 6


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source, what its current ref points at, and when it is indexed again."""

    name: str
    kind: str
    location: str
    ref: str
    version: str
    committed_at: datetime | None
    indexed_at: datetime | None
    file_count: int
    chunk_count: int
    line_count: int
    skip_count: int
    index_every_minutes: int | None
    is_wiki_scheduled: bool
    next_index_at: datetime | None
    index_failures: int
    index_error: str


@dataclass(frozen=True, slots=True)
class SourceListPage:
    product: Product
    sources: tuple[SourceRow, ...]
    jobs: tuple[JobRow, ...]
    may_maintain: bool

    @property
    def poll_seconds(self) -> int:
        return list_poll_seconds(self.jobs)


def get_source_list(principal: Principal, product: Product) -> SourceListPage:
    """Return the page of a product's sources. Queries: 4."""
    sources = list(Source.objects.within_limits(principal).filter(product=product))
    return SourceListPage(
        product=product,
        sources=list_sources(sources),
        jobs=jobs_of_product(principal, product, limit=RECENT_JOBS),
        may_maintain=may_maintain(principal, product),
    )


def list_sources(sources: Sequence[Source]) -> tuple[SourceRow, ...]:
    """Return the rows of sources. Queries: 1."""
    refs = {
        ref.source_id: ref
        for ref in GitRef.objects.filter(source__in=sources, is_current=True)
        .select_related("snapshot")
        .annotate(skip_count=Count("skips"))
    }
    return tuple(_row(source, refs.get(source.pk)) for source in sources)


def _row(source: Source, ref: GitRef | None) -> SourceRow:
    snapshot = ref.snapshot if ref else None
    return SourceRow(
        name=source.name,
        kind=source.source_type,
        location=source.location,
        ref=ref.name if ref else "",
        version=snapshot.version_identifier if snapshot else "",
        committed_at=snapshot.committed_at if snapshot else None,
        indexed_at=snapshot.indexed_at if snapshot else None,
        file_count=snapshot.file_count if snapshot else 0,
        chunk_count=snapshot.chunk_count if snapshot else 0,
        line_count=snapshot.line_count if snapshot else 0,
        skip_count=getattr(ref, "skip_count", 0),
        index_every_minutes=source.index_every_minutes,
        is_wiki_scheduled=source.is_wiki_scheduled,
        next_index_at=source.next_index_at,
        index_failures=source.index_failures,
        index_error=source.index_error,
    )
