"""Reads the pages of a wiki with their files, those alone that changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from devrag.sources.connectors.pages.json_data import Json, mark_of, part_of, text_of
from devrag.sources.connectors.pages.names import file_name
from devrag.sources.connectors.pages.types import Batch, Item, Versions
from devrag.sources.connectors.redmine.api import RedmineApi
from devrag.sources.connectors.redmine.choice import Choice
from devrag.sources.connectors.redmine.data import attachment_items
from devrag.sources.connectors.redmine.document import Writer, shown_title
from devrag.sources.connectors.redmine.issues import UNWRITABLE
from devrag.sources.connectors.redmine.links import TextLinks

_MAX_DEPTH = 20
_KNOWN_AT_A_TIME = 500


class WikiPages:
    """The pages that an index lists, and where they lie."""

    def __init__(self, index: list[Json]) -> None:
        self.entries = {text_of(each, "title"): each for each in index}
        self.entries.pop("", None)
        self._parents = {
            title: text_of(part_of(each, "parent"), "title")
            for title, each in self.entries.items()
        }

    def above(self, title: str) -> tuple[str, ...]:
        """Return the titles above a page, outermost first; a circle ends."""
        found: list[str] = []
        parent = self._parents.get(title, "")
        while parent and parent not in {title, *found} and len(found) < _MAX_DEPTH:
            found.insert(0, parent)
            parent = self._parents.get(parent, "")
        return tuple(found)

    def folder(self, title: str) -> str:
        """Return a page's path without its ending: where its files lie."""
        names = (file_name(shown_title(each)) for each in (*self.above(title), title))
        return "/".join(["wiki", *names])

    def paths(self) -> Mapping[str, str]:
        """Return the paths of all pages, by title in lower case."""
        return {each.lower(): f"{self.folder(each)}.md" for each in self.entries}


class WikiReader:
    """Reads the pages of one project's wiki."""

    def __init__(
        self,
        api: RedmineApi,
        writer: Writer,
        choice: Choice,
        pages: WikiPages,
        known: Versions,
    ) -> None:
        self._api, self._writer, self._choice = api, writer, choice
        self._pages, self._known = pages, known
        self._paths = pages.paths()

    def read(self, *, is_whole: bool) -> Iterator[Batch]:
        """Yield pages that changed, which are as they were, and which are gone.

        is_whole: each page is read again once a day: new files change no version.
        """
        same: list[str] = []
        gone = {*self._known.ids_below("wiki:")}
        for title, entry in self._pages.entries.items():
            key = f"wiki:{title}"
            before = [key, *self._known.ids_below(f"{key}/")]
            version = self._version(title, entry)
            if self._is_known(self._known.version_of(key), version, is_whole):
                same += before
                gone -= {*before}
                continue
            items = self._read(title, version)
            there = {each.item_id for each in items}
            gone -= {*before, *there}
            yield Batch(items, gone=[each for each in before if each not in there])
        for start in range(0, len(same), _KNOWN_AT_A_TIME):
            yield Batch(known=same[start : start + _KNOWN_AT_A_TIME])
        yield Batch(gone=sorted(gone))

    def _version(self, title: str, entry: Json) -> str:
        found = [text_of(entry, each) for each in ("version", "updated_on")]
        today = (self._api.server_time or datetime.now(UTC)).date()
        return f"{mark_of((found, self._pages.folder(title)))}-{today:%Y%m%d}"

    def _is_known(self, before: str, now: str, is_whole: bool) -> bool:
        same = before == now if is_whole else _stamp(before) == _stamp(now)
        return same and before != ""

    def _read(self, title: str, version: str) -> list[Item]:
        page = self._api.wiki_page(title)
        if page is None:
            return []
        folder = self._pages.folder(title)
        items = [self._item(page, title, version)]
        if self._choice.attachments:
            base_url = self._writer.address.base_url
            items += attachment_items(page, items[0], folder, base_url)
        return items

    def _item(self, page: Json, title: str, version: str) -> Item:
        key, folder = f"wiki:{title}", self._pages.folder(title)
        path, size = f"{folder}.md", len(text_of(page, "text"))
        if size > self._choice.max_text:
            return Item(key, version, path, reason=f"too large ({size / 1e6:.1f} MB)")
        links = TextLinks(self._writer.address, folder, self._paths)
        above = self._pages.above(title)
        number = text_of(page, "version")
        try:
            text = self._writer.wiki_page(page, above, links, number)
        except UNWRITABLE as error:
            reason = f"cannot be converted ({type(error).__name__})"
            return Item(key, version, path, reason=reason)
        return Item(key, version, path, text)


def _stamp(version: str) -> str:
    return version.partition("-")[0]
