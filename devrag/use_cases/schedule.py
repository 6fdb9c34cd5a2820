"""Index what is due. Safe beside another beat; missed times count once."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from devrag.core.principal import Principal, Role
from devrag.jobs.models import OPEN_STATES, Job
from devrag.sources.models import Source
from devrag.sources.schedule import claim_schedule
from devrag.use_cases.index import index_lane, request_index

SCHEDULE = Principal(name="schedule", role=Role.ADMIN)


def run_schedules() -> int:
    """Ask for an index run of each due source; return how many were asked for."""
    now = timezone.now()
    due = Source.objects.filter(next_index_at__lte=now).select_related("product")
    return sum(_run(source, now) for source in due)


@transaction.atomic
def _run(source: Source, now: datetime) -> bool:
    """Claim and ask in one transaction, so that a crash between loses no run."""
    if not claim_schedule(source=source, now=now):
        return False
    # A run that waits or goes on will see what is new, or the next time does.
    if Job.objects.filter(lane=index_lane(source), state__in=OPEN_STATES).exists():
        return False
    request_index(
        principal=SCHEDULE, source=source, is_wiki_wanted=source.is_wiki_scheduled
    )
    return True
