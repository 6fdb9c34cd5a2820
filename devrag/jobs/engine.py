"""Start jobs, claim batches, run them, go on to the next phase. All by PostgreSQL.

A claim is a compare-and-set on the batch row with a lease; the attempt number fences
off a worker whose lease went to another. Whoever finds a phase without open batches
advances the job under its row lock.
"""

from __future__ import annotations

import math
import time
import uuid
from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from typing import Any

import structlog
from django.conf import settings
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import F, Max, Q
from django.utils import timezone

from devrag.audit.api import bound_origin
from devrag.core.errors import DevragError, ServiceError
from devrag.core.locks import lock_until_commit
from devrag.core.process_identity import worker_name
from devrag.core.texts import gettext
from devrag.core.watchdog import watched
from devrag.jobs.batch_run import LEASE, BatchRun
from devrag.jobs.measuring import logged_as, record_end, record_retry
from devrag.jobs.models import Batch, BatchState, Job, JobState
from devrag.jobs.notify import wake
from devrag.jobs.origin import origin_of
from devrag.jobs.services import fail_job, wake_lane
from devrag.jobs.workflow import BatchPlan, Phase, get_workflow

log = structlog.get_logger("devrag.jobs")
MAX_ATTEMPTS = 4  # the first and three more
_BACKOFF_SECONDS = (1, 5, 20)
# The tick wakes who must wait longer: a broker takes no task for an hour.
_LONGEST_WAKE_SECONDS = 60
_DATABASE_PATIENCE_SECONDS = 60.0


def start_job(job_id: uuid.UUID) -> bool:
    """Turn a pending job into the running one of its lane; False while it must wait."""
    with transaction.atomic():
        job = Job.objects.get(pk=job_id)
        lock_until_commit(job.lane)
        if Job.objects.filter(lane=job.lane, state=JobState.RUNNING).exists():
            return False
        started = Job.objects.filter(pk=job_id, state=JobState.PENDING).update(
            state=JobState.RUNNING,
            started_at=timezone.now(),
            attempts=F("attempts") + 1,
            is_tidy=False,
        )
    if started:
        advance_job(job_id)
    return bool(started)


def advance_job(job_id: uuid.UUID, *, is_patient: bool = True) -> None:
    """Enter the next phase that has batches, or complete the job.

    is_patient: wait for another process that does so just now, else leave it to that.
    """
    job = Job.objects.get(pk=job_id)
    with logged_as(job):
        _advance(job, is_patient=is_patient)


def _advance(job: Job, *, is_patient: bool) -> None:
    try:
        with bound_origin(origin_of(job)), transaction.atomic():
            # Not the key: a batch that logs holds it until it commits.
            rows = Job.objects.select_for_update(
                no_key=True, skip_locked=not is_patient
            )
            locked = rows.filter(pk=job.pk).first()
            if locked is not None:
                _advance_locked(locked)
    except DevragError as error:
        fail_job(job=job, error=error)
    except OperationalError:
        raise  # the next tick asks again
    except Exception as error:
        log.exception("job cannot go on")
        fail_job(job=job, error=_unexpected(error, f"after phase {job.phase}"))


def _advance_locked(job: Job) -> None:
    unfinished = job.batches.filter(phase=job.phase).exclude(state=BatchState.DONE)
    if job.state != JobState.RUNNING or unfinished.exists():
        return
    workflow = get_workflow(job.kind)
    for position in range(job.phase + 1, len(workflow.phases)):
        phase = workflow.phases[position]
        plans = list(phase.plan(job))
        if plans:
            job.phase = position
            job.save(update_fields=["phase"])
            create_batches(job, plans)
            return
    job.phase = len(workflow.phases)
    job.report = dict(workflow.finish(job))
    job.state = JobState.COMPLETED
    job.finished_at = timezone.now()
    job.save(update_fields=["phase", "report", "state", "finished_at"])
    record_end(job, JobState.COMPLETED)
    wake_lane(job.lane)


def create_batches(job: Job, plans: list[BatchPlan], *, first_ordinal: int = 0) -> None:
    """Add batches to the job's present phase and wake workers on commit."""
    phase = get_workflow(job.kind).phases[job.phase]
    Batch.objects.bulk_create(
        Batch(
            job=job,
            phase=job.phase,
            ordinal=ordinal,
            queue=plan.queue or phase.queue,
            payload=dict(plan.payload),
            units=plan.units,
            note=plan.note[-Batch.NOTE_LENGTH :],
        )
        for ordinal, plan in enumerate(plans, first_ordinal)
    )
    queues = sorted({plan.queue or phase.queue for plan in plans})
    for queue in queues:
        times = min(settings.INDEX_WORKERS, len(plans))
        transaction.on_commit(partial(wake, job.pk, queue, times=times))


def append_batches(job: Job, plans: list[BatchPlan]) -> None:
    """Add batches behind those of the job's present phase, in a transaction."""
    # Others may do the same at once: the job's row keeps their ordinals apart.
    locked = Job.objects.select_for_update(no_key=True).get(pk=job.pk)
    batches = Batch.objects.filter(job=locked, phase=locked.phase)
    last = batches.aggregate(n=Max("ordinal"))["n"]
    create_batches(locked, plans, first_ordinal=last + 1)


def claim_batch(job_id: uuid.UUID, queue: str) -> BatchRun | None:
    """Take the next open batch of a job's present phase, or None.

    Also None while the phase has batches wait.
    """
    now = timezone.now()
    with transaction.atomic():
        batch = (
            Batch.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("job", "job__product")
            .filter(
                Q(not_before=None) | Q(not_before__lte=now),
                job_id=job_id,
                job__state=JobState.RUNNING,
                phase=F("job__phase"),
                queue=queue,
                state=BatchState.OPEN,
            )
            .order_by("ordinal")
            .first()
        )
        if batch is None or _must_wait(batch):
            return None
        batch.state = BatchState.RUNNING
        batch.attempts += 1
        batch.lease_until = now + LEASE
        batch.worker = worker_name()
        batch.started_at = now
        batch.save(
            update_fields=["state", "attempts", "lease_until", "worker", "started_at"]
        )
    return BatchRun(job=batch.job, batch=batch)


def _must_wait(batch: Batch) -> bool:
    phase = get_workflow(batch.job.kind).phases[batch.phase]
    return phase.wait(batch.job) > 0


def run_batch(run: BatchRun) -> None:
    """Do one batch; its result, its failure or its retry is recorded on the row."""
    with logged_as(run.job):
        _run_batch(run)


def _run_batch(run: BatchRun) -> None:
    phase = get_workflow(run.job.kind).phases[run.batch.phase]
    try:
        with bound_origin(origin_of(run.job)), watched(phase.limit_seconds):
            _do_batch(run, phase)
    except DevragError as error:
        _settle_patiently(run, error)
    except (OperationalError, IntegrityError, OSError) as error:
        # Integrity: rows that this batch refers to went meanwhile.
        _settle_patiently(
            run, ServiceError(": ".join((type(error).__name__, str(error))))
        )
    except Exception as error:
        log.exception("batch failed", batch=run.batch.pk)
        _settle_patiently(run, _unexpected(error, f"in phase {phase.name}"))


def _unexpected(error: Exception, when: str) -> DevragError:
    """Return what to say of a fault of ours. when: where in the job it came up."""
    said = {"kind": type(error).__name__, "when": when, "error": str(error)}
    return DevragError(
        gettext(
            "Unexpected %(kind)s %(when)s: %(error)s. The worker's log has the details."
        )
        % said
    )


def _do_batch(run: BatchRun, phase: Phase) -> None:
    if phase.is_atomic:
        with run.fenced():
            _finish_batch(run, phase.run(run))
        return
    with run.kept():
        result = phase.run(run)
    with run.fenced():
        _finish_batch(run, result)


def _settle_patiently(run: BatchRun, error: DevragError) -> None:
    """Record the outcome even when the database is away for a moment.

    Otherwise the batch would stay with this living worker until its lease ends.
    """
    deadline = time.monotonic() + _DATABASE_PATIENCE_SECONDS
    while True:
        try:
            _settle(run, error)
        except OperationalError:
            if time.monotonic() > deadline:
                raise
            connection.close()
            time.sleep(0.5)
        else:
            return


def _finish_batch(run: BatchRun, result: Mapping[str, Any]) -> None:
    Batch.objects.filter(pk=run.batch.pk).update(
        state=BatchState.DONE,
        result=dict(result),
        done_units=F("units"),
        finished_at=timezone.now(),
        lease_until=None,
    )


def _settle(run: BatchRun, error: DevragError) -> None:
    """Retry what may pass by itself, fail the job on the rest."""
    if not run.still_mine():
        return
    attempt = run.batch.attempts
    failures = attempt - run.batch.losses
    if error.permanent or failures >= MAX_ATTEMPTS:
        fail_job(job=run.job, error=error)
        return
    record_retry(run.job)
    usual = _BACKOFF_SECONDS[min(failures, len(_BACKOFF_SECONDS)) - 1]
    delay = max(usual, math.ceil(getattr(error, "retry_after_seconds", 0)))
    Batch.objects.filter(pk=run.batch.pk, attempts=attempt).update(
        state=BatchState.OPEN,
        not_before=timezone.now() + timedelta(seconds=delay),
        error=error.message,
    )
    text = gettext("%(error)s Trying again in %(seconds)s s.")
    run.log(text % {"error": error.message, "seconds": delay}, level="warning")
    wake(run.job.pk, run.batch.queue, delay_seconds=min(delay, _LONGEST_WAKE_SECONDS))
