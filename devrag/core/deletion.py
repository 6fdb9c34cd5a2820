"""Delete many rows without one long statement that holds locks and memory."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

_ROWS = 10_000


def delete_in_portions(rows: QuerySet[Any], *, size: int = _ROWS) -> int:
    """Delete the rows some thousand at a time, each on its own; return how many."""
    count = 0
    while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:size]):
        rows.model._default_manager.filter(pk__in=keys).delete()
        count += len(keys)
    return count
