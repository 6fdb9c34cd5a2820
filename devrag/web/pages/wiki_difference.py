"""Two versions of a wiki beside each other: which pages differ, and one of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from devrag.core.errors import NotFound
from devrag.core.markdown import render_markdown
from devrag.jobs.models import Job, JobState
from devrag.products.models import Product
from devrag.web.pages.wiki_claims import cite
from devrag.wiki.api import (
    CITATION,
    MarkdownBlock,
    PageDifference,
    Row,
    RowGroup,
    TextPiece,
    compare_words,
    diff_versions,
    fold,
    join_blocks,
    pair,
    split_blocks,
    version_before,
)
from devrag.wiki.models import Page, Version

VIEWS = ("rendered", "source")
_ID = re.compile(r'(<h[1-6]) id="[^"]*"')


@dataclass(frozen=True, slots=True)
class DifferentPage:
    """A page that differs, and where both sides stand beside each other."""

    difference: PageDifference
    url: str


@dataclass(frozen=True, slots=True)
class PageComparison:
    """A page on both sides. parts: rows of safe HTML. views: name → address."""

    title: str
    path: str
    view: str
    views: dict[str, str]
    parts: tuple[RowGroup[SafeString], ...]

    @property
    def is_same(self) -> bool:
        return all(row.kind == "same" for part in self.parts for row in part.rows)


def compare_url(before: Version, after: Version, page: str = "", view: str = "") -> str:
    """Return where two versions are compared, or a page of both."""
    given = {"from": before.number, "to": after.number, "page": page, "view": view}
    wiki = after.wiki
    given |= {"language": wiki.language}
    query = urlencode({name: value for name, value in given.items() if value})
    return f"{reverse('web:wiki_compare', args=[wiki.product.name])}?{query}"


def find_difference(job: Job) -> str:
    """Return where the wiki that a job wrote is compared with the version before.

    '' of other jobs, and of a first version. Queries: 2, 0 of other jobs.
    """
    if job.kind != "wiki" or job.state != JobState.COMPLETED:
        return ""
    product, run = job.product_id, str(job.pk)
    written = Version.objects.filter(wiki__product=product, report__run=run)
    # The main language is published first.
    version = written.select_related("wiki__product").order_by("pk").first()
    before = version_before(version) if version else None
    return compare_url(before, version) if version and before else ""


def list_differences(before: Version, after: Version) -> list[DifferentPage]:
    """Return the pages that differ. Queries: 2."""
    return [
        DifferentPage(each, compare_url(before, after, each.path))
        for each in diff_versions(before, after)
    ]


def compare_page(
    product: Product, before: Version, after: Version, path: str, view: str
) -> PageComparison:
    """Return a page of both versions, rendered or as its source. Queries: 4."""
    old = before.pages.filter(path=path).first()
    new = after.pages.filter(path=path).first()
    shown = new or old
    if shown is None:
        raise NotFound(
            gettext("Neither version has the page “%(page)s”.") % {"page": path}
        )
    chosen = view if view in VIEWS else VIEWS[0]
    rows = (_rendered if chosen == "rendered" else _source)(product, old, new)
    return PageComparison(
        title=shown.title,
        path=path,
        view=chosen,
        views={each: compare_url(before, after, path, each) for each in VIEWS},
        parts=tuple(rows),
    )


def _rendered(
    product: Product, old: Page | None, new: Page | None
) -> Iterator[RowGroup[SafeString]]:
    before, after = _blocks(old), _blocks(new)
    rows = pair(before, after, (list(map(_key, before)), list(map(_key, after))))
    left, right = _Renderer(product, old), _Renderer(product, new)
    for part in fold(rows):
        joined = [list(run) for _, run in groupby(part.rows, _kind_of_run)]
        yield RowGroup(
            part.is_folded,
            tuple(
                Row(
                    run[0].kind,
                    left.render(row.before for row in run),
                    right.render(row.after for row in run),
                )
                for run in joined
            ),
        )


def _kind_of_run(row: Row[MarkdownBlock]) -> object:
    """Unchanged blocks are one row, each other block one of its own."""
    return row.kind if row.kind != "changed" else id(row)


def _blocks(page: Page | None) -> list[MarkdownBlock]:
    return split_blocks(page.markdown) if page else []


def _key(block: MarkdownBlock) -> tuple[str, str, str]:
    return block.kind, block.lead, CITATION.sub("", block.text)


class _Renderer:
    """Renders blocks of one side, without ids, which would be there twice."""

    def __init__(self, product: Product, page: Page | None) -> None:
        claims = page.claims.all() if page else []
        self._cite = cite(product.name, claims)

    def render(self, blocks: Iterable[MarkdownBlock | None]) -> SafeString | None:
        own = [block for block in blocks if block is not None]
        if not own:
            return None
        own[0] = replace(own[0], lead=own[0].lead.lstrip())
        page = render_markdown(
            join_blocks(own), resolve_link=_no_link, resolve_citation=self._cite
        )
        return mark_safe(_ID.sub(r"\1", page.html))  # noqa: S308 - sanitised


def _no_link(href: str) -> None:
    """Links between pages would lead to the version that readers see."""


def _source(
    product: Product, old: Page | None, new: Page | None
) -> Iterator[RowGroup[SafeString]]:
    for part in fold(pair(_lines(old), _lines(new))):
        yield RowGroup(part.is_folded, tuple(map(_line, part.rows)))


def _lines(page: Page | None) -> Sequence[str]:
    return CITATION.sub("", page.markdown).splitlines() if page else []


def _line(row: Row[str]) -> Row[SafeString]:
    if row.kind != "changed" or row.before is None or row.after is None:
        return Row(row.kind, _escaped(row.before), _escaped(row.after))
    left, right = compare_words(row.before, row.after)
    return Row(row.kind, _marked(left, "del"), _marked(right, "ins"))


def _escaped(line: str | None) -> SafeString | None:
    return None if line is None else escape(line)


def _marked(pieces: Iterable[TextPiece], tag: str) -> SafeString:
    html = "".join(
        f"<{tag}>{escape(piece.text)}</{tag}>"
        if piece.is_marked
        else escape(piece.text)
        for piece in pieces
    )
    return mark_safe(html)  # noqa: S308 - escaped above
