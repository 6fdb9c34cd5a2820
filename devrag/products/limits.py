"""Sources that only some members of their product may see.

Whoever may not see one finds neither it nor its files, jobs and counts, as if it were
of a product that they may not read. What everybody reads, such as wiki pages, is made
without it: see `PUBLISHER`.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from devrag.core.principal import Principal
from devrag.products.models import SourceLimit


def hidden_limits(principal: Principal) -> QuerySet[SourceLimit]:
    """Return the limits that keep sources from a caller.

    Members see theirs, administrators all; a token without an owner is nobody's.
    """
    rows = SourceLimit.objects.all()
    if principal.is_for_all:
        return rows
    if principal.is_admin or principal.is_everywhere:
        return rows.none()
    if principal.user_id is None:
        return rows
    return rows.exclude(members=principal.user_id)


def members_by_source(source_ids: Iterable[int]) -> dict[int, list[str]]:
    """Return the names of who may see each of those that are limited. Queries: 1, 2."""
    rows = SourceLimit.objects.filter(source_id__in=list(source_ids))
    return {
        row.source_id: sorted(user.username for user in row.members.all())
        for row in rows.prefetch_related("members")
    }
