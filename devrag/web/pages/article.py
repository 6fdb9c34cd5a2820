"""The text of a page, ticket or Markdown file, set for reading.

It comes in blocks that know their lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from devrag.core.markdown import RenderedBlock, RenderedPage, render_markdown
from devrag.parsing.tokens import text_language
from devrag.sources.api import FENCE, read_document
from devrag.sources.models import File
from devrag.web.pages.paths import Resolver

# A longer text is shown as its lines, which come as one reads on.
MAX_CHARACTERS = 200_000
_NEAR_LINES = 12
_OUTLINE_LEVELS = 3


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
class ArticleHeading:
    """A heading of the outline. line: in the file; depth: 0 for the highest listed."""

    text: str
    anchor: str
    line: int
    depth: int


@dataclass(frozen=True, slots=True)
class Article:
    """A text for reading; of a page without the heading that repeats its title.

    language: `ja`, or '' where nothing is known of it: lines break as it wants.
    """

    blocks: tuple[ArticleBlock, ...]
    headings: tuple[ArticleHeading, ...] = ()
    has_mermaid: bool = False
    language: str = ""


def get_article(file: File, resolve_link: Resolver) -> Article | None:
    """Return the text of a page or ticket; None where its lines are to be shown."""
    facts = read_document(file.text)
    if facts is None or len(file.text) > MAX_CHARACTERS:
        return None
    lines = file.text.split("\n")
    above = lines.index(FENCE, 1) + 1
    page = _render(lines, above, resolve_link)
    toc = page.toc
    repeats_title = (
        bool(toc)
        and page.blocks[0].anchor == toc[0].anchor
        and toc[0].text == facts.title
    )
    article = _to_article(page, above, first=1 if repeats_title else 0)
    return _in_language(article, file)


def get_preview(file: File, resolve_link: Resolver) -> Article | None:
    """Return a Markdown file's text; None where only its lines can be shown."""
    if file.language != "markdown" or len(file.text) > MAX_CHARACTERS:
        return None
    lines = file.text.split("\n")
    above = _front_matter_lines(lines)
    article = _to_article(_render(lines, above, resolve_link), above)
    return _in_language(article, file)


def _in_language(article: Article, file: File) -> Article:
    language = text_language(file.text)
    return replace(article, language=language) if language == "ja" else article


def _render(lines: Sequence[str], above: int, resolve_link: Resolver) -> RenderedPage:
    body = "\n".join(lines[above:])
    return render_markdown(body, resolve_link=resolve_link, drops_html=True)


def _front_matter_lines(lines: Sequence[str]) -> int:
    """Return how many lines of metadata stand above the text."""
    if lines[0].rstrip() != FENCE:
        return 0
    ends = (at for at, line in enumerate(lines[1:], 2) if line.rstrip() == FENCE)
    return next(ends, 0)


def _to_article(page: RenderedPage, above: int, first: int = 0) -> Article:
    """Place a rendered text in its file. first: how many blocks to leave out."""
    blocks = page.blocks[first:]
    entries = {each.anchor: each for each in page.toc}
    listed = [
        (entries[each.anchor], each.first + above) for each in blocks if each.anchor
    ]
    top = min((entry.level for entry, _ in listed), default=1)
    headings = tuple(
        ArticleHeading(entry.text, entry.anchor, line, entry.level - top)
        for entry, line in listed
        if entry.level - top < _OUTLINE_LEVELS
    )
    shown = tuple(_place(each, above) for each in blocks if each.html)
    return Article(shown, headings, page.has_mermaid)


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
        ),
        language=article.language,
    )


def _place(block: RenderedBlock, above: int) -> ArticleBlock:
    return ArticleBlock(block.first + above, block.last + above, block.html)
