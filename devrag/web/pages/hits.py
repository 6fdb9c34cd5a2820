"""A hit as pages show it: where it leads, its lines, and why it is there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import quote, urlencode

from django.urls import reverse
from django.utils.translation import gettext

from devrag.core.page_urls import file_url, symbol_url, wiki_url
from devrag.labels.types import LabelView
from devrag.search.api import Strategy
from devrag.search.types import Hit, HitCopy
from devrag.sources.api import DocumentFacts
from devrag.sources.selectors import CURRENT_VERSION
from devrag.web.pages.code import Line
from devrag.web.pages.hit_excerpts import (
    SNIPPET_LINES,
    excerpt_lines,
    excerpt_prose,
    mark_exactly,
)
from devrag.web.pages.hit_reasons import details_of, reason_of
from devrag.web.pages.hit_tables import TableExcerpt, excerpt_table

_PROSE = frozenset({"doc", "wiki"})


@dataclass(frozen=True, slots=True)
class MatchView:
    """A line that was looked for."""

    number: int
    url: str
    html: str


@dataclass(frozen=True, slots=True)
class CopyView:
    """Another file with nearly the same text."""

    path: str
    url: str


@dataclass(frozen=True, slots=True)
class HitView:
    """One hit. folder, name: of a page or ticket its place and title.

    matches: the lines that were asked for; hidden_matches: how many more.

    copies: where other files have nearly the same.

    is_partial: it has only parts of the name that was asked for.

    reason: why it is there, in a few words; why: what else moved it up or down, and its
    place in each list.
    """

    url: str
    symbol_url: str
    preview_url: str
    path: str
    folder: str
    name: str
    product: str
    source: str
    line_label: str
    title: str
    is_prose: bool
    is_markdown: bool
    prose: str
    table: TableExcerpt | None
    lines: tuple[Line, ...]
    matches: tuple[MatchView, ...]
    hidden_matches: int
    before: tuple[str, ...]
    after: tuple[str, ...]
    reason: str
    why: tuple[str, ...]
    score: float
    is_dirty: bool
    is_partial: bool = False
    labels: tuple[LabelView, ...] = ()
    document: DocumentFacts | None = None
    copies: tuple[CopyView, ...] = ()

    @property
    def is_head(self) -> bool:
        """Whether it has nothing but what is known of a page beside its text."""
        has_text = self.prose or self.table
        return self.document is not None and self.is_prose and not has_text

    @property
    def place(self) -> tuple[str, str, str]:
        """What hits of the same file have in common."""
        return (self.product, self.source, self.path)


def to_view(hit: Hit, strategy: Strategy = "snippet") -> HitView:
    """Turn a hit into what its card shows. strategy: how much of its text."""
    folder, name = _called(hit)
    is_prose = hit.file_kind in _PROSE and not hit.matched_lines
    table = excerpt_table(hit) if is_prose and strategy == "snippet" else None
    shown = replace(hit, text=table.before) if table else hit
    return HitView(
        url=_url(hit),
        symbol_url=_symbol_url(hit),
        preview_url=_preview_url(hit),
        path=hit.path,
        folder=folder,
        name=name,
        product=hit.product_name,
        source=hit.source_name,
        line_label=_line_label(hit),
        title=_title(hit),
        is_prose=is_prose,
        is_markdown=hit.language == "markdown",
        prose=excerpt_prose(shown, strategy) if is_prose else "",
        table=table,
        lines=() if is_prose or hit.matched_lines else excerpt_lines(hit, strategy),
        matches=_matches(hit),
        hidden_matches=max(0, len(hit.matched_lines) - SNIPPET_LINES),
        before=tuple(chunk.text for chunk in hit.context_before),
        after=tuple(chunk.text for chunk in hit.context_after),
        reason=reason_of(hit),
        why=tuple(gettext(each) for each in details_of(hit)),
        score=hit.score,
        is_dirty=hit.is_dirty,
        is_partial=hit.is_partial,
        labels=hit.labels,
        document=hit.document,
        copies=tuple(_copy(hit, each) for each in hit.copies),
    )


def _copy(hit: Hit, copy: HitCopy) -> CopyView:
    names = (copy.product_name, copy.source_name)
    is_beside = names == (hit.product_name, hit.source_name)
    return CopyView(
        path=copy.path if is_beside else " / ".join([*names, copy.path]),
        url=file_url(
            *names, CURRENT_VERSION, copy.path, copy.start_line, copy.end_line
        ),
    )


def _called(hit: Hit) -> tuple[str, str]:
    """Return the folders and the name of a file; of pages their place and title."""
    if hit.is_wiki:
        return "", hit.title
    if hit.document:
        return "".join(f"{each} › " for each in hit.document.place), hit.document.title
    folder, slash, name = hit.path.rpartition("/")
    return folder + slash, name


def _title(hit: Hit) -> str:
    """Return what the hit is within its file or page, '' where it has that name."""
    title = hit.document.title if hit.document else hit.title
    if (hit.is_wiki or hit.document) and hit.heading == title:
        return ""
    return hit.symbol_name or hit.heading


def _line_label(hit: Hit) -> str:
    if hit.is_wiki:
        return ""
    first, last = hit.start_line, hit.end_line
    if hit.symbol_line:
        return str(hit.symbol_line)
    return f"{first}–{last}" if last > first else str(first)


def _matches(hit: Hit) -> tuple[MatchView, ...]:
    return tuple(
        MatchView(
            number=line.number,
            url=_url(hit, line.number),
            html=mark_exactly(line.text, hit.matched_terms),
        )
        for line in hit.matched_lines[:SNIPPET_LINES]
    )


def _url(hit: Hit, line: int = 0) -> str:
    """Return the address of a hit, or of one of its lines."""
    if hit.is_wiki:
        url = wiki_url(hit.product_name, hit.path)
        return f"{url}#{quote(hit.anchor)}" if hit.anchor else url
    first = hit.matched_lines[0].number if hit.matched_lines else hit.symbol_line
    start, end = (line or first, 0) if first else (hit.start_line, hit.end_line)
    names = (hit.product_name, hit.source_name, CURRENT_VERSION)
    return file_url(*names, hit.path, start, end)


def _symbol_url(hit: Hit) -> str:
    if hit.symbol_uuid is None:
        return ""
    return symbol_url(
        hit.product_name, hit.source_name, CURRENT_VERSION, hit.symbol_uuid
    )


def _preview_url(hit: Hit) -> str:
    """Return where its lines among those around them come from; '' for a wiki page."""
    if hit.is_wiki:
        return ""
    matched = hit.matched_lines
    first = matched[0].number if matched else hit.symbol_line or hit.start_line
    last = matched[-1].number if matched else hit.symbol_line or hit.end_line
    names = (hit.product_name, hit.source_name, CURRENT_VERSION, hit.path)
    asked = urlencode({"first": first, "last": last})
    return f"{reverse('web:preview', args=names)}?{asked}"
