"""Push hooks of GitHub, GitLab and Gitea: no token, each request is signed."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from django.http import HttpRequest, HttpResponse
from ninja import Field, Query, Router, Status

from devrag.api.errors import answer_problem, describe_errors
from devrag.api.json_schema import JsonSchema
from devrag.api.operations import JobAccepted, accept_job
from devrag.core.errors import NotFound
from devrag.http_server.body_limit import MAX_HOOK_BYTES
from devrag.use_cases.api import (
    HOSTS,
    Ignored,
    find_signed_source,
    follow_push,
    read_event,
)

router = Router(tags=["hooks"], by_alias=True, auth=None)


class HookIgnored(JsonSchema):
    status: str = Field(description="ignored")
    reason: str

    EXAMPLE: ClassVar = {"status": "ignored", "reason": "The branch was deleted."}


@router.post(
    "/{kind}/{source}",
    response={202: JobAccepted, 200: HookIgnored, **describe_errors(400, 404, 413)},
)
def receive_push(
    request: HttpRequest,
    kind: str,
    source: str,
    response: HttpResponse,
    generateWiki: Annotated[bool, Query(deprecated=True)] = False,
) -> Status[dict[str, Any]] | HttpResponse:
    """Index the ref that was pushed. kind: github, gitlab, gitea; source: id or name.

    Events and refs that matter to nobody, and deliveries that were received before, are
    answered with 200 and the reason. `generateWiki` has no effect any more, because
    nothing in the address is signed: the source's own `generateWiki` decides.
    """
    host = HOSTS.get(kind)
    if host is None:
        raise NotFound(f"There are no hooks of that kind; use {', '.join(HOSTS)}.")
    body = _read_body(request)
    if body is None:
        return answer_problem(
            413, "too_large", f"A push may have {MAX_HOOK_BYTES:,} bytes at most."
        )
    found = find_signed_source(source, host, request.headers, body)
    if found is None:
        return answer_problem(
            401,
            "unauthenticated",
            "The request is not signed with the secret of a source at this address, or "
            "was signed more than five minutes ago.",
        )
    followed = follow_push(
        kind=kind,
        source=found,
        event=read_event(host, request.headers, body),
        delivery=host.identify(request.headers, body),
    )
    if isinstance(followed, Ignored):
        return Status(200, {"status": "ignored", "reason": followed.reason})
    return Status(202, accept_job(followed, response))


def _read_body(request: HttpRequest) -> bytes | None:
    """Return the raw body as it was signed, None when it is too large."""
    body = request.read(MAX_HOOK_BYTES + 1)
    return body if len(body) <= MAX_HOOK_BYTES else None
