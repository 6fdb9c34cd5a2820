"""A repository of GitHub: its tickets, read with as few requests as possible.

Four lists tell everything, 100 results in an answer: issues (pull requests among them),
pull requests (with their branches), comments, and comments on lines. Each is asked for
what changed since. What they tell is kept as records; a ticket is written anew when a
record of it changed. Once a day everything is listed again: what was deleted or moved
to another repository is in no list of changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from devrag.core.texts import gettext
from devrag.sources.connectors.github.address import RepositoryAddress
from devrag.sources.connectors.github.api import (
    COMMENTS,
    ISSUES,
    PULLS,
    REVIEWS,
    GitHubApi,
)
from devrag.sources.connectors.github.records import (
    comment_record,
    make_ticket,
    number_of,
    path_of,
    ticket_record,
)
from devrag.sources.connectors.pages.failures import Gone
from devrag.sources.connectors.pages.json_data import Json, text_of
from devrag.sources.connectors.pages.types import (
    Batch,
    Item,
    Probe,
    Versions,
)
from devrag.sources.connectors.tickets.document import write_ticket
from devrag.sources.connectors.tickets.items import MAX_ASKED, UNWRITABLE, too_large
from devrag.sources.connectors.tickets.progress import Progress

_WRITTEN_AT_A_TIME = 100
# What a listing missed is asked for after the lists of tickets.
_GONE = "gone"


class GitHubRemote:
    """One repository. max_text: characters of a ticket. check_count: raises where there
    are too many tickets to read.
    """

    def __init__(
        self,
        address: RepositoryAddress,
        api: GitHubApi,
        *,
        has_comments: bool,
        max_text: int,
        check_count: Callable[[int], None],
    ) -> None:
        self._address, self._api = address, api
        self._has_comments, self._max_text = has_comments, max_text
        self._check_count = check_count
        self._progress = Progress()
        self._has_issues = True

    def probe(self) -> Probe:
        """Ask for the repository and count what would be read."""
        repository = self._api.repository()
        pulls, all_tickets = self._api.count(PULLS), self._count_tickets()
        issues = None
        if all_tickets is not None and pulls is not None:
            issues = max(0, all_tickets - pulls)
        name = text_of(repository, "full_name") or self._address.full_name
        notes = () if self._has_issues else (_no_issues(),)
        return Probe(name, (("issues", issues), ("pull requests", pulls)), notes)

    def fetch(self, since: str, cursor: str, known: Versions) -> Iterator[Batch]:
        """Yield what is new; everything that is there when a listing is due."""
        self._has_issues = True
        progress = self._progress = Progress.resume(since, cursor) or self._first()
        if not progress.is_whole and ISSUES not in progress.done:
            yield from self._issues(progress)
            # Its answer tells the server's time as well.
            if progress.is_listing_due(self._api.now):
                progress = Progress.begin(self._api.now, progress)
                self._progress = progress
        yield from self._issues(progress)
        yield from self._pulls(progress)
        yield from self._gone(progress, known)
        if self._has_comments:
            yield from self._comments(COMMENTS, progress, known)
            yield from self._comments(REVIEWS, progress, known)
        yield from self._written(progress, known)

    def mark(self) -> str:
        """Return the last changes that were seen, and when everything was listed."""
        return self._progress.mark()

    def list_ids(self, count: int, *, is_due: bool) -> Iterator[str] | None:
        """Return None: `fetch` tells itself what is gone."""
        del count, is_due
        return None

    def download(self, address: str, limit: int) -> bytes | None:
        """Return None: files are not read."""
        del address, limit
        return None

    def close(self) -> None:
        """Close the connection."""
        self._api.close()

    # -- lists --------------------------------------------------------------------

    def _first(self) -> Progress:
        self._api.repository()
        return Progress.begin(self._api.now)

    def _issues(self, progress: Progress) -> Iterator[Batch]:
        """Yield issues, pull requests among them, unless this run has read them."""
        if ISSUES in progress.done:
            return
        count = 0
        try:
            for part in self._api.changes(ISSUES, progress):
                count += len(part)
                self._check_count(count)
                yield _batch(part, "issue", progress)
        except Gone:
            self._has_issues = False
            progress.finish(ISSUES)

    def _pulls(self, progress: Progress) -> Iterator[Batch]:
        if PULLS not in progress.done:
            for part in self._api.pulls(progress):
                yield _batch(part, "pull", progress)

    def _comments(
        self, name: str, progress: Progress, known: Versions
    ) -> Iterator[Batch]:
        if name in progress.done:
            return
        with suppress(Gone):  # where the repository has no issues
            for part in self._api.changes(name, progress):
                told = (comment_record(each, name) for each in part)
                records = [each for each in told if each]
                yield Batch(records=records, cursor=progress.cursor())
        if progress.is_whole:
            dropped = known.records.unseen(f"{name}:")
            yield Batch(dropped=dropped, cursor=progress.cursor())

    def _count_tickets(self) -> int | None:
        try:
            return self._api.count(ISSUES)
        except Gone:
            self._has_issues = False
            return self._api.count(PULLS)

    # -- documents ----------------------------------------------------------------

    def _written(self, progress: Progress, known: Versions) -> Iterator[Batch]:
        while due := known.records.due(_WRITTEN_AT_A_TIME):
            items = [item for each in due if (item := self._item(each, known))]
            yield Batch(items, settled=due, cursor=progress.cursor())

    def _item(self, owner: str, known: Versions) -> Item | None:
        """Return a ticket; None for one of which comments alone are known."""
        number, size = number_of(owner), known.records.size_of(owner)
        if size > 2 * self._max_text:
            reason = too_large(size)
            return Item(owner, reason, f"issues/{number}.md", reason=reason)
        pieces = known.records.of(owner)
        path = path_of(pieces, number)
        try:
            ticket = make_ticket(pieces, self._address)
            if ticket is None:
                return None
            if ticket.size > self._max_text:
                reason = too_large(ticket.size)
                return Item(owner, reason, path, reason=reason)
            return Item(owner, ticket.facts.version, path, write_ticket(ticket))
        except UNWRITABLE as error:
            reason = f"cannot be converted ({type(error).__name__})"
            return Item(owner, reason, path, reason=reason)

    # -- deletions ----------------------------------------------------------------

    def _gone(self, progress: Progress, known: Versions) -> Iterator[Batch]:
        """Yield what a listing of everything missed, and is not there any more.

        Each is asked for: results shift when a ticket is deleted while they are listed.
        """
        if not progress.is_whole or _GONE in progress.done:
            return
        there: list[str] = []
        gone: list[str] = []
        for asked, item_id in enumerate(known.unseen()):
            is_there = self._has_issues and (
                asked >= MAX_ASKED or self._api.is_there(number_of(item_id))
            )
            (there if is_there else gone).append(item_id)
        progress.finish(_GONE)
        yield Batch(cursor=progress.cursor(), gone=gone, known=there)


def _batch(part: Iterable[Json], kind: str, progress: Progress) -> Batch:
    told = (ticket_record(each, kind) for each in part)
    records = [each for each in told if each]
    return Batch(
        records=records,
        known=[record.owner for record in records],
        cursor=progress.cursor(),
    )


def _no_issues() -> str:
    return gettext("Issues are turned off in this repository.")
