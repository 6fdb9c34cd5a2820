"""Jobs: how far they are, what they said, and a hand on them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from ninja import Field, Query, Router, Status

from devrag.api.errors import describe_errors
from devrag.api.json_schema import JsonSchema
from devrag.api.operations import (
    NO_NUL,
    JobAccepted,
    ProductName,
    SourceName,
    accept_job,
    caller,
)
from devrag.api.paging import Page, cut_page
from devrag.api.sample_values import JOB_ID, TIME
from devrag.jobs.api import details_of, event_of, line_of
from devrag.jobs.models import JobState
from devrag.jobs.selectors import get_changeable_job, get_visible_job, list_jobs
from devrag.jobs.services import cancel_job, retry_job

router = Router(tags=["jobs"], by_alias=True)


class PhaseOut(JsonSchema):
    """One step. rate: units a second; both it and secondsLeft only while known."""

    name: str
    status: str
    done: int
    total: int
    unit: str
    seconds: float | None
    rate: float | None
    seconds_left: float | None
    current: str

    EXAMPLE: ClassVar = {
        "name": "parse",
        "status": "running",
        "done": 40,
        "total": 100,
        "unit": "files",
        "seconds": 2.5,
        "rate": 16.0,
        "secondsLeft": 3.75,
        "current": "shop/cart.py",
    }


class WaitingOut(JsonSchema):
    """What a pending job waits for: how many jobs, or one of its own lane."""

    jobs_ahead: int
    behind_job_id: UUID | None


class JobLine(JsonSchema):
    """A job, as lists show it."""

    job_id: UUID
    job_type: str
    status: str
    product_name: str | None
    source_name: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    error: str
    superseded_by: UUID | None

    EXAMPLE: ClassVar = {
        "jobID": JOB_ID,
        "jobType": "index",
        "status": "running",
        "productName": "shop",
        "sourceName": "backend-api",
        "createdAt": TIME,
        "startedAt": TIME,
        "finishedAt": None,
        "error": "",
        "supersededBy": None,
    }


class JobOut(JobLine):
    """A job with its progress and, at its end, its report.

    secondsLeft: of all its phases together, only of wikis and only while known.
    """

    report: dict[str, Any]
    percent: int
    seconds_left: float | None
    phases: list[PhaseOut]
    waiting: WaitingOut | None

    EXAMPLE: ClassVar = {
        **JobLine.EXAMPLE,
        "report": {},
        "percent": 40,
        "secondsLeft": None,
        "phases": [PhaseOut.EXAMPLE],
        "waiting": None,
    }


class LogLine(JsonSchema):
    at: datetime
    level: str
    message: str

    EXAMPLE: ClassVar = {"at": TIME, "level": "info", "message": "Cancelled."}


class JobQuery(JsonSchema):
    """Filters for jobs; '' for all."""

    status: JobState | None = Field(None, description="pending, running, …")
    job_type: str = Field(
        "", max_length=16, pattern=NO_NUL, description="index, wiki …"
    )
    product_name: ProductName = ""
    source_name: SourceName = ""


@router.get("", response={200: list[JobLine], **describe_errors()})
def list_all_jobs(
    request: HttpRequest,
    response: HttpResponse,
    page: Page,
    wanted: Annotated[JobQuery, Query(...)],
) -> list[dict[str, Any]]:
    """List jobs, newest first; finished ones are kept for a day."""
    asked = {
        "state": wanted.status,
        "kind": wanted.job_type,
        "product__name": wanted.product_name,
        "source_name": wanted.source_name,
    }
    rows = list_jobs(caller(request))
    rows = rows.filter(**{name: value for name, value in asked.items() if value})
    by = ["-created_at", "-pk"]
    return list(map(line_of, cut_page(request, response, rows, page, by=by)))


@router.get("/{jobID}", response={200: JobOut, **describe_errors(404)})
def get_job(request: HttpRequest, jobID: UUID) -> dict[str, Any]:
    """Return a job's state, progress, report and error."""
    return details_of(get_visible_job(jobID, caller(request)))


@router.get("/{jobID}/log", response={200: list[LogLine], **describe_errors(404)})
def get_job_log(
    request: HttpRequest, jobID: UUID, response: HttpResponse, page: Page
) -> list[dict[str, str]]:
    """Return the log of a job, oldest entry first."""
    rows = get_visible_job(jobID, caller(request)).events.all()
    return list(map(event_of, cut_page(request, response, rows, page, by=["pk"])))


@router.post(
    "/{jobID}/cancel",
    response={200: JobOut, **describe_errors(404, 409)},
)
def cancel(request: HttpRequest, jobID: UUID) -> dict[str, Any]:
    """Cancel a waiting or running job; finished steps are kept for the next run.

    Requires the scope of its kind: index, wiki, or admin for a deletion.
    """
    return details_of(cancel_job(job=get_changeable_job(jobID, caller(request))))


@router.post(
    "/{jobID}/retry",
    response={202: JobAccepted, **describe_errors(404, 409)},
)
def retry(
    request: HttpRequest, jobID: UUID, response: HttpResponse
) -> Status[dict[str, Any]]:
    """Retry a failed or cancelled job; returns the new job.

    Requires the scope of its kind: index, wiki, or admin for a deletion.
    """
    job = retry_job(job=get_changeable_job(jobID, caller(request)))
    return Status(202, accept_job(job, response))
