"""What the API lists of a space, without bodies, and what follows from it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from devrag.core.hashing import sha256_hex
from devrag.sources.connectors.confluence.api import Space
from devrag.sources.connectors.confluence.content import Content, page_folder
from devrag.sources.connectors.confluence.document import page_facts
from devrag.sources.connectors.confluence.links import KnownPages
from devrag.sources.connectors.pages.attached import attachment_head
from devrag.sources.connectors.pages.names import attachment_name
from devrag.sources.connectors.pages.types import Item

PAGES = ("page", "blogpost")
RESTRICTED = "restricted"
_NO_TEXT = ("image/", "video/", "audio/", "font/")


@dataclass(slots=True)
class Survey:
    """Contents of a space by id.

    reads_restricted: whether pages that only some may view are read as well. comments:
    of each page, as ids with their versions.
    """

    space: Space
    reads_restricted: bool
    pages: dict[str, Content] = field(default_factory=dict)
    attachments: dict[str, Content] = field(default_factory=dict)
    comments: dict[str, set[str]] = field(default_factory=dict)
    # Pages that stand here only for their restrictions.
    above: dict[str, Content] = field(default_factory=dict)

    def add(self, found: Iterable[Content]) -> None:
        """Add what a search found."""
        for each in found:
            if each.kind in PAGES:
                self.pages[each.content_id] = each
            elif each.kind == "attachment":
                self.attachments[each.content_id] = each
            elif each.kind == "comment" and each.container:
                mark = f"{each.content_id}:{each.number}"
                self.comments.setdefault(each.container, set()).add(mark)

    def count(self) -> int:
        """Return how many items there will be."""
        return len(self.pages) + len(self.attachments)

    def is_hidden(self, page: Content) -> bool:
        """Return whether a page is left out: it, or one above it, is restricted.

        A page above that is not known, because this token does not see it, counts as
        restricted; the home page of the space alone does not.
        """
        if self.reads_restricted:
            return False
        above = (each for each, _ in page.ancestors)
        return page.is_restricted or any(map(self._is_closed, above))

    def _is_closed(self, page_id: str) -> bool:
        found = self.pages.get(page_id) or self.above.get(page_id)
        if found is None:
            return page_id != self.space.home_id
        return found.is_restricted

    def missing_above(self, pages: Iterable[Content]) -> list[str]:
        """Return the ids of pages above these that are not known here."""
        ids = {each for page in pages for each, _ in page.ancestors}
        return sorted(ids - self.pages.keys() - self.above.keys())

    def folder(self, page: Content) -> str:
        """Return a page's path without its ending."""
        return page_folder(page, self.space.key, self.space.home_id)

    def version(self, page: Content) -> str:
        """Return a page's version: number, place and labels; comments follow."""
        if self.is_hidden(page):
            return RESTRICTED
        labels = _mark("\n".join(page.labels))
        return f"{page.number}-{_mark(self.folder(page))}-{labels}-"

    def comment_mark(self, page_id: str) -> str:
        """Return another mark whenever a comment came, went or changed."""
        return comment_mark(self.comments.get(page_id, ()))

    def known_pages(self) -> KnownPages:
        """Return where links may lead: to the pages that are read."""
        by_title: dict[str, str] = {}
        by_id: dict[str, str] = {}
        for page in self.pages.values():
            if not self.is_hidden(page):
                path = f"{self.folder(page)}.md"
                by_id[page.content_id] = path
                by_title.setdefault(page.title, path)
        return KnownPages(by_title, by_id)

    def attachment_items(self, base_url: str) -> Iterator[Item]:
        """Yield the attachments of pages that are read."""
        for each in self.attachments.values():
            page = self.pages.get(each.container)
            if page is not None and not self.is_hidden(page):
                path = f"{self.folder(page)}/{attachment_name(each.title)}"
                yield Item(
                    each.content_id,
                    f"{each.number}-{_mark(path)}",
                    path,
                    self._attachment_head(each, page, base_url),
                    download=each.download,
                    size=each.size,
                    reason=_why_not(each),
                )

    def _attachment_head(self, file: Content, page: Content, base_url: str) -> str:
        return attachment_head(
            file.title,
            page_facts(page, self.space, base_url),
            url=f"{base_url}{file.download}" if file.download else "",
            author=file.author,
            created=file.changed,
        )


def comment_mark(comments: Iterable[str]) -> str:
    """Return a mark of comments, given as ids with their versions."""
    return _mark("\n".join(sorted(comments)))


def hidden_item(page: Content, space_key: str) -> Item:
    """Return what is said of a page that is left out: nothing that tells its title."""
    path = f"{space_key}/restricted/{page.content_id}.md"
    return Item(page.content_id, RESTRICTED, path, reason="restricted page")


def _why_not(attachment: Content) -> str:
    media = attachment.media_type.lower()
    if not attachment.download:
        return "no address to read it from"
    return f"no text ({media})" if media.startswith(_NO_TEXT) else ""


def _mark(text: str) -> str:
    return sha256_hex(text)[:8]
