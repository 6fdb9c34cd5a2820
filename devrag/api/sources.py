"""Sources: add one, index it, set its schedule, make its push hook's secret."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Field, Router, Schema, Status

from devrag.api.door import NO_NUL, JobAccepted, Request, accept_job, caller
from devrag.api.source_fields import SourceOut, describe_source, describe_sources
from devrag.api_errors import describe_errors
from devrag.core.errors import NotFound
from devrag.core.principal import Principal
from devrag.flows.add_repository import add_repository
from devrag.flows.deletion import delete_source
from devrag.flows.index import request_index
from devrag.flows.push_events import HOSTS
from devrag.sources.hook_secrets import renew_hook_secret
from devrag.sources.models import Source
from devrag.sources.schedule import MAX_MINUTES, set_schedule
from devrag.sources.selectors import get_visible_source

router = Router(tags=["sources"], by_alias=True)


class IndexRequest(Request):
    """What CI sends after a merge (S2-7.2)."""

    source_name: str = Field(
        alias="sourceName", min_length=1, max_length=200, pattern=NO_NUL
    )
    ref: str | None = None
    commit_hash: str | None = Field(
        None, alias="commitHash", pattern=r"^[0-9a-fA-F]{40}$"
    )
    is_wiki_wanted: bool = Field(False, alias="generateWiki")
    is_full: bool = Field(False, alias="fullIndex")


class NewSource(Request):
    """A repository or folder to add; the product is made when it is new."""

    source_url: str = Field(
        alias="sourceURL", min_length=1, max_length=2000, pattern=NO_NUL
    )
    product_name: str = Field(
        alias="productName", min_length=1, max_length=64, pattern=NO_NUL
    )
    source_name: str | None = Field(
        None, alias="sourceName", min_length=1, max_length=100, pattern=NO_NUL
    )
    ref: str | None = None
    is_wiki_wanted: bool = Field(False, alias="generateWiki")


class SourceChange(Request):
    """What can be changed of a source."""

    index_every_minutes: int | None = Field(
        alias="indexEveryMinutes",
        ge=1,
        le=MAX_MINUTES,
        description="null: only when asked.",
    )
    is_wiki_wanted: bool | None = Field(
        None,
        alias="generateWiki",
        description="Whether scheduled runs write the wiki too.",
    )


class HookOut(Schema):
    """A push hook's secret, shown this once, and its address for each kind of host."""

    source_id: int = Field(alias="sourceID")
    secret: str
    hook_urls: dict[str, str] = Field(alias="hookURLs")


def _find_source(principal: Principal, source_id: int) -> Source:
    rows = Source.objects.visible_to(principal).select_related("product")
    source = rows.filter(pk=source_id).first()
    if source is None:
        raise NotFound(f"There is no source {source_id}.")
    return source


@router.post("/index", response={202: JobAccepted, **describe_errors(400, 404)})
def index_source(
    request: HttpRequest, body: IndexRequest, response: HttpResponse
) -> Status[dict[str, Any]]:
    """Start indexing a source; answers at once with the job's id."""
    principal = caller(request, "index")
    job = request_index(
        principal=principal,
        source=get_visible_source(principal, name=body.source_name),
        ref=body.ref,
        commit=body.commit_hash.lower() if body.commit_hash else None,
        is_full=body.is_full,
        is_wiki_wanted=body.is_wiki_wanted,
    )
    return Status(202, accept_job(job, response))


@router.get("", response={200: list[SourceOut], **describe_errors()})
def list_sources(request: HttpRequest) -> list[dict[str, Any]]:
    """List the sources this token may read."""
    return describe_sources(Source.objects.visible_to(caller(request, "read")))


@router.post("", response={202: JobAccepted, **describe_errors(400, 404, 409, 502)})
def add_source(
    request: HttpRequest, body: NewSource, response: HttpResponse
) -> Status[dict[str, Any]]:
    """Add a repository or folder to a product and start indexing it."""
    job = add_repository(
        principal=caller(request, "index"),
        location=body.source_url,
        product_name=body.product_name,
        source_name=body.source_name,
        ref=body.ref,
        is_wiki_wanted=body.is_wiki_wanted,
    )
    return Status(202, accept_job(job, response))


@router.get("/{int:sourceID}", response={200: SourceOut, **describe_errors(404)})
def get_source(request: HttpRequest, sourceID: int) -> dict[str, Any]:  # noqa: N803
    """Return a source."""
    return describe_source(_find_source(caller(request, "read"), sourceID))


@router.patch("/{int:sourceID}", response={200: SourceOut, **describe_errors(400, 404)})
def change_source(
    request: HttpRequest,
    sourceID: int,  # noqa: N803
    body: SourceChange,
) -> dict[str, Any]:
    """Index a source every so many minutes, or only when asked."""
    principal = caller(request, "index")
    source = set_schedule(
        principal=principal,
        source=_find_source(principal, sourceID),
        every_minutes=body.index_every_minutes,
        is_wiki_wanted=body.is_wiki_wanted,
    )
    return describe_source(source)


@router.delete(
    "/{int:sourceID}", response={202: JobAccepted, **describe_errors(404, 409)}
)
def remove_source(
    request: HttpRequest,
    sourceID: int,  # noqa: N803
    response: HttpResponse,
) -> Status[dict[str, Any]]:
    """Delete a source with its index: out of sight at once, a job does the rest."""
    principal = caller(request, "admin")
    job = delete_source(principal=principal, source=_find_source(principal, sourceID))
    return Status(202, accept_job(job, response))


@router.post("/{int:sourceID}/hook", response={201: HookOut, **describe_errors(404)})
def renew_hook(request: HttpRequest, sourceID: int) -> Status[dict[str, Any]]:  # noqa: N803
    """Make a secret for push hooks; the one before ends at once."""
    principal = caller(request, "index")
    source = _find_source(principal, sourceID)
    secret = renew_hook_secret(principal=principal, source=source)
    urls = {
        kind: request.build_absolute_uri(f"/api/v1/hooks/{kind}/{source.pk}")
        for kind in HOSTS
    }
    return Status(201, {"sourceID": source.pk, "secret": secret, "hookURLs": urls})
