"""What a kind of job is: phases that plan batches, and functions that run them.

The registry of kinds is composed in `use_cases`, which knows every package. It is only
looked up here, so that jobs imports nothing above it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string

from devrag.core.errors import DevragError
from devrag.jobs.models import Job

if TYPE_CHECKING:
    from devrag.jobs.batch_run import BatchRun

Result = Mapping[str, Any]
Payload = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """A batch to be: what to do, how many units it counts, another queue if need be.

    note: what it is about, in a few words, shown while it runs.
    """

    payload: Payload = field(default_factory=dict)
    units: int = 1
    queue: str = ""
    note: str = ""


def _indivisible(_payload: Payload) -> Iterable[BatchPlan]:
    """Most batches are one thing."""
    return ()


def _at_once(_job: Job) -> float:
    """Most batches may start whenever a worker is free."""
    return 0.0


@dataclass(frozen=True, slots=True)
class Phase:
    """One step of a workflow.

    plan: called in the transaction that enters the phase; no batches = phase skipped.
    run: does one batch and returns its result; may be called again after a crash.
    is_atomic: run and the batch's `done` commit together; otherwise run commits its own
    steps and must be able to continue where it was.
    unit: what progress counts ("files"); empty where a count says nothing.
    halve: takes the payload of a batch that lost its worker twice apart; none = the
    batch is tried until the job fails.
    limit_seconds: a batch that is silent for longer ends its process and is lost.
    wait: seconds until the next batch may start, asked before each; 0 = now, infinite
    while somebody holds the job.
    """

    name: str
    queue: str
    plan: Callable[[Job], Iterable[BatchPlan]]
    run: Callable[[BatchRun], Result]
    is_atomic: bool = True
    unit: str = ""
    halve: Callable[[Payload], Iterable[BatchPlan]] = _indivisible
    limit_seconds: float = 1800
    wait: Callable[[Job], float] = _at_once


def _nothing(_job: Job, _error: DevragError) -> None:
    """Most kinds leave what they committed for the next run."""


def _unknown(_job: Job) -> None:
    """Most kinds know how long a phase takes, not how long all of them do."""


def _keep(_run: UUID) -> None:
    """Most kinds store nothing that only their run needs."""


@dataclass(frozen=True, slots=True)
class Workflow:
    """A kind of job.

    finish: builds the report in the completing transaction. Once the batches of the
    last phase are done it always comes: such a job cannot be cancelled any more.
    failed: called in the transaction that ends a job with an error, to take back what
    only it made. seconds_left: how long a running job still takes if its turns come as
    they do now, None while that is not known. delete_leftovers: deletes what only the
    run of this job id needed; called some time after the job's end, however it ended,
    perhaps twice.
    """

    phases: tuple[Phase, ...]
    finish: Callable[[Job], Result]
    failed: Callable[[Job, DevragError], None] = _nothing
    seconds_left: Callable[[Job], float | None] = _unknown
    delete_leftovers: Callable[[UUID], None] = _keep


def get_workflow(kind: str) -> Workflow:
    """Return the workflow of a job kind; KeyError is a programming error."""
    registry = cast("Mapping[str, Workflow]", import_string(settings.JOB_WORKFLOWS))
    return registry[kind]


def plan_once(job: Job) -> Iterable[BatchPlan]:
    """Plan exactly one batch: for phases that are one step."""
    return (BatchPlan(),)
