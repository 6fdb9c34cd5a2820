"""What the tick does: give lost batches back, wake what waits. Safe to run twice."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from devrag.core.errors import ServiceError
from devrag.core.process_identity import is_gone
from devrag.core.texts import gettext
from devrag.jobs.engine import MAX_ATTEMPTS, advance_job, append_batches
from devrag.jobs.events import add_event
from devrag.jobs.measuring import record_loss
from devrag.jobs.models import OPEN_STATES, Batch, BatchState, Job, JobState
from devrag.jobs.notify import wake
from devrag.jobs.services import fail_job
from devrag.jobs.workflow import BatchPlan, get_workflow

_STALLED = timedelta(seconds=10)
_LOSSES_TO_HALVE = 2


def release_lost_batches() -> int:
    """Give batches back whose lease ran out or whose worker on this host is gone.

    A batch that is being written holds its row lock and is skipped.
    """
    running = Batch.objects.filter(state=BatchState.RUNNING)
    running = running.filter(job__state=JobState.RUNNING).order_by("pk")
    found = [batch.pk for batch in running if _is_lost(batch)]
    return sum(_release(key) for key in found)


def _is_lost(batch: Batch) -> bool:
    if batch.lease_until is None or batch.lease_until < timezone.now():
        return True
    return is_gone(batch.worker)


def _release(key: int) -> bool:
    """Reopen one lost batch, or take it apart; False when another tick did."""
    with transaction.atomic():
        rows = Batch.objects.select_for_update(skip_locked=True, of=("self",))
        rows = rows.filter(state=BatchState.RUNNING, job__state=JobState.RUNNING)
        batch = rows.select_related("job").filter(pk=key).first()
        if batch is None or not _is_lost(batch):
            return False
        batch.losses += 1
        record_loss(batch.job)
        plans = _halves(batch)
        is_hopeless = not plans and batch.losses >= MAX_ATTEMPTS
        if plans:
            _replace(batch, plans)
        elif not is_hopeless:
            _reopen(batch)
    # Outside: failing a job takes its row, which a live batch of it may hold.
    if is_hopeless:
        text = gettext(
            "Workers crashed %(times)s times on batch %(batch)s. See the worker's log."
        )
        said = {"times": batch.losses, "batch": batch.ordinal}
        fail_job(job=batch.job, error=ServiceError(text % said))
    return True


def _halves(batch: Batch) -> list[BatchPlan]:
    if batch.losses < _LOSSES_TO_HALVE:
        return []
    phase = get_workflow(batch.job.kind).phases[batch.phase]
    return list(phase.halve(batch.payload))


def _replace(batch: Batch, plans: list[BatchPlan]) -> None:
    append_batches(batch.job, plans)
    batch.delete()
    if len(plans) > 1:
        text = gettext(
            "Worker %(worker)s stopped responding, the second time on batch "
            "%(batch)s, which is split in two."
        )
    else:
        text = gettext(
            "Worker %(worker)s stopped responding, the second time on batch "
            "%(batch)s, which is retried in safe mode."
        )
    add_event(batch.job, text % _names(batch), level="warning")


def _names(batch: Batch) -> dict[str, object]:
    return {"worker": batch.worker, "batch": batch.ordinal}


def _reopen(batch: Batch) -> None:
    Batch.objects.filter(pk=batch.pk).update(
        state=BatchState.OPEN, lease_until=None, losses=batch.losses
    )
    text = gettext(
        "Worker %(worker)s stopped responding; batch %(batch)s starts again."
    )
    add_event(batch.job, text % _names(batch), level="warning")
    transaction.on_commit(partial(wake, batch.job_id, batch.queue))


def wake_stalled_jobs() -> int:
    """Wake pending jobs, and running ones on which nothing moved for a while."""
    pending = Job.objects.filter(state=JobState.PENDING).order_by("created_at")
    for job in pending:
        wake(job.pk, "tick")
    woken = len(pending)
    for job in Job.objects.filter(state=JobState.RUNNING):
        woken += _wake_running(job)
    return woken


def _wake_running(job: Job) -> int:
    batches = Batch.objects.filter(job=job, phase=job.phase)
    waiting = batches.exclude(state=BatchState.DONE)
    if not waiting.exists():
        advance_job(job.pk, is_patient=False)
        return 1
    last = batches.aggregate(a=Max("started_at"), b=Max("finished_at"))
    moved = max((moment for moment in last.values() if moment), default=None)
    if moved and timezone.now() - moved < _STALLED:
        return 0
    queues = waiting.filter(state=BatchState.OPEN).values_list("queue", flat=True)
    for queue in set(queues):
        wake(job.pk, queue)
    return len(queues)


def wake_for_tidying() -> int:
    """Ask a worker to tidy up after jobs that ended."""
    ended = Job.objects.filter(is_tidy=False).exclude(state__in=OPEN_STATES)
    keys = list(ended.values_list("pk", flat=True))
    for key in keys:
        wake(key, "tick")
    return len(keys)
