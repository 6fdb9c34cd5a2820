"""What whole lists tell: versions, files, news and the project itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from devrag.sources.connectors.pages.json_data import (
    Json,
    id_of,
    mark_of,
    name_of,
    text_of,
)
from devrag.sources.connectors.pages.names import file_name
from devrag.sources.connectors.pages.types import Batch, Item, Versions
from devrag.sources.connectors.redmine.choice import Choice
from devrag.sources.connectors.redmine.data import attachment_item
from devrag.sources.connectors.redmine.document import Writer
from devrag.sources.connectors.redmine.issues import UNWRITABLE
from devrag.sources.connectors.redmine.links import TextLinks
from devrag.sources.documents import DocumentFacts

Write = Callable[[Json, TextLinks], str]


class ListedItems:
    """Makes items of what lists tell. pages: the paths of wiki pages, for links."""

    def __init__(
        self, writer: Writer, choice: Choice, pages: Mapping[str, str], known: Versions
    ) -> None:
        self._writer, self._choice = writer, choice
        self._pages, self._known = pages, known

    def project(self, project: Json) -> Batch:
        """Return what the project says of itself."""
        item = self._item(project, "project", "project", self._writer.project)
        return self._compared("project", [item])

    def versions(self, found: list[Json]) -> Batch:
        """Return the versions of the project."""
        return self._texts("version", found, "versions", "name", self._writer.version)

    def news(self, found: list[Json]) -> Batch:
        """Return the news of the project."""
        return self._texts("news", found, "news", "title", self._writer.news)

    def files(self, found: list[Json]) -> Batch:
        """Return the files of the project, each below its version."""
        items = []
        for each in found:
            version = name_of(each, "version")
            folder = f"files/{file_name(version)}" if version else "files"
            item = attachment_item(
                each,
                f"file:{id_of(each)}",
                folder,
                DocumentFacts(version or "Files", place=(self._writer.name,)),
                self._writer.address.base_url,
            )
            if item:
                items.append(item)
        return self._compared("file:", items)

    def _texts(
        self, kind: str, found: list[Json], folder: str, name: str, write: Write
    ) -> Batch:
        items = [
            self._item(
                each,
                f"{kind}:{id_of(each)}",
                f"{folder}/{file_name(text_of(each, name))}",
                write,
            )
            for each in found
            if id_of(each)
        ]
        return self._compared(f"{kind}:", items)

    def _item(self, data: Json, key: str, folder: str, write: Write) -> Item:
        version, path = mark_of((data, folder)), f"{folder}.md"
        size = len(text_of(data, "description"))
        if size > self._choice.max_text:
            return Item(key, version, path, reason=f"too large ({size / 1e6:.1f} MB)")
        links = TextLinks(self._writer.address, folder, self._pages)
        try:
            return Item(key, version, path, write(data, links))
        except UNWRITABLE as error:
            reason = f"cannot be converted ({type(error).__name__})"
            return Item(key, version, path, reason=reason)

    def _compared(self, prefix: str, items: list[Item]) -> Batch:
        """Return items that are new, those that are as they were, and those gone."""
        new, same = [], []
        for item in items:
            if self._known.version_of(item.item_id) == item.version:
                same.append(item.item_id)
            else:
                new.append(item)
        there = {item.item_id for item in items}
        gone = [each for each in self._known.ids_below(prefix) if each not in there]
        return Batch(new, gone=gone, known=same)
