"""What a wiki has found a product to be about: the pages on its topics."""

from __future__ import annotations

from dataclasses import dataclass

from devrag.products.models import Product
from devrag.wiki.models import Page
from devrag.wiki.publishing.versions import shown_wiki

_KIND = "feature"


@dataclass(frozen=True, slots=True)
class WikiTopic:
    """A page on a topic, as readers see it. path: of the page; files: source/path."""

    title: str
    path: str
    summary: str
    files: tuple[str, ...]


def list_topics(product: Product) -> list[WikiTopic]:
    """Return the topics of the wiki that readers see first, in order. Queries: 2."""
    wiki = shown_wiki(product)
    if wiki is None:
        return []
    pages = Page.objects.filter(version=wiki.current_id, kind=_KIND)
    rows = pages.order_by("ordinal").values_list("title", "path", "summary", "files")
    return [
        WikiTopic(title, path, summary, tuple(files))
        for title, path, summary, files in rows
    ]
