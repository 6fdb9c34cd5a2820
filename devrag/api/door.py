"""What all operations share: who calls, what a body is, how a job is answered."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from ninja import Field, Schema
from ninja.security import HttpBearer
from pydantic import ConfigDict

from devrag.access.services import principal_of_token
from devrag.core.errors import PermissionDenied
from devrag.core.principal import Principal
from devrag.jobs.models import Job

NO_NUL = r"^[^\x00]*$"  # PostgreSQL keeps no such character


class BearerToken(HttpBearer):
    """`Authorization: Bearer devrag_…`; an unknown or expired token is 401."""

    def authenticate(self, request: HttpRequest, token: str) -> Principal | None:
        return principal_of_token(token)


class Request(Schema):
    """A body: unknown fields are refused, so that a typo in CI is seen at once."""

    model_config = ConfigDict(extra="forbid")


class JobAccepted(Schema):
    job_id: UUID = Field(alias="jobID")
    status: str


def caller(request: HttpRequest, scope: str) -> Principal:
    """Return whose token it is; PermissionDenied when it lacks the scope."""
    principal: Principal = request.auth  # type: ignore[attr-defined]
    if not principal.may(scope):
        raise PermissionDenied(f"This token lacks the scope '{scope}'.")
    return principal


def accept_job(job: Job, response: HttpResponse) -> dict[str, Any]:
    """Return the answer that names a job, with its address as `Location`."""
    response["Location"] = f"/api/v1/jobs/{job.pk}"
    return {"jobID": job.pk, "status": job.state}
