"""What was masked in the files of a product: rule, place and when, never a secret."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Field, Query, Router

from devrag.api.errors import describe_errors
from devrag.api.json_schema import JsonSchema
from devrag.api.operations import INDEX, NO_NUL, Request, caller
from devrag.api.paging import Page, cut_page
from devrag.api.products import find_product
from devrag.api.sample_values import COMMIT, PLACE, TIME
from devrag.use_cases.api import (
    SecretFilter,
    count_secrets,
    describe_secrets,
    dismiss_secret,
    list_secrets,
    reopen_secret,
    unlisted_sources,
)

router = Router(tags=["products"], by_alias=True)
State = Literal["open", "dismissed"]


class SecretOut(JsonSchema):
    """A line in which something was masked. reason: why it was dismissed."""

    finding_id: int
    state: State
    rule: str = Field(description="As gitleaks calls it, where gitleaks has it.")
    source_name: str
    path: str
    line: int = Field(description="From 1; of a private key the first one.")
    first_seen_at: datetime = Field(description="When devrag first read it.")
    first_version: str = Field(description="Of the source then; git: the commit.")
    reason: str
    dismissed_by: str
    dismissed_at: datetime | None

    EXAMPLE: ClassVar = {
        "findingID": 12,
        "state": "open",
        "rule": "github-pat",
        **PLACE,
        "line": 12,
        "firstSeenAt": TIME,
        "firstVersion": COMMIT,
        "reason": "",
        "dismissedBy": "",
        "dismissedAt": None,
    }


class RuleCountOut(JsonSchema):
    rule: str
    findings: int

    EXAMPLE: ClassVar = {"rule": "github-pat", "findings": 3}


class SecretSummaryOut(JsonSchema):
    """Findings by rule, the most first."""

    rules: list[RuleCountOut]
    unlisted_sources: list[str] = Field(
        description="Read before findings were listed; the next index run lists theirs."
    )

    EXAMPLE: ClassVar = {"rules": [RuleCountOut.EXAMPLE], "unlistedSources": []}


class Wanted(JsonSchema):
    """Which findings; what is left out does not count."""

    state: State = "open"
    rule: str = Field("", max_length=60, pattern=NO_NUL)
    source: str = Field("", max_length=200, pattern=NO_NUL, description="Its name.")


class SecretChange(Request):
    """Dismiss a finding as a false positive, or take that back. It stays masked."""

    is_dismissed: bool
    reason: str = Field(
        "", max_length=500, pattern=NO_NUL, description="Needed to dismiss."
    )

    EXAMPLE: ClassVar = {"isDismissed": True, "reason": "A key of the test server."}


_Wanted = Annotated[Wanted, Query(...)]


def _filter_of(wanted: Wanted) -> SecretFilter:
    return SecretFilter(rule=wanted.rule, source=wanted.source, state=wanted.state)


@router.get(
    "/{int:productID}/secrets",
    auth=INDEX,
    response={200: list[SecretOut], **describe_errors(404)},
)
def list_masked_secrets(
    request: HttpRequest,
    productID: int,
    response: HttpResponse,
    page: Page,
    wanted: _Wanted,
) -> list[dict[str, Any]]:
    """List what was masked in the files that are indexed now, by source and path.

    For maintainers. No answer holds a secret or a part of one.
    """
    product = find_product(caller(request), productID)
    rows = list_secrets(caller(request), product, _filter_of(wanted))
    by = ["file__source__name", "file__path", "line", "pk"]
    return describe_secrets(cut_page(request, response, rows, page, by=by))


@router.get(
    "/{int:productID}/secrets/summary",
    auth=INDEX,
    response={200: SecretSummaryOut, **describe_errors(404)},
)
def summarize_masked_secrets(
    request: HttpRequest, productID: int, wanted: _Wanted
) -> dict[str, Any]:
    """Count findings by rule."""
    product = find_product(caller(request), productID)
    rows = list_secrets(caller(request), product, _filter_of(wanted))
    counted = count_secrets(rows)
    return {
        "rules": [{"rule": rule, "findings": count} for rule, count in counted],
        "unlistedSources": unlisted_sources(caller(request), product),
    }


@router.patch(
    "/{int:productID}/secrets/{int:findingID}",
    auth=INDEX,
    response={200: SecretOut, **describe_errors(404, 413, 415)},
)
def change_masked_secret(
    request: HttpRequest, productID: int, findingID: int, body: SecretChange
) -> dict[str, Any]:
    """Dismiss a finding as a false positive, or take that back.

    It counts for this line in later versions of the file. What was masked stays masked.
    """
    who = caller(request)
    product = find_product(who, productID)
    if body.is_dismissed:
        row = dismiss_secret(
            principal=who, product=product, finding_id=findingID, reason=body.reason
        )
    else:
        row = reopen_secret(principal=who, product=product, finding_id=findingID)
    return describe_secrets([row])[0]
