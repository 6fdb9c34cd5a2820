"""The text of a page or ticket, set for reading, in blocks that know their lines."""

from __future__ import annotations

from dataclasses import dataclass

from devrag.core.markdown import RenderedBlock, TocEntry, render_markdown
from devrag.sources.api import FENCE, read_document
from devrag.sources.models import File
from devrag.web.pages.paths import Resolver

# A longer text is shown as its lines, which come as one reads on.
MAX_CHARACTERS = 200_000
_NEAR_LINES = 12


@dataclass(frozen=True, slots=True)
class ArticleBlock:
    """A paragraph, list, table or the like. html: sanitised, may be marked safe.

    first, last: its lines in the file.
    """

    first: int
    last: int
    html: str
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class Article:
    """A page's text without the heading that repeats its title."""

    blocks: tuple[ArticleBlock, ...]
    toc: tuple[TocEntry, ...] = ()


def get_article(file: File, resolve_link: Resolver) -> Article | None:
    """Return the text of a page or ticket; None where its lines are to be shown."""
    facts = read_document(file.text)
    if facts is None or len(file.text) > MAX_CHARACTERS:
        return None
    lines = file.text.split("\n")
    above = lines.index(FENCE, 1) + 1
    body = "\n".join(lines[above:])
    page = render_markdown(body, resolve_link=resolve_link, drops_html=True)
    blocks = [_place(each, above) for each in page.blocks]
    toc = page.toc
    if toc and page.blocks[0].anchor == toc[0].anchor and toc[0].text == facts.title:
        blocks, toc = blocks[1:], toc[1:]
    return Article(tuple(blocks), tuple(each for each in toc if each.level <= 3))


def get_excerpt(article: Article, first: int, last: int) -> Article:
    """Return the blocks on some lines, marked, and those that are near."""
    begin, end = first - _NEAR_LINES, last + _NEAR_LINES
    return Article(
        tuple(
            ArticleBlock(
                each.first,
                each.last,
                each.html,
                is_marked=each.first <= last and each.last >= first,
            )
            for each in article.blocks
            if each.first <= end and each.last >= begin
        )
    )


def _place(block: RenderedBlock, above: int) -> ArticleBlock:
    return ArticleBlock(block.first + above, block.last + above, block.html)
