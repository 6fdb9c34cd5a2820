"""Reads issues with their notes and files, those alone that changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import cached_property

from devrag.sources.connectors.pages.json_data import (
    Json,
    id_of,
    list_of,
    mark_of,
    name_of,
    part_of,
    text_of,
)
from devrag.sources.connectors.pages.types import Batch, Item, Versions
from devrag.sources.connectors.redmine.api import RedmineApi
from devrag.sources.connectors.redmine.choice import Choice
from devrag.sources.connectors.redmine.data import attachment_items
from devrag.sources.connectors.redmine.document import Writer
from devrag.sources.connectors.redmine.links import TextLinks
from devrag.sources.documents import read_time

PRIVATE = "private"
_READ_AT_A_TIME = 25
# Notes that are edited, deleted or made private change no date of their issue: one with
# notes is read again after some days, others on other days.
_DAYS, _SPREAD = 4, 7
# What changed so lately may change again within the same second.
_UNSETTLED = timedelta(seconds=10)
_NAMED = (
    *("project", "tracker", "status", "priority", "author", "assigned_to"),
    *("category", "fixed_version"),
)
_PLAIN = (
    *("subject", "description", "updated_on", "start_date", "due_date", "done_ratio"),
    *("estimated_hours", "is_private", "custom_fields", "relations", "parent"),
)
# What one odd issue may raise; the others are read all the same.
UNWRITABLE = (ValueError, ArithmeticError, LookupError, TypeError, RecursionError)


class IssueReader:
    """Reads the issues of one project. pages: the paths of wiki pages, for links.

    last: the time of the last change that was seen, None before any.
    """

    def __init__(
        self,
        api: RedmineApi,
        writer: Writer,
        choice: Choice,
        pages: Mapping[str, str],
        known: Versions,
    ) -> None:
        self._api, self._writer, self._choice = api, writer, choice
        self._pages, self._known = pages, known
        self.last: datetime | None = None

    def read(self, since: str, *, is_whole: bool) -> Iterator[Batch]:
        """Yield issues that changed since a time, and which are as they were."""
        for listed in self._api.issues(since):
            items: list[Item] = []
            gone: list[str] = []
            same: list[str] = []
            for entry in listed:
                self._note_time(entry)
                key = f"issue:{id_of(entry)}"
                if self._is_known(entry, self._known.version_of(key), is_whole):
                    same += [key, *self._known.ids_below(f"{key}/")]
                    continue
                found = self._read(entry)
                items += found
                gone += self._gone(key, found)
                if len(items) + len(gone) >= _READ_AT_A_TIME:
                    yield Batch(items, gone=gone)
                    items, gone = [], []
            yield Batch(items, gone=gone, known=same)

    # -- one issue ----------------------------------------------------------------

    def _read(self, entry: Json) -> list[Item]:
        """Return an issue and its files; nothing when it is gone meanwhile."""
        number = id_of(entry)
        folder = f"issues/{number}"
        if self._is_private(entry):
            return [_private_item(number)]
        whole: Json | None = entry
        if self._choice.notes:
            whole = self._api.issue(number)
        if whole is None or part_of(whole, "project") != part_of(entry, "project"):
            return []
        if self._is_private(whole):
            return [_private_item(number)]
        notes = [each for each in list_of(whole, "journals") if text_of(each, "notes")]
        day = str(self._today) if notes else ""
        version = f"{_stamp(entry)}-{day}{'?' * self._is_unsettled(entry)}"
        shown = [each for each in notes if self._is_shown(each)]
        items = [self._item(whole, shown, version)]
        if self._choice.attachments:
            base_url = self._writer.address.base_url
            items += attachment_items(whole, items[0], folder, base_url)
        return items

    def _item(self, issue: Json, notes: list[Json], version: str) -> Item:
        number = id_of(issue)
        key, path = f"issue:{number}", f"issues/{number}.md"
        size = len(text_of(issue, "description"))
        size += sum(len(text_of(each, "notes")) for each in notes)
        if size > self._choice.max_text:
            return Item(key, version, path, reason=f"too large ({size / 1e6:.1f} MB)")
        links = TextLinks(self._writer.address, f"issues/{number}", self._pages)
        try:
            text = self._writer.issue(self._with_status(issue), links, notes)
        except UNWRITABLE as error:
            reason = f"cannot be converted ({type(error).__name__})"
            return Item(key, version, path, reason=reason)
        return Item(key, version, path, text)

    def _gone(self, key: str, found: list[Item]) -> list[str]:
        """Return what the mirror has of an issue that it no longer has."""
        there = {item.item_id for item in found}
        before = [key, *self._known.ids_below(f"{key}/")]
        return [each for each in before if each not in there]

    # -- what is read ---------------------------------------------------------------

    def _is_private(self, issue: Json) -> bool:
        return issue.get("is_private") is not False and not self._choice.restricted

    def _is_shown(self, note: Json) -> bool:
        return note.get("private_notes") is False or self._choice.restricted

    def _is_known(self, entry: Json, version: str, is_whole: bool) -> bool:
        if self._is_private(entry):
            return version == PRIVATE
        stamp, _, day = version.partition("-")
        if stamp != _stamp(entry) or day.endswith("?"):
            return False
        if not is_whole or not day:
            return True
        return self._today - int(day) < _DAYS + id_of(entry) % _SPREAD

    @cached_property
    def _today(self) -> int:
        return ((self._api.server_time or datetime.now(UTC)) - _ORIGIN).days

    def _is_unsettled(self, entry: Json) -> bool:
        when, now = read_time(text_of(entry, "updated_on")), self._api.server_time
        return when is not None and now is not None and now - when < _UNSETTLED

    def _note_time(self, entry: Json) -> None:
        when = read_time(text_of(entry, "updated_on"))
        if when is not None and (self.last is None or when > self.last):
            self.last = when

    def _with_status(self, issue: Json) -> Json:
        """Return an issue that tells whether its status is one that closes."""
        status = part_of(issue, "status")
        if not status or "is_closed" in status:
            return issue
        is_closed = id_of(status) in self._closed
        return {**issue, "status": {**status, "is_closed": is_closed}}

    @cached_property
    def _closed(self) -> frozenset[int]:
        return self._api.closed_statuses()


_ORIGIN = datetime(2000, 1, 1, tzinfo=UTC)


def _stamp(entry: Json) -> str:
    """Return another mark whenever anything that a list tells of an issue changed."""
    return mark_of(
        (
            [name_of(entry, each) for each in _NAMED],
            [entry.get(each) for each in _PLAIN],
            [id_of(each) for each in list_of(entry, "attachments")],
        )
    )


def _private_item(number: int) -> Item:
    """Return what is said of an issue that is left out: nothing but its number."""
    path = f"issues/private/{number}.md"
    return Item(f"issue:{number}", PRIVATE, path, reason="private issue")
