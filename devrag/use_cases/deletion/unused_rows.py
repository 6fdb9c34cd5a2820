"""Which rows nobody needs any more, and their removal in short transactions.

Superseded file versions stay for a week and for 20 activations of their ref, so that a
revert or a switch of branches finds them. Everything here is safe to run twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.db.models.functions import Greatest, Least
from django.utils import timezone

from devrag.jobs.models import OPEN_STATES, Job
from devrag.search.api import SEARCHES_KEPT, delete_file_versions
from devrag.search.models import QueryRewrite, SearchLog
from devrag.sources.models import (
    File,
    GitRef,
    HookDelivery,
    RefFile,
    Snapshot,
    StagedChange,
)
from devrag.wiki.models import Claim, PageDraft

KEPT = timedelta(days=7)
KEPT_SEQUENCES = 20
KEPT_DELIVERIES = timedelta(days=90)
_PORTION_ROWS = 10_000
_PORTION_FILES = 300
_PORTION_BYTES = 2_000_000


def stale_changes() -> QuerySet[StagedChange]:
    """Return staged changes of index runs that ended without activation."""
    return StagedChange.objects.filter(~_is_open(OuterRef("run")))


def stale_drafts() -> QuerySet[PageDraft]:
    """Return wiki pages of runs that ended without publishing."""
    return PageDraft.objects.filter(~_is_open(OuterRef("run")))


def _is_open(run: OuterRef) -> Exists:
    return Exists(Job.objects.filter(pk=run, state__in=OPEN_STATES))


def old_searches() -> QuerySet[SearchLog]:
    """Return logged searches of more than 30 days ago."""
    return SearchLog.objects.filter(at__lt=timezone.now() - SEARCHES_KEPT)


def old_rewrites() -> QuerySet[QueryRewrite]:
    """Return rewritten queries of more than 30 days ago."""
    return QueryRewrite.objects.filter(created_at__lt=timezone.now() - SEARCHES_KEPT)


def old_deliveries() -> QuerySet[HookDelivery]:
    """Return push hooks of more than 90 days ago."""
    return HookDelivery.objects.filter(received_at__lt=timezone.now() - KEPT_DELIVERIES)


def ended_intervals() -> QuerySet[RefFile]:
    """Return intervals of manifests that ended before what their ref still keeps."""
    return RefFile.objects.filter(until__lte=F("ref__pruned_sequence"))


def unused_snapshots() -> QuerySet[Snapshot]:
    """Return snapshots of a week ago that no ref points to."""
    pointed = Exists(GitRef.objects.filter(snapshot=OuterRef("pk")))
    limit = timezone.now() - KEPT
    rows = Snapshot.objects.filter(~pointed, created_at__lt=limit)
    return rows.exclude(indexed_at__gte=limit)


def unused_files() -> QuerySet[File]:
    """Return file versions of a week ago that no manifest and no run holds.

    A source that is being indexed is left alone: its run may bring versions back.
    """
    indexing = Job.objects.filter(kind="index", state__in=OPEN_STATES)
    busy = list(indexing.values_list("params__sourceID", flat=True))
    return File.objects.filter(
        ~Exists(RefFile.objects.filter(file=OuterRef("pk"))),
        ~Exists(StagedChange.objects.filter(file=OuterRef("pk"))),
        source__is_deleting=False,
        created_at__lt=timezone.now() - KEPT,
    ).exclude(source__in=busy)


def advance_kept_sequences(now: datetime) -> int:
    """Move each ref's horizon once a week; return how many moved.

    A ref marks its sequence; a week later all that had ended by then is a week old.
    The horizon is stored before an interval goes: a follower that is further behind
    sees it and reads the source anew.
    """
    GitRef.objects.filter(marked_at=None).update(
        marked_at=now, marked_sequence=F("sequence")
    )
    return GitRef.objects.filter(marked_at__lte=now - KEPT).update(
        pruned_sequence=Greatest(
            "pruned_sequence", Least("marked_sequence", F("sequence") - KEPT_SEQUENCES)
        ),
        marked_at=now,
        marked_sequence=F("sequence"),
    )


def delete_rows(rows: QuerySet[Any]) -> Iterator[int]:
    """Delete rows portion by portion; yield how many went with each."""
    while ids := list(rows.order_by("pk").values_list("pk", flat=True)[:_PORTION_ROWS]):
        # The condition holds here too: what came into use meanwhile stays.
        gone, _ = rows.filter(pk__in=ids).delete()
        yield gone


def delete_unused_files() -> Iterator[int]:
    """Delete unused file versions but those a wiki cites; yield counts."""
    last = 0
    while True:
        rows = unused_files().filter(pk__gt=last).order_by("pk")
        part = _portion(rows)
        if not part:
            return
        last = part[-1].pk
        with transaction.atomic():
            locked = _lock([file.pk for file in part])
            cited = _cited(locked)
            going = [file.pk for file in locked if _key(file) not in cited]
            yield delete_file_versions(going)["files"]


def _lock(ids: list[int]) -> list[File]:
    """Return those that are still unused, and stay so until the transaction ends."""
    rows = File.objects.filter(pk__in=ids).order_by("pk")
    list(rows.select_for_update().values_list("pk"))
    # Asked again in a statement of its own: the one that waited for the locks does not
    # see the manifest that a run wrote meanwhile.
    keys = ("path", "content_hash", "source__name")
    return list(unused_files().filter(pk__in=ids).select_related("source").only(*keys))


def _portion(rows: QuerySet[File]) -> list[File]:
    found: list[File] = []
    size = 0
    for file in rows.only("pk", "size")[:_PORTION_FILES]:
        found.append(file)
        size += file.size
        if size >= _PORTION_BYTES:
            break
    return found


def _key(file: File) -> tuple[str, str, str]:
    return file.source.name, file.path, file.content_hash


def _cited(files: list[File]) -> set[tuple[str, str, str]]:
    """Return which of the versions a wiki page cites: its links lead to them."""
    claims = Claim.objects.filter(path__in=[file.path for file in files])
    return set(claims.values_list("source_name", "path", "content_hash"))
