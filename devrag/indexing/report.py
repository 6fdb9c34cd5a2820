"""The index job's report: what changed, what was left out, how long each phase took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Count, Max, Min

from devrag.core.timings import MILLISECONDS
from devrag.indexing.planned import plan_result
from devrag.jobs.models import Job
from devrag.jobs.workflow import Result, get_workflow
from devrag.sources.models import GitRef, Skip

_PATHS_NAMED = 20
_REASONS_NAMED = 20


def finish_index(job: Job) -> Result:
    """Return counts of files and chunks, reasons of what was left out, seconds."""
    found = plan_result(job)
    report: dict[str, Any] = {
        key: found.get(key, 0) for key in ("added", "modified", "removed", "unchanged")
    }
    report |= {"commit": found["commit"], "ref": found["ref"]}
    ref = GitRef.objects.select_related("snapshot").get(
        source_id=job.params["sourceID"], name=found["ref"]
    )
    report["isCurrent"] = ref.is_current
    if "skipped" in found:
        report["skipped"] = found["skipped"]
        report["unchanged"] = ref.snapshot.file_count if ref.snapshot else 0
    results = list(job.batches.values_list("result", flat=True))
    for key in ("chunks", "lines", "warnings"):
        report[key] = sum(result.get(key, 0) for result in results)
    report |= _as_windows(results)
    report["leftOut"] = _left_out(ref)
    report["leftOutPaths"] = _left_out_paths(ref, report["leftOut"])
    report["seconds"] = _seconds(job)
    report["milliseconds"] = {
        name: round(sum(result.get(name + MILLISECONDS, 0) for result in results), 1)
        for name in ("hash", "write")
    }
    return report


def _as_windows(results: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return reason → count of files that became windows, and their first paths."""
    counts: Counter[str] = Counter()
    paths: dict[str, list[str]] = {}
    for result in results:
        counts.update(result.get("asWindows", {}))
        for reason, found in result.get("asWindowsPaths", {}).items():
            paths.setdefault(reason, []).extend(found)
    named = {reason: sorted(found)[:_PATHS_NAMED] for reason, found in paths.items()}
    return {"asWindows": dict(counts.most_common()), "asWindowsPaths": named}


def _left_out(ref: GitRef) -> dict[str, int]:
    """Return reason → count; sizes and other details in brackets stay with the row."""
    counts: Counter[str] = Counter()
    rows = Skip.objects.filter(ref=ref).values_list("reason").annotate(n=Count("pk"))
    for reason, count in rows:
        counts[reason.partition(" (")[0]] += count
    return dict(counts.most_common())


def _left_out_paths(ref: GitRef, reasons: Iterable[str]) -> dict[str, list[str]]:
    """Return reason → its first paths; ignored ones are what somebody wanted."""
    named = [reason for reason in reasons if not reason.startswith("ignored by")]
    rows = Skip.objects.filter(ref=ref).order_by("path")
    return {
        reason: list(
            rows.filter(reason__startswith=reason).values_list("path", flat=True)[
                :_PATHS_NAMED
            ]
        )
        for reason in named[:_REASONS_NAMED]
    }


def _seconds(job: Job) -> dict[str, float]:
    phases = get_workflow(job.kind).phases
    rows = job.batches.order_by().values("phase")
    spans = rows.annotate(begun=Min("started_at"), ended=Max("finished_at"))
    return {
        phases[row["phase"]].name: round(
            (row["ended"] - row["begun"]).total_seconds(), 3
        )
        for row in spans
        if row["begun"] and row["ended"]
    }
