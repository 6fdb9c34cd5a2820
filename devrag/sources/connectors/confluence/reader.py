"""Reads pages with their bodies and comments, and makes documents of them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import quote

from devrag.sources.connectors.confluence.address import SpaceAddress
from devrag.sources.connectors.confluence.api import ConfluenceApi, quoted_list
from devrag.sources.connectors.confluence.choice import Choice
from devrag.sources.connectors.confluence.content import Content
from devrag.sources.connectors.confluence.document import page_document
from devrag.sources.connectors.confluence.links import KnownPages, PageLinks
from devrag.sources.connectors.confluence.survey import (
    Survey,
    comment_mark,
    hidden_item,
)
from devrag.sources.connectors.confluence.window import look_above
from devrag.sources.connectors.pages.types import Item

_PAGES_AT_A_TIME = 50
# Servers and proxies refuse addresses of more than 8 kB.
_MAX_TITLE_BYTES = 4_000
# What one odd page may raise; the others are read all the same.
_UNWRITABLE = (ValueError, ArithmeticError, LookupError, TypeError, RecursionError)
_LINK = re.compile(r"<ri:(?:page|blog-post)\b[^>]*>")
_TITLE = re.compile(r'ri:content-title="([^"]*)"')


class PageReader:
    """Reads pages of a survey."""

    def __init__(
        self,
        api: ConfluenceApi,
        address: SpaceAddress,
        survey: Survey,
        choice: Choice,
    ) -> None:
        self._api, self._address = api, address
        self._survey, self._choice = survey, choice
        self._asked: set[str] = set()

    def read(self, ids: Sequence[str], *, is_whole: bool) -> Iterator[list[Item]]:
        """Yield pages as items, some at a time.

        is_whole: the survey has all pages and comments of the space.
        """
        known = self._survey.known_pages() if ids else KnownPages()
        for start in range(0, len(ids), _PAGES_AT_A_TIME):
            part = ids[start : start + _PAGES_AT_A_TIME]
            pages = list(self._api.by_ids(part, has_bodies=True))
            self._survey.add(pages)
            look_above(self._survey, self._api)
            if not is_whole:
                self._look_up_links(pages)
                known = self._survey.known_pages()
            yield [self._item(page, known, is_whole=is_whole) for page in pages]

    def _item(self, page: Content, known: KnownPages, *, is_whole: bool) -> Item:
        survey = self._survey
        if survey.is_hidden(page):  # since the listing
            return hidden_item(page, survey.space.key)
        folder = survey.folder(page)
        comments = self._comments(page, is_whole=is_whole)
        mark = (
            survey.comment_mark(page.content_id)
            if is_whole
            else comment_mark(f"{each.content_id}:{each.number}" for each in comments)
        )
        version, path = survey.version(page) + mark, f"{folder}.md"
        if page.body is None or len(page.body) > self._choice.max_body:
            size = f" ({len(page.body) / 1e6:.1f} MB)" if page.body else ""
            return Item(page.content_id, version, path, reason=f"too large{size}")
        links = PageLinks(self._address.base_url, survey.space.key, folder, known)
        try:
            text = page_document(page, survey.space, links, comments)
        except _UNWRITABLE as error:
            reason = f"cannot be converted ({type(error).__name__})"
            return Item(page.content_id, version, path, reason=reason)
        return Item(page.content_id, version, path, text)

    def _comments(self, page: Content, *, is_whole: bool) -> list[Content]:
        """Return a page's comments, without a request where it has none."""
        has_some = page.content_id in self._survey.comments or not is_whole
        if not self._choice.comments or not has_some:
            return []
        return self._api.comments(page.content_id)

    def _look_up_links(self, pages: Iterable[Content]) -> None:
        """Find the pages that links of these lead to, outside the survey."""
        here = {page.title for page in self._survey.pages.values()}
        titles = sorted(set(_titles(pages)) - here - self._asked)
        self._asked.update(titles)
        for part in _for_addresses(titles):
            query = f"{self._api.of_space} and type in (page, blogpost)"
            named = quoted_list(part)
            for found in self._api.search(f"{query} and title in ({named})"):
                self._survey.add(found)
        if titles:
            look_above(self._survey, self._api)


def _titles(pages: Iterable[Content]) -> Iterator[str]:
    """Yield the titles that links within the space name."""
    for page in pages:
        for tag in _LINK.findall(page.body or ""):
            found = _TITLE.search(tag)
            if found and "ri:space-key" not in tag:
                yield html.unescape(found[1])


def _for_addresses(titles: Iterable[str]) -> Iterator[list[str]]:
    """Yield titles in lots that fit into the address of a request."""
    part: list[str] = []
    size = 0
    for title in titles:
        length = len(quote(title))
        if part and size + length > _MAX_TITLE_BYTES:
            yield part
            part, size = [], 0
        part.append(title)
        size += length
    if part:
        yield part
