"""The activate phase: one short transaction after which search sees the new version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Count, Sum
from django.utils import timezone

from devrag.core.errors import Conflict
from devrag.core.texts import gettext
from devrag.indexing.planned import plan_result
from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Job
from devrag.jobs.workflow import BatchPlan, Result
from devrag.parsing.types import FACTS_VERSION
from devrag.search.api import announce_activation, apply_live, switch_live
from devrag.sources.models import GitRef, RefFile, Snapshot, Source


class StaleBase(Conflict):
    """The differences were taken from a manifest that is no longer the newest."""


def plan_activate(job: Job) -> Iterable[BatchPlan]:
    """Plan one batch, or none when there is nothing to activate."""
    return () if "skipped" in plan_result(job) else (BatchPlan(),)


def run_activate(run: BatchRun) -> Result:
    """Move the manifest's intervals, the ref and its snapshot to the new version.

    What it does is proportional to the difference, so that the locks are held briefly.
    """
    found = plan_result(run.job)
    # One activation of a source at a time: its refs share what is current.
    sources = Source.objects.select_for_update(no_key=True)
    source = sources.get(pk=run.job.params["sourceID"])
    ref, _ = GitRef.objects.select_for_update().get_or_create(
        source=source, name=found["ref"], defaults={"kind": found["refKind"]}
    )
    _check_base(source, ref, found["sequence"])
    ref.sequence += 1
    _move_intervals(run.job, ref)
    ref.snapshot = _save_snapshot(source, ref, found)
    ref.facts_version = found.get("factsVersion", FACTS_VERSION)
    ref.ignore_files, ref.selection_mark = found["ignoreFiles"], found["selectionMark"]
    was_current = ref.is_current
    _make_current(source, ref, is_default=found["isDefault"])
    ref.save()
    if ref.is_current:
        if was_current:
            apply_live(source.pk, ref.pk, ref.sequence)
        else:
            switch_live(source.pk)
        announce_activation()
    return {"sequence": ref.sequence, "files": ref.snapshot.file_count}


def _check_base(source: Source, ref: GitRef, planned: int) -> None:
    """Refuse differences taken from a manifest that is no longer the newest."""
    if ref.sequence != planned:
        raise StaleBase(
            gettext(
                "Another job indexed %(ref)s of %(source)s at the same "
                "time. The job starts again with the new state."
            )
            % {"ref": ref.name, "source": source.name}
        )


_KEYS = "ref_id = %(ref)s AND c.run = %(run)s"
_MOVE = (
    f"""
    UPDATE sources_reffile m SET until = %(sequence)s
    FROM sources_file f, sources_stagedchange c
    WHERE m.{_KEYS} AND m.until IS NULL AND f.id = m.file_id AND c.path = f.path
      AND f.source_id = %(source)s
    """,
    """
    INSERT INTO sources_reffile (ref_id, file_id, since, until)
    SELECT %(ref)s, c.file_id, %(sequence)s, NULL FROM sources_stagedchange c
    WHERE c.run = %(run)s AND c.kind = 'enter'
    """,
    f"""
    DELETE FROM sources_skip s USING sources_stagedchange c
    WHERE s.{_KEYS} AND c.path = s.path
    """,
    """
    INSERT INTO sources_skip (ref_id, path, reason, digest, size)
    SELECT %(ref)s, c.path, c.reason, c.digest, c.size FROM sources_stagedchange c
    WHERE c.run = %(run)s AND c.kind = 'skip'
    """,
    # A version that comes back may carry the mark of a watcher.
    """
    UPDATE sources_chunk k SET is_dirty = false FROM sources_stagedchange c
    WHERE c.run = %(run)s AND c.kind = 'enter' AND k.file_id = c.file_id AND k.is_dirty
    """,
    "DELETE FROM sources_stagedchange WHERE run = %(run)s",
)


def _move_intervals(job: Job, ref: GitRef) -> None:
    keys: dict[str, Any] = {
        "source": ref.source_id,
        "ref": ref.pk,
        "run": job.pk,
        "sequence": ref.sequence,
    }
    with connection.cursor() as cursor:
        for statement in _MOVE:
            cursor.execute(statement, keys)


def _save_snapshot(source: Source, ref: GitRef, found: Mapping[str, Any]) -> Snapshot:
    """Create or update the snapshot: the same version never twice."""
    before = None if found["isRebuild"] else ref.snapshot
    entered = _totals(ref, since=ref.sequence)
    left = _totals(ref, until=ref.sequence) if before else {}
    totals = {
        name: (getattr(before, name) if before else 0) + count - left.get(name, 0)
        for name, count in entered.items()
    }
    committed = found.get("committedAt")
    snapshot, _ = Snapshot.objects.update_or_create(
        source=source,
        version_identifier=found["commit"],
        defaults={
            "is_indexed": True,
            "indexed_at": timezone.now(),
            "committed_at": datetime.fromisoformat(committed) if committed else None,
            **totals,
        },
    )
    return snapshot


def _totals(ref: GitRef, **interval: int) -> dict[str, int]:
    """Return files, lines and chunks of intervals that begin or end at a sequence."""
    return RefFile.objects.filter(ref=ref, **interval).aggregate(
        file_count=Count("pk"),
        line_count=Sum("file__lines", default=0),
        chunk_count=Sum("file__chunk_count", default=0),
    )


def _make_current(source: Source, ref: GitRef, *, is_default: bool) -> None:
    """Search and wiki see the default ref; the first indexed one until then."""
    others = GitRef.objects.filter(source=source, is_current=True).exclude(pk=ref.pk)
    is_named = ref.name == source.metadata.get("default_branch")
    if is_default or is_named or not others.exists():
        others.update(is_current=False)
        ref.is_current = True
