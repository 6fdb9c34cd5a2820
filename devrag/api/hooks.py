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
    """Index a pushed ref. kind: github, gitlab, gitea; source: ID or name.

    Other events, refs that are not indexed, and repeated deliveries return 200 with the
    reason. `generateWiki` no longer has an effect, because the URL is not signed; the
    source's setting `generateWiki` is used.
    """
    host = HOSTS.get(kind)
    if host is None:
        raise NotFound(f"Unknown kind of hook. Use one of: {', '.join(HOSTS)}.")
    body = _read_body(request)
    if body is None:
        return answer_problem(
            413, "too_large", f"Push payloads are limited to {MAX_HOOK_BYTES:,} bytes."
        )
    found = find_signed_source(source, host, request.headers, body)
    if found is None:
        return answer_problem(
            401,
            "unauthenticated",
            "The request is not signed with the secret of a source at this URL, or "
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
