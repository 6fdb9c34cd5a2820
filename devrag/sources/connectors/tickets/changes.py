"""Reads a list of a tracker in the order of last changes, from a time on.

The next results are asked for by the time of the last one, not by their number: one
that changes meanwhile goes to the end and shifts no others, and no server has to count
far. Only where many have one time, the links to the next page are followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from devrag.sources.connectors.pages.client import ApiClient, Params
from devrag.sources.connectors.pages.failures import AnswerTooLarge
from devrag.sources.connectors.pages.json_data import Json, id_of, text_of
from devrag.sources.connectors.pages.listing import Page
from devrag.sources.connectors.tickets.progress import Progress
from devrag.sources.documents import read_time

# What servers give at most, and what is asked for where that is too large to be read.
AT_A_TIME = 100
_SIZES = (AT_A_TIME, 10, 1)
_MOST_SKIPPED = 20
# A server that gives so many again has no others.
_MOST_IDLE = 3 * AT_A_TIME


@dataclass(frozen=True, slots=True)
class ChangeList:
    """A list. name: its own in Progress. since: what its API calls the first time.

    params: that have it sorted by the last change, the oldest first.
    """

    name: str
    path: str
    params: Params
    since: str

    def read(self, client: ApiClient, progress: Progress) -> Iterator[list[Json]]:
        """Yield what changed, each state of it once.

        Progress follows when a part was used.
        """
        start = progress.since(self.name)
        tag, turn = progress.tag(self.name, start), _Turn(start)
        seen: set[tuple[int, str]] = set()
        idle = 0  # results in a row that came before
        while True:
            page, tag = self._page(client, turn, tag), ""
            if page is None:
                break
            new = {
                state: each
                for each in page.results
                if (state := _state(each)) not in seen and state[0]
            }
            if new:
                yield list(new.values())
            for each in page.results:
                now = client.server_time or datetime.now(UTC)
                progress.note(self.name, text_of(each, "updated_at"), now)
            seen.update(new)
            idle = 0 if new else idle + len(page.results)
            if self._is_last(page, turn, start, progress) or idle > _MOST_IDLE:
                break
            turn.go_on(page)
        progress.finish(self.name)

    def _page(self, client: ApiClient, turn: _Turn, tag: str) -> Page | None:
        """Return the next answer: fewer results where many are more than is read.

        One that alone is more is left out. None where nothing changed.
        """
        while True:
            params = {**self.params, **turn.params}
            if turn.at:
                params[self.since] = turn.at
            try:
                return client.get_page(self.path, {**params, **turn.following}, tag)
            except AnswerTooLarge:
                turn.shrink()
                if turn.skipped > _MOST_SKIPPED:
                    raise

    def _is_last(self, page: Page, turn: _Turn, start: str, progress: Progress) -> bool:
        """Return whether nothing follows; keep the tag of what one answer told."""
        if page.results and page.following:
            return False
        if turn.at == start and turn.number == 1 and page.etag:
            progress.tags[self.name] = (start, page.etag)
        return True


@dataclass(slots=True)
class _Turn:
    """What is asked for next. at: results changed since. number: of the page of these.

    following: how the server wants to be asked for it. skipped: results in a row that
    are too large to be read.
    """

    at: str
    number: int = 1
    following: dict[str, str] = field(default_factory=dict)
    skipped: int = 0
    _smaller: int = 0

    @property
    def params(self) -> dict[str, str | int | list[int]]:
        size = _SIZES[self._smaller]
        return {"per_page": size, **({"page": self.number} if self.number > 1 else {})}

    def shrink(self) -> None:
        """Ask again, for smaller pages; after the smallest, for the one behind."""
        self.following = {}
        if self._smaller + 1 < len(_SIZES):
            self._smaller, self.number = self._smaller + 1, 1
        else:
            self.number, self.skipped = self.number + 1, self.skipped + 1

    def go_on(self, page: Page) -> None:
        """Ask for what follows a page."""
        self.skipped, last = 0, text_of(page.results[-1], "updated_at")
        if _is_after(last, self.at):
            self.at, self.number, self.following, self._smaller = last, 1, {}, 0
            return
        self.number += 1
        self.following = {} if self._smaller else dict(page.following)


def _state(data: Json) -> tuple[int, str]:
    """Return which one it is, and when it changed last."""
    return id_of(data), text_of(data, "updated_at")


def _is_after(written: str, at: str) -> bool:
    """Return whether a time is one, and later than another."""
    when, before = read_time(written), read_time(at)
    return when is not None and (before is None or when > before)
