"""What is done in Django's administration, in the audit log.

The administration writes rows itself, without services, and tells of it in one place:
the manager of its own log.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import wraps
from typing import Any

from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntryManager
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.db.models import Model

from devrag.access.models import ApiToken
from devrag.audit.api import record_event
from devrag.products.models import Membership, Product

_ACTIONS = {
    ADDITION: "admin.added",
    CHANGE: "admin.changed",
    DELETION: "admin.deleted",
}
# Rows whose words are names; others may hold texts, and are told by their numbers.
_NAMED = (User, Group, ApiToken, Membership, Product)


def record_administration() -> None:
    """Record from now on whatever the administration logs."""
    log_actions = LogEntryManager.log_actions
    if hasattr(log_actions, "__wrapped__"):
        return

    @wraps(log_actions)
    def log_and_record(
        self: Any,
        user_id: int,
        queryset: Iterable[Model],
        action_flag: int,
        change_message: Any = "",
        **more: Any,
    ) -> Any:
        rows = list(queryset)
        with transaction.atomic():
            for row in rows:
                _record(_ACTIONS[action_flag], row, change_message)
            return log_actions(self, user_id, rows, action_flag, change_message, **more)

    setattr(LogEntryManager, "log_actions", log_and_record)  # noqa: B010 - types


def _record(action: str, row: Model, message: Any) -> None:
    kind = str(row._meta.model_name)
    name = str(row) if isinstance(row, _NAMED) else str(row.pk)
    product = row if isinstance(row, Product) else getattr(row, "product", None)
    record_event(
        action,
        product=product if isinstance(product, Product) else None,
        source_id=row.pk if kind == "source" else None,
        target=f"{kind} {name}",
        details={"changes": _changes(message)} if message else {},
    )


def _changes(message: Any) -> list[dict[str, Any]]:
    """Return which fields and inline rows changed, without their values."""
    parts = json.loads(message) if isinstance(message, str) else message
    return [dict(part) for part in parts if isinstance(part, dict)]
