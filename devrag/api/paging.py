"""Long lists in pages: `limit`, `cursor`, and the next page in the header `Link`.

A cursor is the last row's place in the order, not a number of rows: what is added or
removed meanwhile makes nothing appear twice or be left out.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

from django.core import signing
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import Field, Query

from devrag.api.json_schema import JsonSchema
from devrag.api.problems import InvalidCursor

DEFAULT_LIMIT, MAX_LIMIT = 100, 1000
M = TypeVar("M", bound=Model)


class Paging(JsonSchema):
    """Parameters of pagination."""

    limit: int = Field(DEFAULT_LIMIT, ge=1, le=MAX_LIMIT)
    cursor: str = Field(
        "",
        max_length=4000,
        description=(
            "From the `Link` header of the previous page; '' for the first page."
        ),
    )


Page = Annotated[Paging, Query(...)]


def cut_page(
    request: HttpRequest,
    response: HttpResponse,
    rows: QuerySet[M],
    page: Paging,
    *,
    by: Sequence[str],
) -> list[M]:
    """Return a page's rows and name the next one in `Link`. Queries: 1.

    by: fields that tell every two rows apart, all upwards or (with `-`) downwards.
    """
    signer = signing.Signer(salt=f"devrag.api.page {request.path} {' '.join(by)}")
    if page.cursor:
        rows = rows.filter(_after(by, _read(signer, page.cursor)))
    found = list(rows.order_by(*by)[: page.limit + 1])
    if len(found) > page.limit:
        del found[page.limit :]
        values = [_value(found[-1], name.lstrip("-")) for name in by]
        cursor = signer.sign_object(values, serializer=_Json)
        query = request.GET.copy()
        query["cursor"] = cursor
        response["Link"] = f'<{request.path}?{query.urlencode()}>; rel="next"'
    return found


class _Json(signing.JSONSerializer):
    """With moments and UUIDs, which a filter reads as texts again."""

    def dumps(self, obj: Any) -> bytes:
        return json.dumps(obj, default=str).encode()


def _read(signer: signing.Signer, cursor: str) -> list[Any]:
    try:
        found: list[Any] = signer.unsign_object(cursor)
    except (signing.BadSignature, ValueError) as error:
        raise InvalidCursor(
            "This cursor belongs to another list. Use the URL in the `Link` header of "
            "the previous page unchanged, or start without a cursor."
        ) from error
    return found


def _after(by: Sequence[str], values: Sequence[Any]) -> Q:
    names = [name.lstrip("-") for name in by]
    way = "lt" if by[0].startswith("-") else "gt"
    found, same = Q(), Q()
    for name, value in zip(names, values, strict=True):
        found |= same & Q(**{f"{name}__{way}": value})
        same &= Q(**{name: value})
    return found


def _value(row: Model, name: str) -> Any:
    value: Any = row
    for part in name.split("__"):
        value = getattr(value, part)
    return value
