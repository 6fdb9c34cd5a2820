"""A job as REST tells it: what it is, how far it is, what it waits for."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Field, Router, Schema

from devrag.api.door import caller
from devrag.api_errors import describe_errors
from devrag.jobs.models import Job
from devrag.jobs.progress import PhaseProgress, describe_progress
from devrag.jobs.selectors import get_visible_job, get_waiting

router = Router(tags=["jobs"], by_alias=True)


class PhaseOut(Schema):
    """One step. rate: units a second; both it and secondsLeft only while known."""

    name: str
    status: str
    done: int
    total: int
    unit: str
    seconds: float | None
    rate: float | None
    seconds_left: float | None = Field(alias="secondsLeft")
    current: str


class WaitingOut(Schema):
    """What a pending job waits for: how many jobs, or one of its own lane."""

    jobs_ahead: int = Field(alias="jobsAhead")
    behind_job: UUID | None = Field(alias="behindJobID")


class JobOut(Schema):
    """A job as S2-8.13 names its fields, with its progress."""

    job_id: UUID = Field(alias="jobID")
    job_type: str = Field(alias="jobType")
    status: str
    product_name: str | None = Field(alias="productName")
    source_name: str = Field(alias="sourceName")
    created_at: Any = Field(alias="createdAt")
    started_at: Any = Field(alias="startedAt")
    finished_at: Any = Field(alias="finishedAt")
    error: str
    report: dict[str, Any]
    superseded_by: UUID | None = Field(alias="supersededBy")
    percent: int
    phases: list[PhaseOut]
    waiting: WaitingOut | None


@router.get("/{jobID}", response={200: JobOut, **describe_errors(404)})
def get_job(request: HttpRequest, jobID: UUID) -> dict[str, Any]:  # noqa: N803
    """Return a job's state, progress, report and error."""
    return _describe(get_visible_job(jobID, caller(request, "read")))


def _describe(job: Job) -> dict[str, Any]:
    """Return the document of JobOut. Queries: 1 to 3."""
    progress = describe_progress(job)
    waiting = get_waiting(job)
    return {
        "jobID": job.pk,
        "jobType": job.kind,
        "status": job.state,
        "productName": job.product.name if job.product else None,
        "sourceName": job.source_name,
        "createdAt": job.created_at,
        "startedAt": job.started_at,
        "finishedAt": job.finished_at,
        "error": job.error,
        "report": job.report,
        "supersededBy": job.superseded_by_id,
        "percent": progress.percent,
        "phases": [_describe_phase(phase) for phase in progress.phases],
        "waiting": waiting
        and {"jobsAhead": waiting.ahead, "behindJobID": waiting.behind},
    }


def _describe_phase(phase: PhaseProgress) -> dict[str, Any]:
    return {
        "name": phase.name,
        "status": phase.state,
        "done": phase.done,
        "total": phase.total,
        "unit": phase.unit,
        "seconds": phase.seconds,
        "rate": phase.rate,
        "secondsLeft": phase.seconds_left,
        "current": phase.note,
    }
