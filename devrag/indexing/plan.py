"""The plan phase: resolve, list, diff, store what changed. Alone touches the source.

It commits as it goes; started again, it finds the stored files and goes on.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any

from django.db.models import Count, Q

from devrag.core.errors import InvalidInput
from devrag.core.texts import gettext
from devrag.core.timings import measured
from devrag.indexing.difference import Counts, count_lost, stage_difference
from devrag.indexing.listing import list_version
from devrag.indexing.read_ahead import read_portions
from devrag.indexing.selection import selection_mark
from devrag.indexing.store import (
    find_unread,
    portions,
    store_portion,
    update_statistics,
)
from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Job
from devrag.jobs.workflow import BatchPlan, Result
from devrag.parsing.chunking import ChunkOptions, parser_version
from devrag.sources.api import source_chunking
from devrag.sources.connectors.types import Connector, Revision
from devrag.sources.models import GitRef, Source, StagedChange
from devrag.sources.services import open_source

_SECONDS_BETWEEN_LINES = 5.0
# The planner learns of this many new files, then again at each multiple.
_FILES_TO_COUNT = 2_000
_MULTIPLE = 4


def plan_plan(job: Job) -> Iterable[BatchPlan]:
    """Plan one batch, on the host that can read a path source."""
    source = Source.objects.get(pk=job.params["sourceID"])
    return (BatchPlan(queue=f"plan.{source.host}" if source.host else "plan"),)


@measured
def run_plan(run: BatchRun) -> Result:
    """Resolve the version, diff it with the ref's manifest, store changed files."""
    source = Source.objects.select_related("product").get(pk=run.job.params["sourceID"])
    opened = open_source(source, on_progress=_teller(run), checkpoint=run.checkpoint)
    with contextlib.closing(opened) as connector:
        return _plan(run, source, connector)


def _plan(run: BatchRun, source: Source, connector: Connector) -> Result:
    began = time.perf_counter()
    params = run.job.params
    version = connector.resolve(params.get("ref"), params.get("commit"))
    _forget_refs(source, connector)
    base = GitRef.objects.filter(source=source, name=version.ref_name).first()
    chunking = source_chunking(source)
    is_rebuild = bool(params.get("full")) or _is_outdated(base, chunking)
    if base and not is_rebuild:
        reason = _why_not(params, source, base, connector, version)
        if reason:
            return {"skipped": reason, **_version_facts(version)}
    told = {"source": source.name, "version": version.identifier[:12]}
    run.log(gettext("Reading %(source)s at %(version)s.") % told)
    listing = list_version(
        connector, version, source, None if is_rebuild else base, run.checkpoint
    )
    with run.fenced():
        counts = stage_difference(
            run.job.pk,
            listing,
            base,
            is_rebuild=is_rebuild,
            keeps_skips=not params.get("full") and _has_texts(base, chunking),
        )
    left_out = _store(run, connector, version, source, chunking, counts.entering)
    if base is None:
        _refuse_empty(run, source, counts.entering - left_out)
    return {
        **_version_facts(version),
        "isDefault": not params.get("ref"),
        "isRebuild": is_rebuild or base is None,
        "sequence": base.sequence if base else 0,
        "selectionMark": selection_mark(source),
        "chunking": asdict(chunking),
        "factsVersion": chunking.facts_version(),
        "ignoreFiles": dict(listing.ignore_files),
        **_changes(run, base, counts, left_out),
        "unchanged": counts.unchanged,
        "seconds": round(time.perf_counter() - began, 3),
    }


def _changes(
    run: BatchRun, base: GitRef | None, counts: Counts, left_out: int
) -> dict[str, int]:
    """Return added, modified, removed; what had no text when it was read is none."""
    lost = count_lost(run.job.pk, base) if base and left_out else 0
    return {
        "added": counts.added - (left_out - lost),
        "modified": counts.modified - lost,
        "removed": counts.removed + lost,
    }


def _teller(run: BatchRun) -> Callable[[str], None]:
    """Return what passes git's own progress on to the log, a line now and then."""
    told_at = time.monotonic()

    def tell(line: str) -> None:
        nonlocal told_at
        if time.monotonic() - told_at > _SECONDS_BETWEEN_LINES:
            told_at = time.monotonic()
            run.log(line)

    return tell


def _version_facts(version: Revision) -> dict[str, str]:
    committed = version.committed_at
    return {
        "commit": version.identifier,
        "ref": version.ref_name,
        "refKind": version.ref_kind,
        "committedAt": committed.isoformat() if committed else "",
    }


def _is_outdated(ref: GitRef | None, chunking: ChunkOptions) -> bool:
    """Return whether another parser or other chunk sizes made what the ref holds."""
    return ref is not None and ref.facts_version != chunking.facts_version()


def _has_texts(ref: GitRef | None, chunking: ChunkOptions) -> bool:
    """Return whether this parser read what the ref holds, by whatever chunk sizes."""
    if ref is None:
        return False
    return parser_version(ref.facts_version) == parser_version(chunking.facts_version())


def _why_not(
    params: Mapping[str, Any],
    source: Source,
    ref: GitRef,
    connector: Connector,
    version: Revision,
) -> str:
    """Say why there is nothing to do; '' when there is."""
    is_seen = ref.is_current or params.get("ref")
    if not (is_seen and ref.snapshot and ref.snapshot.is_indexed):
        return ""
    indexed = ref.snapshot.version_identifier
    if version.identifier == indexed:
        is_same = ref.selection_mark == selection_mark(source)
        return f"unchanged since {indexed[:12]}" if is_same else ""
    if params.get("commit") and connector.is_ancestor(version.identifier, indexed):
        return f"{version.identifier[:12]} is older than {indexed[:12]}, indexed before"
    return ""


def _forget_refs(source: Source, connector: Connector) -> None:
    """Drop branches and tags that the source no longer has, but never the current."""
    names = connector.ref_names()
    if names is not None:
        kept = source.refs.filter(Q(is_current=True) | Q(kind=GitRef.Kind.COMMIT))
        source.refs.exclude(pk__in=kept.values("pk")).exclude(name__in=names).delete()


def _store(
    run: BatchRun,
    connector: Connector,
    version: Revision,
    source: Source,
    chunking: ChunkOptions,
    units: int,
) -> int:
    """Store what enters, portion by portion; return how many files had no text."""
    facts_version = chunking.facts_version()
    done = left_out = 0
    count_at = _FILES_TO_COUNT

    def on_read(path: str) -> None:
        run.progress(done, units=max(1, units), note=path)

    waiting = (
        find_unread(source, part, facts_version) for part in portions(run.job.pk)
    )
    reading = read_portions(connector, version, waiting, on_read)
    with contextlib.closing(reading):
        for portion in reading:
            with run.fenced():
                left_out += store_portion(
                    run.job.pk, source, portion, version.identifier
                )
            done += len(portion.entries)
            if done >= count_at:
                update_statistics()
                count_at *= _MULTIPLE
    return left_out


def _refuse_empty(run: BatchRun, source: Source, with_text: int) -> None:
    if with_text:
        return
    skips = StagedChange.objects.filter(run=run.job.pk, kind=StagedChange.Kind.SKIP)
    groups = skips.order_by().values_list("reason").annotate(n=Count("pk"))
    counts = Counter[str]()
    for reason, count in groups:
        counts[reason.partition(" (")[0]] += count
    why = ", ".join(reason for reason, _ in counts.most_common(4)) or "it has no files"
    raise InvalidInput(
        gettext(
            "%(source)s contains no text to index. Skipped files: %(count)s "
            "(%(reasons)s). Check the ref and the ignore files."
        )
        % {"source": source.name, "count": counts.total(), "reasons": why}
    )
