"""Housekeeping: what each chore would delete, and deleting it. Safe to run twice.

Each chore works in portions, so that a pass can stop when its time is over; the next
pass goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import structlog
from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from devrag.ask.api import (
    abandoned_turns,
    end_abandoned_turns,
    old_conversations,
)
from devrag.audit.api import delete_old_events, old_events
from devrag.insights.api import (
    old_storage_sizes,
    old_wiki_measures,
    superfluous_sizes,
)
from devrag.jobs.api import old_counts
from devrag.runtime.layout import Home
from devrag.runtime.state_files import large_logs, rotate_log
from devrag.search.api import complete_switch, ready_specs
from devrag.use_cases.deletion import unused_rows
from devrag.use_cases.deletion.leftover_files import (
    count_orphan_mirrors,
    count_orphan_uploads,
    delete_orphan_mirrors,
    delete_orphan_uploads,
    delete_stale_drafts,
)
from devrag.use_cases.deletion.request import lost_deletions, resume_deletions
from devrag.wiki.api import index_unindexed_versions, unindexed_versions
from devrag.wiki.api import stale_drafts as stale_export_drafts

log = structlog.get_logger("devrag.use_cases")
# Below the limit of a task; beat asks again within the hour.
_PASS_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Chore:
    """count: how much there is to do. work: does it, a portion with each step."""

    name: str
    count: Callable[[], int]
    work: Callable[[], Iterator[int]]


def _deletions() -> Iterator[int]:
    yield resume_deletions()


def _intervals() -> Iterator[int]:
    unused_rows.advance_kept_sequences(timezone.now())
    yield from unused_rows.delete_rows(unused_rows.ended_intervals())


def _mirrors() -> Iterator[int]:
    yield len(delete_orphan_mirrors())


def _uploads() -> Iterator[int]:
    yield len(delete_orphan_uploads())


def _exports() -> Iterator[int]:
    yield delete_stale_drafts()


def _models() -> Iterator[int]:
    yield 1 if complete_switch() else 0


def _turns() -> Iterator[int]:
    yield end_abandoned_turns()


def _logs() -> Iterator[int]:
    for path in large_logs(Home(settings.DEVRAG_HOME).log):
        rotate_log(path)
        yield 1


def _chore_of_rows(name: str, rows: Callable[[], QuerySet[Any]]) -> Chore:
    return Chore(name, lambda: rows().count(), lambda: unused_rows.delete_rows(rows()))


CHORES: tuple[Chore, ...] = (
    Chore("deletions to resume", lambda: len(lost_deletions()), _deletions),
    # The last source that was waited for may have been deleted.
    Chore("models ready", lambda: len(ready_specs()), _models),
    Chore(
        "wikis to index", lambda: len(unindexed_versions()), index_unindexed_versions
    ),
    Chore(
        "staged changes",
        lambda: unused_rows.stale_changes().count(),
        lambda: unused_rows.delete_rows(unused_rows.stale_changes()),
    ),
    Chore(
        "wiki drafts",
        lambda: unused_rows.stale_drafts().count(),
        lambda: unused_rows.delete_rows(unused_rows.stale_drafts()),
    ),
    Chore("ended intervals", lambda: unused_rows.ended_intervals().count(), _intervals),
    Chore(
        "file versions",
        lambda: unused_rows.unused_files().count(),
        unused_rows.delete_unused_files,
    ),
    Chore(
        "snapshots",
        lambda: unused_rows.unused_snapshots().count(),
        lambda: unused_rows.delete_rows(unused_rows.unused_snapshots()),
    ),
    Chore(
        "searches",
        lambda: unused_rows.old_searches().count(),
        lambda: unused_rows.delete_rows(unused_rows.old_searches()),
    ),
    Chore(
        "rewritten queries",
        lambda: unused_rows.old_rewrites().count(),
        lambda: unused_rows.delete_rows(unused_rows.old_rewrites()),
    ),
    Chore(
        "push hooks",
        lambda: unused_rows.old_deliveries().count(),
        lambda: unused_rows.delete_rows(unused_rows.old_deliveries()),
    ),
    _chore_of_rows("sizes of sources", superfluous_sizes),
    _chore_of_rows("measures of wikis", old_wiki_measures),
    _chore_of_rows("sizes of storage", old_storage_sizes),
    _chore_of_rows("counts of jobs", old_counts),
    Chore("abandoned questions", lambda: abandoned_turns().count(), _turns),
    Chore(
        "conversations",
        lambda: old_conversations().count(),
        lambda: unused_rows.delete_rows(old_conversations()),
    ),
    Chore("audit events", lambda: old_events().count(), delete_old_events),
    Chore("mirrors", count_orphan_mirrors, _mirrors),
    Chore("uploads", count_orphan_uploads, _uploads),
    Chore(
        "export drafts",
        lambda: len(stale_export_drafts(settings.WIKI_OUTPUT_DIR)),
        _exports,
    ),
    Chore("logs", lambda: len(large_logs(Home(settings.DEVRAG_HOME).log)), _logs),
)


def run_housekeeping(*, seconds: float = _PASS_SECONDS) -> dict[str, int]:
    """Do the chores until the time is over; return what went, by chore."""
    deadline = time.monotonic() + seconds
    done: dict[str, int] = {}
    for chore in CHORES:
        for count in chore.work():
            done[chore.name] = done.get(chore.name, 0) + count
            if time.monotonic() > deadline:
                break
    went = {name: count for name, count in done.items() if count}
    log.info(
        "housekeeping done", **{name.replace(" ", "_"): n for name, n in went.items()}
    )
    return went


def count_chores() -> dict[str, int]:
    """Return how much each chore would take now, of those that have something."""
    counts = {chore.name: chore.count() for chore in CHORES}
    return {name: count for name, count in counts.items() if count}
