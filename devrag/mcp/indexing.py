"""Index sources on a caller's behalf, and wait as long as they are willing to."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence

import anyio.from_thread
from django.db.models import Exists, OuterRef, QuerySet

from devrag.core.connection_pool import release_connections
from devrag.core.principal import Principal
from devrag.jobs.api import worker_hint
from devrag.jobs.models import OPEN_STATES, Job, JobState
from devrag.mcp.collections import Collection
from devrag.products.models import Product
from devrag.search.api import add_to_trace, is_behind
from devrag.sources.models import GitRef, Source
from devrag.use_cases.api import request_index
from devrag.use_cases.timings import timing_lines

_POLL_SECONDS = 0.1
_PATIENCE_SECONDS = 5.0
_FIRST_INDEX_SECONDS = 60.0
# So many calls wait at a time; threads and connections are there for the others.
_WAITING = threading.BoundedSemaphore(8)


def start_indexing(
    principal: Principal, sources: Iterable[Source], *, is_full: bool = False
) -> list[Job]:
    """Enqueue a job for each source. Raises PermissionDenied."""
    return [
        request_index(principal=principal, source=source, is_full=is_full)
        for source in sources
    ]


def wait_for_jobs(jobs: Sequence[Job], seconds: float) -> list[Job]:
    """Return the jobs as they are once all have ended, or when the time is up.

    Gives up early where no worker takes them, where many calls wait already, and when
    the caller has gone.
    """
    if not _WAITING.acquire(blocking=False):
        return list(map(_latest, jobs))
    try:
        return _watch(jobs, seconds)
    finally:
        _WAITING.release()


def _watch(jobs: Sequence[Job], seconds: float) -> list[Job]:
    began = time.monotonic()
    while True:
        jobs = [_latest(job) for job in jobs]
        waited = time.monotonic() - began
        if not any(job.is_open for job in jobs) or waited > seconds:
            return list(jobs)
        if waited > _PATIENCE_SECONDS and _is_nobody_there(jobs):
            return list(jobs)
        _rest()


def _rest() -> None:
    """Wait a moment without a connection to the database; others need it."""
    release_connections()
    anyio.from_thread.check_cancelled()
    time.sleep(_POLL_SECONDS)


def _latest(job: Job) -> Job:
    """Return the job as it is now; of one that was skipped the one that took over."""
    job.refresh_from_db()
    return job.superseded_by if job.superseded_by is not None else job


def _is_nobody_there(jobs: Iterable[Job]) -> bool:
    is_waiting = all(job.state == JobState.PENDING for job in jobs if job.is_open)
    return is_waiting and bool(worker_hint())


def index_missing(principal: Principal, scope: Collection) -> list[str]:
    """Index what is asked for and never was; return what is not there yet.

    Only where there would be nothing to answer from; else a note says what is missing.
    """
    missing = list(_not_indexed(scope.source_ids))
    if not missing:
        return []
    is_nothing_there = len(missing) == len(scope.source_ids)
    if not is_nothing_there or not all(_may_index(principal, each) for each in missing):
        names = ", ".join(source.name for source in missing)
        return [f"Not indexed yet: {names}. Call reindex(source)."]
    open_jobs = [_open_job(source) for source in missing]
    idle = [s for s, job in zip(missing, open_jobs, strict=True) if job is None]
    jobs = [job for job in open_jobs if job] + start_indexing(principal, idle)
    done = wait_for_jobs(jobs, _FIRST_INDEX_SECONDS)
    for job in done:
        trace_job(job)
    _wait_for_words(scope.source_ids)
    return [note for job in done if (note := describe_open(job))]


def _may_index(principal: Principal, source: Source) -> bool:
    products = Product.objects.maintained_by(principal)
    return principal.may("index") and products.filter(pk=source.product_id).exists()


def _wait_for_words(source_ids: Sequence[int]) -> None:
    """Wait for the follower; a search before would find nothing of what is there."""
    began = time.monotonic()
    while is_behind(source_ids) and time.monotonic() - began < _PATIENCE_SECONDS:
        _rest()


def _not_indexed(source_ids: Sequence[int]) -> QuerySet[Source]:
    current = GitRef.objects.filter(
        source=OuterRef("pk"), is_current=True, snapshot__is_indexed=True
    )
    rows = Source.objects.filter(~Exists(current), pk__in=source_ids)
    return rows.select_related("product").order_by("name")


def _open_job(source: Source) -> Job | None:
    jobs = Job.objects.filter(kind="index", state__in=OPEN_STATES)
    return jobs.filter(params__sourceID=source.pk).first()


def describe_open(job: Job) -> str:
    """Say what a job that did not complete is at, '' for one that did."""
    if job.state == JobState.COMPLETED:
        return ""
    if job.is_open:
        hint = worker_hint() if job.state == JobState.PENDING else ""
        said = f"{job.source_name} is being indexed: get_job('{job.pk}')."
        return f"{said} {hint}".strip()
    return f"{job.source_name} could not be indexed: {job.error or job.state}"


def trace_job(job: Job) -> None:
    """Add the timings that a job's report has to the trace."""
    report = job.report
    if job.state != JobState.COMPLETED or not report:
        return
    add_to_trace(f"reindex {job.source_name}", *timing_lines(report))
