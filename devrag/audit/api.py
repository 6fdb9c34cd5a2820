"""What other packages use of the audit log."""

from __future__ import annotations

from devrag.audit.actions import list_actions, name_action
from devrag.audit.context import (
    Entry,
    Origin,
    bind_caller,
    bind_origin,
    bound_origin,
    current_origin,
)
from devrag.audit.formats import csv_header, describe_event, to_csv, to_json_lines
from devrag.audit.recording import is_by_person, record_event
from devrag.audit.retention import delete_old_events, old_events
from devrag.audit.selectors import EventFilter, filter_events, read_in_pages

__all__ = [
    "Entry",
    "EventFilter",
    "Origin",
    "bind_caller",
    "bind_origin",
    "bound_origin",
    "csv_header",
    "current_origin",
    "delete_old_events",
    "describe_event",
    "filter_events",
    "is_by_person",
    "list_actions",
    "name_action",
    "old_events",
    "read_in_pages",
    "record_event",
    "to_csv",
    "to_json_lines",
]
