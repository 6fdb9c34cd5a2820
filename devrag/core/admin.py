"""What the packages' admin classes share: rows only to look at, ways into the app."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

from django.contrib import messages
from django.contrib.admin import ShowFacets
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.safestring import SafeString

from devrag.core.errors import DevragError

Row = TypeVar("Row")
# The state of anything → unfold's colour.
STATE_COLOURS = {
    "running": "info",
    "pending": "warning",
    "completed": "success",
    "failed": "danger",
    "active": "success",
    "expired": "warning",
    "revoked": "danger",
}


class ReadOnly:
    """Rows that only the application itself writes."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class Kept(ReadOnly):
    """Rows that nobody deletes by hand either."""

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class EstimatingPaginator(Paginator):
    """Pages of a table that is too large to be counted on every request.

    Counts up to COUNTED rows; of more, the database's planner says about how many.
    """

    COUNTED = 10_000

    @cached_property
    def count(self) -> int:
        """Return how many rows there are, or about how many. Queries: 1 or 2."""
        rows = cast("QuerySet[Any]", self.object_list).order_by()
        counted = rows.values("pk")[: self.COUNTED + 1].count()
        if counted <= self.COUNTED:
            return counted
        (plan,) = json.loads(rows.values("pk").explain(format="json"))
        return max(counted, int(plan["Plan"]["Plan Rows"]))


class Huge(Kept):
    """Rows of a table of millions: ordered by an index, never counted or edited.

    For administrators only: they hold texts of all products.
    """

    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    paginator = EstimatingPaginator
    sortable_by = ()
    actions = None

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return bool(getattr(request.user, "is_superuser", False))


def page_link(text: object, name: str, *args: object) -> SafeString:
    """Return a link to one of the application's own pages."""
    return format_html('<a href="{}">{}</a>', reverse(name, args=args), text)


def act_on_each(
    request: HttpRequest, rows: Iterable[Row], act: Callable[[Row], Any]
) -> None:
    """Do it to every chosen row; one that refuses says why and stops no other."""
    for row in rows:
        try:
            act(row)
        except DevragError as error:
            messages.error(request, error.message)
        else:
            messages.success(request, str(row))
