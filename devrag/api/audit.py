"""The audit log: who did what to what, from where and when."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from ninja import Field, Query, Router
from pydantic import AwareDatetime

from devrag.api.errors import describe_errors
from devrag.api.json_schema import JsonSchema
from devrag.api.operations import ADMIN, NO_NUL, caller
from devrag.api.paging import Paging, cut_page
from devrag.api.sample_values import TIME
from devrag.audit.api import EventFilter, describe_event
from devrag.use_cases.api import AUDIT_FILES, export_events, list_events

router = Router(tags=["audit"], by_alias=True)


class EventOut(JsonSchema):
    id: int
    at: datetime
    action: str = Field(description="As `member.added`; docs/guide/audit.md lists all.")
    actor: str = Field(description="Who: a user, a token, a user of the system.")
    actor_kind: Literal["user", "token", "os_user", "system", "anonymous"]
    user_name: str = Field(description="The account behind it, '' for none.")
    entry: Literal["web", "api", "mcp", "command", "job"]
    address: str = Field(description="Of the client, '' for commands and jobs.")
    request_id: str
    product_id: int | None
    product_name: str
    target: str = Field(description="Name of what was changed.")
    details: dict[str, Any]

    EXAMPLE: ClassVar = {
        "id": 4711,
        "at": TIME,
        "action": "member.changed",
        "actor": "alice",
        "actorKind": "user",
        "userName": "alice",
        "entry": "web",
        "address": "192.0.2.7",
        "requestID": "0f8fad5bd9cb469fa16570867728950e",
        "productID": 2,
        "productName": "shop",
        "target": "bob",
        "details": {"role": {"from": "viewer", "to": "maintainer"}},
    }


class Wanted(JsonSchema):
    """Which events; what is left out does not count."""

    person: str = Field(
        "",
        max_length=200,
        pattern=NO_NUL,
        description="Name of a user, of a token or of whatever else acted, in full.",
    )
    action: str = Field(
        "",
        max_length=40,
        pattern=NO_NUL,
        description="`member.added`, or `member` for all of its kind.",
    )
    product: str = Field(
        "",
        max_length=64,
        pattern=NO_NUL,
        description="Name of a product; administrators find those that are gone, too.",
    )
    since: AwareDatetime | None = Field(None, description="First moment.")
    until: AwareDatetime | None = Field(
        None, description="First moment that is left out."
    )


class WantedFile(Wanted):
    kind: Literal["csv", "jsonl"] = Field("csv", alias="format")


def _filter_of(wanted: Wanted) -> EventFilter:
    return EventFilter(
        person=wanted.person,
        action=wanted.action,
        product=wanted.product,
        since=wanted.since,
        until=wanted.until,
    )


@router.get("", auth=ADMIN, response={200: list[EventOut], **describe_errors(404)})
def list_audit_events(
    request: HttpRequest,
    response: HttpResponse,
    page: Annotated[Paging, Query(...)],
    wanted: Annotated[Wanted, Query(...)],
) -> list[dict[str, Any]]:
    """List events, the newest first.

    Administrators see all of them, maintainers those of their products.
    """
    rows = list_events(caller(request), _filter_of(wanted))
    found = cut_page(request, response, rows, page, by=["-pk"])
    return [describe_event(event) for event in found]


@router.get(
    "/export",
    auth=ADMIN,
    response=describe_errors(404),
    openapi_extra={
        "responses": {
            200: {
                "description": "All events that match, one a line, the newest first.",
                "content": {
                    kind: {"schema": {"type": "string"}}
                    for kind in ("text/csv", "application/jsonl")
                },
            }
        }
    },
)
def export_audit_events(
    request: HttpRequest, wanted: Annotated[WantedFile, Query(...)]
) -> StreamingHttpResponse:
    """Return all events that match as CSV or JSON lines; they come as they are read."""
    events = export_events(
        principal=caller(request), wanted=_filter_of(wanted), kind=wanted.kind
    )
    response = StreamingHttpResponse(events, content_type=AUDIT_FILES[wanted.kind])
    name = f"devrag-audit.{wanted.kind}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response
