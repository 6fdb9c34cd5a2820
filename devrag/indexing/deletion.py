"""What an index run leaves behind when it did not come to its activation."""

from __future__ import annotations

from uuid import UUID

from devrag.core.deletion import delete_in_portions
from devrag.sources.models import StagedChange


def delete_staged_changes(run: UUID) -> None:
    """Delete staged changes; stored files stay, the next run finds them."""
    delete_in_portions(StagedChange.objects.filter(run=run))
