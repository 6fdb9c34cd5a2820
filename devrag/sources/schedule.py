"""When a source is indexed by itself, and how a failing one is left in peace."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from devrag.audit.api import record_event
from devrag.core.errors import InvalidInput, NotFound
from devrag.core.principal import Principal
from devrag.sources.models import Source
from devrag.sources.selectors import check_may_change

MAX_MINUTES = 525_600  # a year
_LONGEST_PAUSE = timedelta(days=1)
_DOUBLINGS = 11  # a minute doubled this often is more than a day


def pause_between(every_minutes: int, failures: int) -> timedelta:
    """Return the interval, doubled by each failure in a row, up to a day."""
    every = timedelta(minutes=every_minutes)
    doubled: timedelta = every * 2 ** min(failures, _DOUBLINGS)
    return min(doubled, max(every, _LONGEST_PAUSE))


def next_time(due: datetime, now: datetime, pause: timedelta) -> datetime:
    """Return the first time after `now` among due, due + pause, …

    However many times were missed, one run makes up for all of them.
    """
    if due > now:
        return due
    return due + pause * ((now - due) // pause + 1)


@transaction.atomic
def set_schedule(
    *,
    principal: Principal,
    source: Source,
    every_minutes: int | None,
    is_wiki_wanted: bool | None = None,
) -> Source:
    """Index the source every so many minutes, or with None only when asked.

    Setting the same interval again moves nothing. is_wiki_wanted: whether the wiki
    follows each of these runs; None leaves that as it is.
    """
    check_may_change(principal, source)
    if every_minutes is not None and not 1 <= every_minutes <= MAX_MINUTES:
        raise InvalidInput(
            gettext(
                "Invalid interval of %(every_minutes)s minutes. Use 1 to %(most)s, or "
                "leave it empty to index only on request."
            )
            % {"every_minutes": every_minutes, "most": MAX_MINUTES}
        )
    locked = _lock(source.pk)
    if locked is None:
        raise NotFound(
            gettext("The source '%(source)s' has been deleted.")
            % {"source": source.name}
        )
    before = (locked.index_every_minutes, locked.is_wiki_scheduled)
    if locked.index_every_minutes != every_minutes:
        locked.index_every_minutes = every_minutes
        locked.next_index_at = _next_after_now(locked)
    if is_wiki_wanted is not None:
        locked.is_wiki_scheduled = is_wiki_wanted
    locked.save(
        update_fields=["index_every_minutes", "next_index_at", "is_wiki_scheduled"]
    )
    if before != (locked.index_every_minutes, locked.is_wiki_scheduled):
        found = {"everyMinutes": every_minutes, "wiki": locked.is_wiki_scheduled}
        record_event(
            "source.scheduled", principal=principal, source=source, details=found
        )
    return locked


def claim_schedule(*, source: Source, now: datetime) -> bool:
    """Move a due source on to its next time; False when another beat was first."""
    due, every = source.next_index_at, source.index_every_minutes
    if due is None or every is None or due > now:
        return False
    following = next_time(due, now, pause_between(every, source.index_failures))
    seen = Source.objects.filter(
        pk=source.pk, next_index_at=due, index_every_minutes=every
    )
    return bool(seen.update(next_index_at=following))


@transaction.atomic
def note_failure(*, source_id: int, reason: str) -> None:
    """Count a failed run of the current ref; the schedule waits longer each time."""
    source = _lock(source_id)
    if source is None:
        return
    source.index_failures += 1
    source.index_error = reason
    if source.next_index_at is not None:
        later = _next_after_now(source) or source.next_index_at
        source.next_index_at = max(source.next_index_at, later)
    source.save(update_fields=["index_failures", "index_error", "next_index_at"])


@transaction.atomic
def note_success(*, source_id: int) -> None:
    """Forget the failures before a run of the current ref that went well."""
    source = _lock(source_id)
    if source is not None and source.index_failures:
        source.index_failures, source.index_error = 0, ""
        source.next_index_at = _next_after_now(source)
        source.save(update_fields=["index_failures", "index_error", "next_index_at"])


def _lock(source_id: int) -> Source | None:
    """Return the source's row for a change; None when it was deleted meanwhile."""
    return Source.objects.select_for_update(no_key=True).filter(pk=source_id).first()


def _next_after_now(source: Source) -> datetime | None:
    every = source.index_every_minutes
    if every is None:
        return None
    return timezone.now() + pause_between(every, source.index_failures)
