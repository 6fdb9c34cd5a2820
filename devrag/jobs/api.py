"""What other packages use of jobs beside their models and services."""

from __future__ import annotations

from devrag.jobs.action_limits import check_pace
from devrag.jobs.counts import EndedJobs, count_ended_jobs, old_counts
from devrag.jobs.engine import advance_job, append_batches, start_job
from devrag.jobs.events import add_event, make_event
from devrag.jobs.heartbeat import (
    WorkerSign,
    has_heartbeat,
    leave_worker_sign,
    list_workers,
    open_broker,
    worker_hint,
)
from devrag.jobs.notify import wake
from devrag.jobs.progress import PhaseProgress, Progress, describe_progress
from devrag.jobs.queues import (
    QueueDepth,
    count_open_jobs,
    last_failures,
    measure_queues,
    oldest_open_job,
)
from devrag.jobs.recovery import release_lost_batches
from devrag.jobs.request_limits import TooManyRequests, broker_at, count_request
from devrag.jobs.serializers import details_of, event_of, line_of
from devrag.jobs.wording import (
    describe_error,
    describe_event,
    describe_phase,
    describe_report,
    describe_seconds,
    describe_time_left,
    describe_waiting,
)

__all__ = [
    "EndedJobs",
    "PhaseProgress",
    "Progress",
    "QueueDepth",
    "TooManyRequests",
    "WorkerSign",
    "add_event",
    "advance_job",
    "append_batches",
    "broker_at",
    "check_pace",
    "count_ended_jobs",
    "count_open_jobs",
    "count_request",
    "describe_error",
    "describe_event",
    "describe_phase",
    "describe_progress",
    "describe_report",
    "describe_seconds",
    "describe_time_left",
    "describe_waiting",
    "details_of",
    "event_of",
    "has_heartbeat",
    "last_failures",
    "leave_worker_sign",
    "line_of",
    "list_workers",
    "make_event",
    "measure_queues",
    "old_counts",
    "oldest_open_job",
    "open_broker",
    "release_lost_batches",
    "start_job",
    "wake",
    "worker_hint",
]
