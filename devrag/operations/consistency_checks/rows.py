"""Rows that disagree with each other."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count, Q, Sum

from devrag.core.principal import SYSTEM
from devrag.jobs.models import OPEN_STATES, Job
from devrag.operations.consistency_checks.types import Check
from devrag.sources.models import Chunk, File, GitRef, Snapshot, Source
from devrag.use_cases.api import request_index


def _indexing() -> list[int]:
    jobs = Job.objects.filter(kind="index", state__in=OPEN_STATES)
    return list(jobs.values_list("params__sourceID", flat=True))


def find_incomplete() -> Sequence[Source]:
    """Return sources whose rows are not as many as their snapshot counted.

    The snapshot alone remembers what was lost, so it is never just counted again.
    """
    refs = GitRef.objects.filter(
        is_current=True, snapshot__isnull=False, snapshot__is_indexed=True
    ).exclude(source__in=_indexing())
    return [
        ref.source
        for ref in refs.select_related("snapshot", "source__product")
        if ref.snapshot and _stored(ref.snapshot) != _actual(ref)
    ]


def _stored(snapshot: Snapshot) -> tuple[int, int, int]:
    return snapshot.file_count, snapshot.line_count, snapshot.chunk_count


def _actual(ref: GitRef) -> tuple[int, int, int]:
    manifest = Q(manifests__ref=ref, manifests__until=None)
    sums = File.objects.filter(manifest).aggregate(n=Count("pk"), lines=Sum("lines"))
    chunks = Chunk.objects.filter(file__manifests__ref=ref, file__manifests__until=None)
    return sums["n"], sums["lines"] or 0, chunks.count()


def find_unparsed() -> Sequence[Source]:
    """Return sources whose current manifest holds files that were never parsed."""
    stored = File.objects.filter(
        state=File.State.STORED,
        manifests__until=None,
        manifests__ref__is_current=True,
    )
    rows = Source.objects.filter(pk__in=stored.values("source"))
    return list(rows.exclude(pk__in=_indexing()).select_related("product"))


def index_fully(sources: Sequence[Source]) -> None:
    """Let the sources be read and parsed again."""
    for source in sources:
        request_index(principal=SYSTEM, source=source, is_full=True)


CHECKS = (
    Check(
        "missing rows", "are restored by a full index run", find_incomplete, index_fully
    ),
    Check(
        "files never parsed",
        "are parsed by a full index run",
        find_unparsed,
        index_fully,
    ),
)
