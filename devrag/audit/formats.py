"""Events as JSON and CSV, for programs and spreadsheets."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from typing import Any

from devrag.audit.models import AuditEvent

COLUMNS = (
    *("id", "at", "action", "actor", "actorKind", "userName", "entry", "address"),
    *("requestID", "productID", "productName", "target", "details"),
)
# What spreadsheets take for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def describe_event(event: AuditEvent) -> dict[str, Any]:
    """Return an event for programs."""
    return {
        "id": event.pk,
        "at": event.at,
        "action": event.action,
        "actor": event.actor,
        "actorKind": event.actor_kind,
        "userName": event.user_name,
        "entry": event.entry,
        "address": event.address,
        "requestID": event.request_id,
        "productID": event.product_id,
        "productName": event.product_name,
        "target": event.target,
        "details": event.details,
    }


def to_json_lines(events: Iterable[AuditEvent]) -> str:
    """Return a line of JSON for each event."""
    return "".join(
        json.dumps(describe_event(event), default=_plain, ensure_ascii=False) + "\n"
        for event in events
    )


def to_csv(events: Iterable[AuditEvent]) -> str:
    """Return lines of CSV without a header; no cell is taken for a formula."""
    text = io.StringIO()
    writer = csv.writer(text)
    for event in events:
        found = describe_event(event)
        found["details"] = json.dumps(event.details, ensure_ascii=False)
        writer.writerow([_inert(_plain(found[name])) for name in COLUMNS])
    return text.getvalue()


def csv_header() -> str:
    """Return the first line of the CSV."""
    return ",".join(COLUMNS) + "\r\n"


def _plain(value: Any) -> str:
    """Return a value as text; a moment in UTC as ISO 8601."""
    if value is None:
        return ""
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _inert(cell: str) -> str:
    """Put an apostrophe before what a spreadsheet would run."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
