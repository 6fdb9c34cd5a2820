"""What is known of a page or ticket, as every answer of REST has it."""

from __future__ import annotations

import datetime
from typing import ClassVar, Literal

from devrag.api.json_schema import JsonSchema


class DocumentOut(JsonSchema):
    """What is known of a page or ticket beside its text, in its source's words.

    place: what it lies in, outermost first. originalURL: the original, at its version
    where the source has such addresses. isClosed: a ticket that nobody works on.
    """

    kind: Literal["page", "ticket", "attachment"]
    title: str
    place: list[str]
    author: str
    created_at: datetime.datetime | None
    changed_at: datetime.datetime | None
    status: str
    is_closed: bool
    labels: list[str]
    original_url: str
    original_version: str

    EXAMPLE: ClassVar = {
        "kind": "ticket",
        "title": "Checkout charges twice",
        "place": ["Shop"],
        "author": "Jane Doe",
        "createdAt": "2026-01-02T09:00:00Z",
        "changedAt": "2026-03-04T05:06:07Z",
        "status": "In Progress",
        "isClosed": False,
        "labels": ["payments"],
        "originalURL": "https://tickets.example.com/issues/7",
        "originalVersion": "12",
    }
