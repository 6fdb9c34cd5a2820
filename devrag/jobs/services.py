"""Ask for, cancel, retry and end jobs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from devrag.audit.api import record_event
from devrag.core.deletion import delete_in_portions
from devrag.core.errors import Conflict, DevragError
from devrag.core.locks import lock_until_commit
from devrag.core.request_id import MAX_LENGTH, current_request_id
from devrag.core.texts import as_stored, gettext
from devrag.jobs.counts import count_and_delete
from devrag.jobs.events import add_event
from devrag.jobs.measuring import record_end
from devrag.jobs.models import OPEN_STATES, Batch, BatchState, Job, JobEvent, JobState
from devrag.jobs.notify import wake
from devrag.jobs.workflow import get_workflow
from devrag.products.models import Product

# A newer job of a lane takes these over from the waiting one it replaces.
INHERITED_FLAGS = ("generateWiki", "full", "isAsked", "isForced", "isRedesigned")


@transaction.atomic
def enqueue_job(
    *,
    kind: str,
    lane: str,
    product: Product | None,
    params: Mapping[str, Any],
    source_name: str = "",
    requested_by: str = "",
) -> Job:
    """Record a job and wake a worker on commit. Latest Only: it replaces a waiting one.

    The replaced job becomes `skipped`, names its successor, and hands its flags over.
    """
    lock_until_commit(lane)
    waiting = list(Job.objects.filter(lane=lane, state=JobState.PENDING))
    merged = dict(params)
    for flag in INHERITED_FLAGS:
        if any(job.params.get(flag) for job in waiting):
            merged[flag] = True
    job = Job.objects.create(
        kind=kind,
        lane=lane,
        product=product,
        params=merged,
        source_name=source_name,
        requested_by=requested_by,
        request_id=current_request_id()[:MAX_LENGTH],
    )
    Job.objects.filter(pk__in=[old.pk for old in waiting]).update(
        state=JobState.SKIPPED, superseded_by=job, finished_at=timezone.now()
    )
    for old in waiting:
        record_end(old, JobState.SKIPPED)
    transaction.on_commit(partial(wake, job.pk, "tick"))
    return job


@transaction.atomic
def hand_over_flags(*, lane: str, params: Mapping[str, Any]) -> Job | None:
    """Give a lane's waiting job the flags of an older wish; None when none waits."""
    lock_until_commit(lane)
    waiting = Job.objects.filter(lane=lane, state=JobState.PENDING).first()
    if waiting is not None:
        flags = {flag: True for flag in INHERITED_FLAGS if params.get(flag)}
        waiting.params = {**waiting.params, **flags}
        waiting.save(update_fields=["params"])
    return waiting


@transaction.atomic
def cancel_job(*, job: Job) -> Job:
    """Stop an open job; what its batches committed stays for the next run.

    A job that did everything but complete is let complete: an activated version would
    miss its vectors and its wiki.
    """
    held = Job.objects.select_for_update(no_key=True).get(pk=job.pk)
    if not held.is_open:
        raise Conflict(
            gettext("Job %(job)s is already %(state)s and cannot be cancelled.")
            % {"job": job.pk, "state": gettext(held.state)}
        )
    if _is_completing(held):
        raise Conflict(
            gettext(
                "Job %(job)s has finished its work and is about to complete, so it "
                "can no longer be cancelled."
            )
            % {"job": job.pk}
        )
    held.state, held.finished_at = JobState.CANCELLED, timezone.now()
    held.save(update_fields=["state", "finished_at"])
    record_end(held, JobState.CANCELLED)
    add_event(held, gettext("Cancelled."))
    _record("job.cancelled", held)
    wake_lane(held.lane)
    return held


def _is_completing(job: Job) -> bool:
    is_last = job.phase == len(get_workflow(job.kind).phases) - 1
    batches = Batch.objects.filter(job=job, phase=job.phase)
    return is_last and not batches.exclude(state=BatchState.DONE).exists()


@transaction.atomic
def retry_job(*, job: Job) -> Job:
    """Ask again for a failed or cancelled job, as a new job of the same lane."""
    if job.state not in (JobState.FAILED, JobState.CANCELLED):
        raise Conflict(
            gettext(
                "Job %(job)s is %(state)s. Only failed or cancelled jobs can be "
                "retried."
            )
            % {"job": job.pk, "state": gettext(job.state)}
        )
    if job.product is None:
        raise Conflict(
            gettext("The product of job %(job)s has been deleted.") % {"job": job.pk}
        )
    lock_until_commit(job.lane)
    # It may ask for another version: the older request must not take its place.
    newer = Job.objects.filter(lane=job.lane, state=JobState.PENDING).first()
    if newer is not None:
        raise Conflict(
            gettext("A job that does the same as job %(job)s is already waiting.")
            % {"job": newer.pk}
        )
    _record("job.retried", job)
    return enqueue_job(
        kind=job.kind,
        lane=job.lane,
        product=job.product,
        params=job.params,
        source_name=job.source_name,
        requested_by=job.requested_by,
    )


def _record(action: str, job: Job) -> None:
    record_event(
        action,
        product=job.product,
        source_id=job.params.get("sourceID"),
        target=job.source_name,
        details={"job": str(job.pk), "kind": job.kind},
    )


@transaction.atomic
def fail_job(*, job: Job, error: DevragError) -> None:
    """End a running job with an error that says what to do."""
    Batch.objects.filter(job=job, state=BatchState.RUNNING).update(
        state=BatchState.FAILED, error=error.message
    )
    changed = Job.objects.filter(pk=job.pk, state=JobState.RUNNING).update(
        state=JobState.FAILED,
        error=str(error.message),
        error_text=as_stored(error.message),
        error_code=error.code,
        finished_at=timezone.now(),
    )
    if changed:
        record_end(job, JobState.FAILED, error_code=error.code)
        add_event(job, error.message, level=JobEvent.Level.ERROR)
        wake_lane(job.lane)
        get_workflow(job.kind).failed(job, error)


def wake_lane(lane: str) -> None:
    """Wake the job that waits for this lane, once the transaction is through.

    Looked for only then: a job that is enqueued meanwhile is woken while this one still
    counts as running, and must not wait for the tick.
    """
    transaction.on_commit(partial(_wake_waiting, lane))


def _wake_waiting(lane: str) -> None:
    waiting = Job.objects.filter(lane=lane, state=JobState.PENDING).first()
    if waiting is not None:
        wake(waiting.pk, "tick")


def expire_jobs(*, retention: timedelta) -> int:
    """Delete jobs finished longer ago than `retention`, count them; return how many."""
    limit = timezone.now() - retention
    old = Job.objects.filter(finished_at__lt=limit).exclude(state__in=OPEN_STATES)
    jobs = list(old)
    for job in jobs:
        tidy_job(job=job)
        delete_in_portions(JobEvent.objects.filter(job=job))
        delete_in_portions(Batch.objects.filter(job=job))
    return count_and_delete([job.pk for job in jobs])


def tidy_job(*, job: Job) -> None:
    """Delete what only the run of an ended job needed; safe to do twice."""
    if not (job.is_open or job.is_tidy):
        get_workflow(job.kind).delete_leftovers(job.pk)
        Job.objects.filter(pk=job.pk).update(is_tidy=True)
