"""From an address to a page: `features/search.md`, `ja/index.md`."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext

from devrag.core.errors import NotFound
from devrag.products.models import Product
from devrag.wiki.models import Page, Version, Wiki
from devrag.wiki.publishing.versions import prefix_of, readable_wikis


def find_wiki(wikis: Sequence[Wiki], address: str) -> tuple[Wiki, str]:
    """Return the wiki that an address means, and the page's path in it.

    The main wiki has no folder; `ja/index.md` is the front page of the one in Japanese.
    """
    for wiki in wikis[1:]:
        folder = prefix_of(wiki, wikis)
        if address.startswith(folder):
            return wiki, address.removeprefix(folder)
    return wikis[0], address


def get_page(version: Version, path: str) -> Page:
    """Return a page of a version. Queries: 1."""
    page = version.pages.filter(path=path).first()
    if page is None:
        raise NotFound(
            gettext(
                "The wiki has no page “%(page)s”. It may have been renamed when the "
                "wiki was updated. The front page lists all pages."
            )
            % {"page": path.removesuffix(".md")}
        )
    return page


def find_page(product: Product, address: str) -> Page | None:
    """Return a page by its address, None without a wiki."""
    wikis = readable_wikis(product)
    if not wikis:
        return None
    wiki, path = find_wiki(wikis, address)
    assert wiki.current is not None  # noqa: S101 - only such wikis are readable
    return get_page(wiki.current, path)
