"""The activate phase: one short transaction after which search sees the new version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Count, Q, Sum
from django.utils import timezone

from devrag.core.errors import Conflict
from devrag.jobs.models import Batch, Job
from devrag.jobs.run import BatchRun
from devrag.jobs.workflow import BatchPlan, Result
from devrag.parsing.types import FACTS_VERSION
from devrag.search.lexical.follower import announce_activation
from devrag.search.semantic.job import mark_live
from devrag.sources.models import (
    Chunk,
    File,
    GitRef,
    RefFile,
    Skip,
    Snapshot,
    Source,
    StagedChange,
)


def plan_result(job: Job) -> dict[str, Any]:
    """Return what the plan phase found."""
    batch = Batch.objects.filter(job=job, phase=0).first()
    result: dict[str, Any] = batch.result if batch else {}
    return result


def plan_activate(job: Job) -> Iterable[BatchPlan]:
    """Plan one batch, or none when the version is the active one already."""
    return () if "unchangedSince" in plan_result(job) else (BatchPlan(),)


def run_activate(run: BatchRun) -> Result:
    """Move the manifest's intervals, the ref and its snapshot to the new version."""
    found = plan_result(run.job)
    # One activation of a source at a time: its refs share what is current.
    sources = Source.objects.select_for_update(no_key=True)
    source = sources.get(pk=run.job.params["sourceID"])
    ref, _ = GitRef.objects.select_for_update().get_or_create(
        source=source, name=found["ref"], defaults={"kind": found["refKind"]}
    )
    _check_base(source, ref, found["sequence"])
    sequence = ref.sequence + 1
    if ref.facts_version not in (0, FACTS_VERSION):
        _end_all(ref, sequence)
    _move_intervals(run.job, ref, sequence)
    snapshot = _save_snapshot(source, ref, found)
    ref.sequence, ref.snapshot, ref.facts_version = sequence, snapshot, FACTS_VERSION
    _make_current(source, ref, is_default=found["isDefault"])
    ref.save()
    if ref.is_current:
        mark_live(source.pk)
        announce_activation()
    return {"sequence": sequence, "files": snapshot.file_count}


def _check_base(source: Source, ref: GitRef, planned: int) -> None:
    """Refuse differences taken from a manifest that is no longer the newest."""
    if ref.sequence != planned:
        raise Conflict(
            f"Another job indexed {ref.name} of {source.name} at the same time. "
            "Index it again."
        )


def _end_all(ref: GitRef, sequence: int) -> None:
    """Another parser: every version of the old facts leaves."""
    RefFile.objects.filter(ref=ref, until=None).update(until=sequence)


_END_INTERVALS = """
UPDATE sources_reffile m SET until = %(sequence)s
FROM sources_file f, sources_stagedchange c
WHERE m.ref_id = %(ref)s AND m.until IS NULL AND f.id = m.file_id
  AND c.run = %(run)s::uuid AND c.path = f.path
"""
_BEGIN_INTERVALS = """
INSERT INTO sources_reffile (ref_id, file_id, since, until)
SELECT %(ref)s, c.file_id, %(sequence)s, NULL FROM sources_stagedchange c
WHERE c.run = %(run)s::uuid AND c.kind = 'enter'
"""


def _move_intervals(job: Job, ref: GitRef, sequence: int) -> None:
    keys: dict[str, int | str] = {
        "ref": ref.pk,
        "run": str(job.pk),
        "sequence": sequence,
    }
    with connection.cursor() as cursor:
        cursor.execute(_END_INTERVALS, keys)
        cursor.execute(_BEGIN_INTERVALS, keys)
    staged = StagedChange.objects.filter(run=job.pk)
    Skip.objects.filter(ref=ref).delete()
    skips = staged.filter(kind=StagedChange.Kind.SKIP)
    Skip.objects.bulk_create(
        [
            Skip(ref=ref, path=s.path, reason=s.reason, digest=s.digest, size=s.size)
            for s in skips
        ],
        batch_size=5000,
    )
    staged.delete()


def _save_snapshot(source: Source, ref: GitRef, found: Mapping[str, Any]) -> Snapshot:
    """Create or update the snapshot: the same version never twice (S2-8.3-7)."""
    manifest = Q(manifests__ref=ref, manifests__until=None)
    sums = File.objects.filter(manifest).aggregate(
        files=Count("pk"), lines=Sum("lines")
    )
    chunks = Chunk.objects.filter(
        file__manifests__ref=ref, file__manifests__until=None
    ).count()
    committed = found.get("committedAt")
    snapshot, _ = Snapshot.objects.update_or_create(
        source=source,
        version_identifier=found["commit"],
        defaults={
            "is_indexed": True,
            "indexed_at": timezone.now(),
            "committed_at": datetime.fromisoformat(committed) if committed else None,
            "file_count": sums["files"],
            "line_count": sums["lines"] or 0,
            "chunk_count": chunks,
        },
    )
    return snapshot


def _make_current(source: Source, ref: GitRef, *, is_default: bool) -> None:
    """Search and wiki see the default ref; the first indexed one until then (T41)."""
    others = GitRef.objects.filter(source=source, is_current=True).exclude(pk=ref.pk)
    if not others.exists():
        ref.is_current = True
    elif is_default or ref.name == source.metadata.get("default_branch"):
        others.update(is_current=False)
        ref.is_current = True
