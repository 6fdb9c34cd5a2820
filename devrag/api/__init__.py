"""The REST interface: Bearer tokens, Go-style JSON names (S2-8.10)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from ninja import Field, NinjaAPI, Schema, Status
from ninja.security import HttpBearer
from pydantic import ConfigDict

from devrag import __version__
from devrag.access.services import principal_of_token
from devrag.api_errors import add_error_handlers, describe_errors
from devrag.api_jobs import JobOut, describe_job
from devrag.core.errors import NotFound, PermissionDenied
from devrag.core.principal import Principal
from devrag.flows.index import request_index
from devrag.flows.wiki import request_wiki
from devrag.jobs.models import Job
from devrag.jobs.selectors import get_visible_job
from devrag.products.models import Product
from devrag.products.services import get_visible_product
from devrag.sources.models import Source


class BearerToken(HttpBearer):
    """`Authorization: Bearer devrag_…`; an unknown or expired token is 401."""

    def authenticate(self, request: HttpRequest, token: str) -> Principal | None:
        return principal_of_token(token)


api = NinjaAPI(
    title="devrag",
    version=__version__,
    description="Index sources, generate wikis, follow jobs.",
    auth=BearerToken(),
    urls_namespace="api",
)
add_error_handlers(api)
_NO_NUL = r"^[^\x00]*$"  # PostgreSQL keeps no such character


class Request(Schema):
    """A body: unknown fields are refused, so that a typo in CI is seen at once."""

    model_config = ConfigDict(extra="forbid")


class IndexRequest(Request):
    """What CI sends after a merge (S2-7.2)."""

    source_name: str = Field(
        alias="sourceName", min_length=1, max_length=200, pattern=_NO_NUL
    )
    ref: str | None = None
    commit_hash: str | None = Field(
        None, alias="commitHash", pattern=r"^[0-9a-fA-F]{40}$"
    )
    is_wiki_wanted: bool = Field(False, alias="generateWiki")
    is_full: bool = Field(False, alias="fullIndex")


class WikiRequest(Request):
    product_name: str = Field(
        alias="productName", min_length=1, max_length=64, pattern=_NO_NUL
    )


class JobAccepted(Schema):
    job_id: UUID = Field(alias="jobID")
    status: str


class ProductOut(Schema):
    product_id: int = Field(alias="productID")
    product_name: str = Field(alias="productName")
    title: str
    description: str
    source_count: int = Field(alias="sourceCount")


def _principal(request: HttpRequest, scope: str) -> Principal:
    principal: Principal = request.auth  # type: ignore[attr-defined]
    if not principal.may(scope):
        raise PermissionDenied(f"This token lacks the scope '{scope}'.")
    return principal


def _accepted(request: HttpRequest, job: Job, response: HttpResponse) -> dict[str, Any]:
    response["Location"] = f"/api/v1/jobs/{job.pk}"
    return {"jobID": job.pk, "status": job.state}


@api.get(
    "/products",
    response={200: list[ProductOut], **describe_errors()},
    by_alias=True,
    tags=["products"],
)
def list_products(request: HttpRequest) -> list[dict[str, Any]]:
    """List the products this token may read."""
    principal = _principal(request, "read")
    rows = Product.objects.visible_to(principal).prefetch_related("sources")
    return [
        {
            "productID": row.pk,
            "productName": row.name,
            "title": row.title,
            "description": row.description,
            "sourceCount": len(row.sources.all()),
        }
        for row in rows
    ]


@api.post(
    "/sources/index",
    response={202: JobAccepted, **describe_errors(400, 404)},
    by_alias=True,
    tags=["sources"],
)
def index_source(
    request: HttpRequest, body: IndexRequest, response: HttpResponse
) -> Status[dict[str, Any]]:
    """Start indexing a source; answers at once with the job's id."""
    principal = _principal(request, "index")
    rows = Source.objects.visible_to(principal).select_related("product")
    source = rows.filter(name=body.source_name).first()
    if source is None:
        raise NotFound(f"There is no source '{body.source_name}'.")
    job = request_index(
        principal=principal,
        source=source,
        ref=body.ref,
        commit=body.commit_hash.lower() if body.commit_hash else None,
        is_full=body.is_full,
        is_wiki_wanted=body.is_wiki_wanted,
    )
    return Status(202, _accepted(request, job, response))


@api.post(
    "/products/wiki",
    response={202: JobAccepted, **describe_errors(404, 409)},
    by_alias=True,
    tags=["products"],
)
def generate_wiki(
    request: HttpRequest, body: WikiRequest, response: HttpResponse
) -> Status[dict[str, Any]]:
    """Start writing a product's wiki; answers at once with the job's id."""
    principal = _principal(request, "wiki")
    product = get_visible_product(body.product_name, principal)
    job = request_wiki(principal=principal, product=product)
    return Status(202, _accepted(request, job, response))


@api.get(
    "/jobs/{jobID}",
    response={200: JobOut, **describe_errors(404)},
    by_alias=True,
    tags=["jobs"],
)
def get_job(request: HttpRequest, jobID: UUID) -> dict[str, Any]:  # noqa: N803
    """Return a job's state, progress, report and error."""
    return describe_job(get_visible_job(jobID, _principal(request, "read")))
