"""The pages of a Confluence space: what changed, read with as few requests as possible.

A whole listing without bodies (200 contents a request) says what there is, where, in
which version and for whom; only what the mirror lacks is read with its body. A run that
was killed lists again and reads the rest. Between two listings, a day apart, one query
for what was modified lately suffices. A listing is needed nevertheless: restrictions,
labels and moves change no date, and what is deleted is in no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime

from devrag.core.texts import gettext
from devrag.sources.connectors.confluence.address import SpaceAddress
from devrag.sources.connectors.confluence.api import ConfluenceApi
from devrag.sources.connectors.confluence.choice import Choice
from devrag.sources.connectors.confluence.content import Content
from devrag.sources.connectors.confluence.reader import PageReader
from devrag.sources.connectors.confluence.survey import (
    PAGES,
    Survey,
    hidden_item,
)
from devrag.sources.connectors.confluence.window import (
    add_what_depends,
    is_changed,
    look_above,
    window_query,
)
from devrag.sources.connectors.pages.mark import Mark
from devrag.sources.connectors.pages.types import Batch, Item, Probe, Versions

_KNOWN_AT_A_TIME = 500


class ConfluenceRemote:
    """One space. check_count: raises where there are too many items to read."""

    def __init__(
        self,
        address: SpaceAddress,
        api: ConfluenceApi,
        choice: Choice,
        check_count: Callable[[int], None],
        tell: Callable[[str], None],
    ) -> None:
        self._address, self._api, self._choice = address, api, choice
        self._check_count, self._tell = check_count, tell
        self._mark = Mark()
        self._known: Versions | None = None
        self._listed: Survey | None = None

    def probe(self) -> Probe:
        """Ask for the space and count what would be read."""
        space = self._api.space()
        counts = [("pages", self._count("page, blogpost"))]
        if self._choice.attachments:
            counts.append(("attachments", self._count("attachment")))
        if self._choice.comments:
            counts.append(("comments", self._count("comment")))
        notes = () if self._choice.restricted else (_left_out(),)
        return Probe(space.name, tuple(counts), notes)

    def fetch(self, since: str, cursor: str, known: Versions) -> Iterator[Batch]:
        """Yield what is new; everything that is there when a listing is due."""
        del cursor  # what the mirror knows is the place to go on from
        self._known, self._listed = known, None
        space = self._api.space()
        began = self._api.server_time or datetime.now(UTC)
        mark = Mark.read(since)
        survey = Survey(space, self._choice.restricted)
        if mark.is_listing_due(began):
            yield from self._fetch_all(survey, known)
            self._listed, self._mark = survey, Mark(began, began)
        else:
            yield from self._fetch_window(survey, known, mark, began)
            self._mark = Mark(began, mark.listed)

    def mark(self) -> str:
        """Return when this run began, by the server's clock, and the last listing."""
        return self._mark.write()

    def list_ids(self, count: int, *, is_due: bool) -> Iterator[str] | None:
        """Yield the ids that `fetch` missed though they are there, after a listing.

        Everything that it listed was read or is known. What else the mirror has is
        asked for by id: results shift when a page is deleted while they are listed.
        """
        del count, is_due
        return None if self._listed is None else self._still_there(self._listed)

    def download(self, address: str, limit: int) -> bytes | None:
        """Return an attachment's bytes; None when it is gone or has more than limit."""
        return self._api.download(address, limit)

    def close(self) -> None:
        """Close the connection."""
        self._api.close()

    # -- listing ----------------------------------------------------------------

    def _fetch_all(self, survey: Survey, known: Versions) -> Iterator[Batch]:
        query = f"{self._api.of_space} and type in ({self._choice.kinds})"
        for found in self._api.search(f"{query} order by created asc"):
            survey.add(found)
            self._check_count(survey.count())
            self._tell(f"{survey.count():,} pages and attachments listed")
        look_above(survey, self._api)
        yield from self._compare(survey, known, survey.pages.values(), is_whole=True)

    def _fetch_window(
        self, survey: Survey, known: Versions, mark: Mark, now: datetime
    ) -> Iterator[Batch]:
        query = f"{self._api.of_space} and type in ({self._choice.kinds})"
        for found in self._api.search(f"{query} and {window_query(mark, now)}"):
            survey.add(found)
        changed = add_what_depends(survey, self._api, known, self._choice.attachments)
        yield from self._compare(survey, known, changed, is_whole=False)

    def _compare(
        self,
        survey: Survey,
        known: Versions,
        pages: Iterable[Content],
        *,
        is_whole: bool,
    ) -> Iterator[Batch]:
        """Yield what the mirror lacks or has in another version, and what it has."""
        hidden, wanted, same = [], [], []
        for page in pages:
            version = known.version_of(page.content_id)
            if survey.is_hidden(page):
                hidden.append(hidden_item(page, survey.space.key))
            elif is_changed(survey, page, version, is_whole=is_whole):
                wanted.append(page.content_id)
            else:
                same.append(page.content_id)
        yield from _in_batches(hidden, same)
        reader = PageReader(self._api, self._address, survey, self._choice)
        for items in reader.read(wanted, is_whole=is_whole):
            yield Batch(items)
        yield from self._compare_attachments(survey, known)

    def _compare_attachments(self, survey: Survey, known: Versions) -> Iterator[Batch]:
        items, same = [], []
        for item in survey.attachment_items(self._address.base_url):
            if known.version_of(item.item_id) == item.version:
                same.append(item.item_id)
            else:
                items.append(item)
        yield from _in_batches(items, same)
        there = {*(item.item_id for item in items), *same}
        gone = survey.attachments.keys() - there
        yield Batch(gone=[each for each in gone if known.version_of(each)])

    def _still_there(self, survey: Survey) -> Iterator[str]:
        unseen = [each for each in self._unseen() if each.isdecimal()]
        for found in self._api.by_ids(unseen):
            page = survey.pages.get(found.container)
            is_attached = page is not None and not survey.is_hidden(page)
            if found.kind in PAGES or (found.kind == "attachment" and is_attached):
                yield found.content_id

    def _unseen(self) -> list[str]:
        return self._known.unseen() if self._known else []

    def _count(self, kinds: str) -> int | None:
        return self._api.count(f"{self._api.of_space} and type in ({kinds})")


def _in_batches(items: list[Item], known: Iterable[str]) -> Iterator[Batch]:
    ids = list(known)
    for start in range(0, max(len(items), len(ids)), _KNOWN_AT_A_TIME):
        part = slice(start, start + _KNOWN_AT_A_TIME)
        yield Batch(items[part], known=ids[part])


def _left_out() -> str:
    return gettext("Pages with view restrictions are skipped.")
