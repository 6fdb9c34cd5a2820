"""Jobs as people see them: lines in lists, and one job with its phases and log."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from devrag.core.page_urls import job_url, product_url, wiki_url
from devrag.core.principal import Principal
from devrag.jobs import selectors
from devrag.jobs.api import (
    PhaseProgress,
    Progress,
    describe_error,
    describe_event,
    describe_phase,
    describe_progress,
    describe_report,
    describe_seconds,
    describe_time_left,
    describe_waiting,
)
from devrag.jobs.models import OPEN_STATES, Job, JobEvent, JobState
from devrag.jobs.selectors import get_waiting
from devrag.products.models import Product
from devrag.products.services import may_maintain
from devrag.web.pages.wiki_difference import find_difference

MAX_EVENTS = 200
# A young job changes by the second; who waits for an hour need not ask so often.
_PACES = ((timedelta(minutes=1), 0), (timedelta(minutes=10), 3))
_SLOWEST = 13
MAX_JOBS = 100
# Semantic search and the wiki, which follow an index job within seconds.
_MOST_FOLLOWING = 2
_FOLLOWED_WITHIN = timedelta(seconds=20)
# What a list may be limited to.
STATES: dict[str, Collection[str]] = {
    "open": OPEN_STATES,
    "failed": (JobState.FAILED,),
    "ended": (JobState.COMPLETED, JobState.SKIPPED, JobState.CANCELLED),
}

_KINDS = {
    "index": gettext_noop("Index %(subject)s"),
    "embed": gettext_noop("Prepare semantic search of %(subject)s"),
    "graphs": gettext_noop("Build vector indexes"),
    "label": gettext_noop("Assign labels to %(subject)s"),
    "conflicts": gettext_noop("Compare documents and code of %(subject)s"),
    "wiki": gettext_noop("Generate the wiki of %(subject)s"),
    "delete": gettext_noop("Delete %(subject)s"),
}

_KIND_NAMES = {
    "index": gettext_noop("Index"),
    "embed": gettext_noop("Semantic search"),
    "graphs": gettext_noop("Vector indexes"),
    "label": gettext_noop("Label"),
    "conflicts": gettext_noop("Compare documents and code"),
    "wiki": gettext_noop("Wiki"),
    "delete": gettext_noop("Delete"),
}


@dataclass(frozen=True, slots=True)
class JobRow:
    """A job in a list."""

    kind: str
    title: str
    url: str
    state: str
    is_open: bool
    created_at: datetime
    finished_at: datetime | None
    error: str
    is_error_english: bool
    product: str
    duration: str


@dataclass(frozen=True, slots=True)
class PhaseLine:
    """A phase of a job's page: its counts in words and, while it runs, its path."""

    phase: PhaseProgress
    text: str


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of a job's log. is_english: whatever the reader's language is."""

    level: str
    at: datetime
    text: str
    is_english: bool


@dataclass(frozen=True, slots=True)
class FollowingJob:
    """A job that the end of another one began. percent: how far it is."""

    title: str
    url: str
    state: str
    is_open: bool
    percent: int


@dataclass(frozen=True, slots=True)
class JobPage:
    """One job: what it does, how far it is, what it said, what can be done."""

    job: Job
    title: str
    progress: Progress
    time_left: str
    phases: tuple[PhaseLine, ...]
    waiting: str
    waits_for: str
    report: tuple[tuple[str, str], ...]
    error: str
    events: tuple[LogLine, ...]
    may_change: bool
    result_url: str
    result_label: str
    difference_url: str
    following: tuple[FollowingJob, ...] = ()

    @property
    def poll_seconds(self) -> int:
        """After how many seconds the page asks again."""
        return poll_seconds((self.job.created_at,), fastest=2)

    @property
    def is_followed(self) -> bool:
        """Return whether what follows the job goes on, or may begin in a moment."""
        ended = self.job.finished_at
        if self.job.kind != "index" or self.job.state != JobState.COMPLETED:
            return False
        is_new = ended is not None and timezone.now() - ended < _FOLLOWED_WITHIN
        return is_new or any(each.is_open for each in self.following)

    @property
    def is_unchanged(self) -> bool:
        """Whether the job wrote a wiki that is as it was."""
        return self.job.kind == "wiki" and self.job.report.get("isNew") is False

    @property
    def may_cancel(self) -> bool:
        return self.may_change and self.job.is_open

    @property
    def may_retry(self) -> bool:
        return self.may_change and self.job.state in {"failed", "cancelled"}


def poll_seconds(begun: Iterable[datetime], *, fastest: int = 3) -> int:
    """Return after how many seconds to ask again for jobs asked for at these times."""
    newest = max(begun, default=None)
    if newest is None:
        return fastest
    age = timezone.now() - newest
    return fastest + next((more for limit, more in _PACES if age < limit), _SLOWEST)


def list_poll_seconds(jobs: Iterable[JobRow]) -> int:
    """Return the same for the open ones of a list, 0 when none is open."""
    begun = [job.created_at for job in jobs if job.is_open]
    return poll_seconds(begun) if begun else 0


def open_poll_seconds(jobs: QuerySet[Job]) -> int:
    """Return the same for the open ones of all these jobs. Queries: 1."""
    newest = jobs.filter(state__in=OPEN_STATES).aggregate(at=Max("created_at"))["at"]
    return poll_seconds([newest]) if newest else 0


def list_jobs(
    principal: Principal, *, state: str = "", kind: str = "", product: str = ""
) -> tuple[JobRow, ...]:
    """Return the newest jobs that pass; state: one of STATES. Queries: 1."""
    asked: dict[str, Any] = {
        "state__in": STATES.get(state),
        "kind": kind,
        "product__name": product,
    }
    rows = selectors.list_jobs(principal)
    rows = rows.filter(**{name: value for name, value in asked.items() if value})
    return to_lines(rows[:MAX_JOBS])


def name_kind(kind: str) -> str:
    """Return what jobs of a kind are called."""
    return gettext(_KIND_NAMES.get(kind, kind))


def list_kinds() -> list[tuple[str, str]]:
    """Return the kinds of jobs and what they are called, in the order of work."""
    return [(kind, gettext(word)) for kind, word in _KIND_NAMES.items()]


def list_open_jobs(principal: Principal) -> tuple[JobRow, ...]:
    """Return jobs that run or wait. Queries: 1."""
    return to_lines(
        selectors.list_jobs(principal).filter(state__in=OPEN_STATES)[:MAX_JOBS]
    )


def jobs_of_product(
    principal: Principal, product: Product, *, limit: int
) -> tuple[JobRow, ...]:
    """Return the newest jobs of a product that may be read. Queries: 1."""
    rows = selectors.within_limits(Job.objects.filter(product=product), principal)
    return to_lines(rows.select_related("product")[:limit])


def to_lines(jobs: Iterable[Job]) -> tuple[JobRow, ...]:
    return tuple(
        JobRow(
            kind=job.kind,
            title=describe_job(job),
            url=job_url(job.pk),
            state=job.state,
            is_open=job.is_open,
            created_at=job.created_at,
            finished_at=job.finished_at,
            error=describe_error(job),
            is_error_english=not job.error_text,
            product=job.product.name if job.product else "",
            duration=_duration(job),
        )
        for job in jobs
    )


def _duration(job: Job) -> str:
    """Return how long a job that is over ran, '' where it never began."""
    if not job.started_at or not job.finished_at:
        return ""
    return describe_seconds((job.finished_at - job.started_at).total_seconds())


def describe_job(job: Job) -> str:
    """Say in words what a job does."""
    product = job.product.name if job.product else ""
    subject = job.source_name or product
    english = _KINDS.get(job.kind, f"{job.kind.capitalize()} %(subject)s")
    return (gettext(english) % {"subject": subject}).strip()


def get_job_page(principal: Principal, job_id: uuid.UUID) -> JobPage:
    """Return one job's page. Queries: 4, up to 7 while it waits or when it wrote."""
    job = selectors.get_visible_job(job_id, principal)
    events = list(job.events.order_by("-pk")[:MAX_EVENTS])
    product = job.product.name if job.product else ""
    is_wiki = job.kind == "wiki" or bool(job.params.get("generateWiki"))
    progress = describe_progress(job)
    waiting = get_waiting(job)
    return JobPage(
        job=job,
        title=describe_job(job),
        progress=progress,
        time_left=describe_time_left(progress),
        phases=tuple(
            PhaseLine(p, _phase_text(p)) for p in progress.phases if not _is_idle(p)
        ),
        waiting=describe_waiting(job, waiting) if waiting else "",
        waits_for=job_url(waiting.behind) if waiting and waiting.behind else "",
        report=describe_report(job),
        error=describe_error(job),
        events=tuple(map(_log_line, reversed(events))),
        may_change=may_maintain(principal, job.product),
        result_url=(wiki_url if is_wiki else product_url)(product) if product else "",
        result_label=gettext("Open the wiki")
        if is_wiki
        else gettext("Open the product"),
        difference_url=find_difference(job),
        following=_following(principal, job),
    )


def _following(principal: Principal, job: Job) -> tuple[FollowingJob, ...]:
    """Return what a finished index job is followed by, of the same request.

    A request may have indexed many sources: of their jobs those of this source count.
    """
    if job.kind != "index" or job.state != JobState.COMPLETED or not job.product_id:
        return ()
    is_own = Q(kind="embed", source_name=job.source_name) | Q(kind="wiki")
    rows = selectors.list_jobs(principal).filter(
        is_own,
        product=job.product_id,
        request_id=job.trace_id,
        created_at__gt=job.created_at,
    )
    return tuple(
        FollowingJob(
            title=describe_job(row),
            url=job_url(row.pk),
            state=row.state,
            is_open=row.is_open,
            percent=describe_progress(row).percent,
        )
        for row in rows.order_by("created_at")[:_MOST_FOLLOWING]
    )


def _log_line(event: JobEvent) -> LogLine:
    text = describe_event(event)
    return LogLine(event.level, event.at, text, text == event.message)


def _is_idle(phase: PhaseProgress) -> bool:
    """Return whether a phase that is over had nothing to do."""
    return phase.state == "done" and phase.seconds is None


def _phase_text(phase: PhaseProgress) -> str:
    seconds = "" if phase.seconds is None else describe_seconds(phase.seconds)
    return " · ".join(filter(None, (describe_phase(phase), seconds)))


def find_open_wiki_job(product: Product) -> Job | None:
    """Return the job that writes the product's wiki now, if any. Queries: 1."""
    jobs = Job.objects.filter(product=product, kind="wiki", state__in=OPEN_STATES)
    return jobs.order_by("created_at").first()
