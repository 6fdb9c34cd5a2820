"""What all operations share: who calls, what a body is, how a job is answered."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from ninja import Field
from ninja.errors import AuthenticationError
from ninja.security import HttpBearer
from pydantic import ConfigDict

from devrag.access.models import ApiToken
from devrag.access.services import describe_refusal, principal_of_token
from devrag.api.idempotency import claim_key
from devrag.api.json_schema import JsonSchema
from devrag.api.problems import UnsupportedMedia
from devrag.api.sample_values import JOB_ID
from devrag.audit.api import bind_caller
from devrag.core.errors import MissingScope
from devrag.core.hashing import sha256_hex
from devrag.core.local_operator import LOCAL_OPERATOR, is_local_request
from devrag.core.principal import Principal
from devrag.jobs.api import count_request
from devrag.jobs.models import Job

NO_NUL = r"^[^\x00]*$"  # PostgreSQL keeps no such character
ProductName = Annotated[str, Field(max_length=64, pattern=NO_NUL)]
SourceName = Annotated[str, Field(max_length=200, pattern=NO_NUL)]
Id = Annotated[int, Field(ge=1, le=2**63 - 1)]
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]


class BearerToken(HttpBearer):
    """`Authorization: Bearer devrag_…` with a scope; asked before anything is read.

    takes_key: what is done has to be done once; see `devrag.api.idempotency`.
    is_form: files are sent, in a body that is too large to be compared.
    takes_local: commands of this machine may ask without a token.
    """

    openapi_description = (
        "A token that begins with `devrag_`. The roles of an operation are the "
        "required scopes; `admin` includes all."
    )

    def __init__(
        self,
        scope: ApiToken.Scope,
        *,
        takes_key: bool = True,
        is_form: bool = False,
        takes_local: bool = False,
    ) -> None:
        super().__init__()
        self.scope = scope
        self.takes_key = takes_key and not is_form
        self.is_form = is_form
        self.takes_local = takes_local

    def __call__(self, request: HttpRequest) -> Principal:
        request.needed_scope = self.scope  # type: ignore[attr-defined]
        scheme, _, secret = request.headers.get(self.header, "").partition(" ")
        if scheme.lower() != self.openapi_scheme or not secret.strip():
            raise AuthenticationError(message="No token was sent.")
        return self.authenticate(request, secret.strip())

    def authenticate(self, request: HttpRequest, token: str) -> Principal:
        keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
        if self.takes_local and is_local_request(token, keys):
            return LOCAL_OPERATOR
        principal = principal_of_token(token)
        if principal is None:
            raise AuthenticationError(message=describe_refusal(token))
        digest = sha256_hex(token)
        count_request(digest)
        if not principal.may(self.scope):
            raise MissingScope(
                f"This token lacks the scope '{self.scope}'. Create one with `devrag "
                f"token create --scopes read,{self.scope}`.",
                self.scope,
            )
        if self.is_form and request.content_type != "multipart/form-data":
            raise UnsupportedMedia(
                "Files must be sent as a form, with 'Content-Type: "
                "multipart/form-data'."
            )
        bind_caller(principal)
        if self.takes_key:
            claim_key(request, digest)
        request.token_digest = digest  # type: ignore[attr-defined]
        return principal


READ = BearerToken(ApiToken.Scope.READ)
ASK = BearerToken(ApiToken.Scope.READ, takes_key=False)  # a POST that changes nothing
SEARCH = BearerToken(ApiToken.Scope.READ, takes_key=False, takes_local=True)
INDEX = BearerToken(ApiToken.Scope.INDEX)
TEST = BearerToken(ApiToken.Scope.INDEX, takes_key=False)  # as ASK
UPLOAD = BearerToken(ApiToken.Scope.INDEX, is_form=True)
WIKI = BearerToken(ApiToken.Scope.WIKI)
ADMIN = BearerToken(ApiToken.Scope.ADMIN)


class Request(JsonSchema):
    """A body: unknown fields are refused, so that a typo in CI is seen at once.

    Fields have only their JSON names: `source_name` is unknown.
    """

    model_config = ConfigDict(extra="forbid", validate_by_name=False)


class JobAccepted(JsonSchema):
    job_id: UUID
    status: str

    EXAMPLE: ClassVar = {"jobID": JOB_ID, "status": "pending"}


def caller(request: HttpRequest) -> Principal:
    """Return whose token it is; its scope has been checked."""
    principal: Principal = request.auth  # type: ignore[attr-defined]
    return principal


def accept_job(job: Job, response: HttpResponse) -> dict[str, Any]:
    """Return the answer that names a job, with its address as `Location`."""
    response["Location"] = f"/api/v1/jobs/{job.pk}"
    return {"jobID": job.pk, "status": job.state}
