"""Reads issues and merge requests with their notes, those alone that changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from devrag.sources.connectors.gitlab.address import ProjectAddress
from devrag.sources.connectors.gitlab.api import ISSUES, GitLabApi, number_of
from devrag.sources.connectors.gitlab.choice import Choice
from devrag.sources.connectors.gitlab.tickets import make_ticket, stamp_of
from devrag.sources.connectors.pages.json_data import Json, text_of
from devrag.sources.connectors.pages.types import Batch, Item, Versions
from devrag.sources.connectors.tickets.document import write_ticket
from devrag.sources.connectors.tickets.items import UNWRITABLE, too_large
from devrag.sources.connectors.tickets.progress import Progress

_CONFIDENTIAL = "confidential"
_READ_AT_A_TIME = 25


class TicketReader:
    """Reads one kind of tickets. check_count: raises where there are too many."""

    def __init__(
        self,
        kind: str,
        address: ProjectAddress,
        api: GitLabApi,
        choice: Choice,
        check_count: Callable[[int], None],
    ) -> None:
        self._kind, self._address, self._api = kind, address, api
        self._choice, self._check_count = choice, check_count

    def read(self, progress: Progress, known: Versions) -> Iterator[Batch]:
        """Yield tickets that changed, and which are as they were."""
        count = 0
        for listed in self._api.changes(self._kind, progress):
            count += len(listed)
            self._check_count(count)
            items: list[Item] = []
            gone: list[str] = []
            same: list[str] = []
            for entry in filter(number_of, listed):
                item_id = f"{self._kind}:{number_of(entry)}"
                if known.version_of(item_id) == self._version(entry):
                    same.append(item_id)
                elif item := self._item(item_id, entry):
                    items.append(item)
                else:
                    gone.append(item_id)
                if len(items) >= _READ_AT_A_TIME:
                    yield Batch(items, progress.cursor())
                    items = []
            yield Batch(items, progress.cursor(), gone, same)

    # -- one ticket ---------------------------------------------------------------

    def _item(self, item_id: str, entry: Json) -> Item | None:
        """Return a ticket; None when it is gone meanwhile."""
        number, version = number_of(entry), self._version(entry)
        if self._is_left_out(entry):
            path = f"{ISSUES}/confidential/{number}.md"
            return Item(item_id, version, path, reason="confidential issue")
        notes = self._notes(entry)
        if notes is None:
            return None
        path = f"{self._kind}/{number}.md"
        try:
            ticket = make_ticket(entry, self._kind, notes, self._address)
            if ticket.size > self._choice.max_text:
                return Item(item_id, version, path, reason=too_large(ticket.size))
            return Item(item_id, version, path, write_ticket(ticket))
        except UNWRITABLE as error:
            reason = f"cannot be converted ({type(error).__name__})"
            return Item(item_id, version, path, reason=reason)

    def _notes(self, entry: Json) -> list[Json] | None:
        """Return what people said, and the settings let be read."""
        is_silent = text_of(entry, "user_notes_count") == "0"
        if is_silent or not self._choice.notes:
            return []
        most = self._choice.max_text
        found = self._api.notes(self._kind, number_of(entry), most)
        return None if found is None else [e for e in found if self._is_shown(e)]

    # -- what is read ---------------------------------------------------------------

    def _version(self, entry: Json) -> str:
        return _CONFIDENTIAL if self._is_left_out(entry) else stamp_of(entry)

    def _is_left_out(self, entry: Json) -> bool:
        """Return whether it is confidential, or an issue of which that is not told."""
        if self._choice.restricted or self._kind != ISSUES:
            return False
        return entry.get("confidential") is not False

    def _is_shown(self, note: Json) -> bool:
        """Return whether people wrote it, and for all: older servers name it else."""
        if note.get("system") is not False:
            return False
        told = [note.get(each) for each in ("internal", "confidential")]
        return self._choice.restricted or (True not in told and False in told)
