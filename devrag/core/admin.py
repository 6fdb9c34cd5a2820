"""What the rooms' administrations share: rows only to look at, ways into the app."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
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
