"""What a wiki has found a product to be about: the pages on its topics."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from textwrap import shorten

from django.db.models.functions import Left

from devrag.core.plain_markdown import to_plain
from devrag.products.models import Product
from devrag.wiki.evidence.citations import CITATION
from devrag.wiki.models import Page
from devrag.wiki.planning.page_kind import INDEX
from devrag.wiki.publishing.versions import shown_wiki
from devrag.wiki.wording.japanese.quotations import NOTE

_KIND = "feature"
# Characters of a front page that its first paragraph is looked for in, and of that.
_BEGINNING, _LONGEST = 1_500, 300
_NO_PARAGRAPH = ("#", "-", "*", ">", "|", "`", "1.")


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


def describe_products(versions: Collection[int]) -> dict[int, str]:
    """Return what each version says its product is: the first paragraph of its front
    page as plain text, where it begins with one. Queries: 1.
    """
    fronts = Page.objects.filter(version__in=versions, path=INDEX)
    rows = fronts.values_list("version", Left("markdown", _BEGINNING))
    found = {version: _first_paragraph(text) for version, text in rows}
    return {version: text for version, text in found.items() if text}


def _first_paragraph(markdown: str) -> str:
    blocks = [each for each in markdown.split("\n\n") if not each.startswith("# ")]
    blocks = [each for each in blocks if each.strip() != NOTE]
    if not blocks or blocks[0].lstrip().startswith(_NO_PARAGRAPH):
        return ""
    text = to_plain(CITATION.sub("", blocks[0]))
    return shorten(text, _LONGEST, placeholder="…")
