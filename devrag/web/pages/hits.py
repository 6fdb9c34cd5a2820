"""A hit as pages show it: where it leads, its lines, and why it is there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from urllib.parse import quote, urlencode

from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import gettext

from devrag.core.docstrings import without_dead_references
from devrag.core.highlight import highlight_lines, lex_lines, mark_terms, split_lines
from devrag.core.markdown import render_markdown, without_ids
from devrag.core.page_urls import file_url, symbol_url, wiki_url
from devrag.core.plain_markdown import to_plain
from devrag.labels.types import LabelView
from devrag.search.api import Strategy, explain, extract
from devrag.search.types import Hit, HitCopy
from devrag.sources.api import DocumentFacts, text_of_document
from devrag.sources.selectors import CURRENT_VERSION
from devrag.web.pages.code import Line, number_lines

SNIPPET_LINES = 9
MAX_PROSE_CHARACTERS = 600
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

    rules: what moved it up or down; why: those and its place in each list.
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
    lines: tuple[Line, ...]
    matches: tuple[MatchView, ...]
    hidden_matches: int
    before: tuple[str, ...]
    after: tuple[str, ...]
    rules: tuple[str, ...]
    why: tuple[str, ...]
    score: float
    is_dirty: bool
    labels: tuple[LabelView, ...] = ()
    document: DocumentFacts | None = None
    copies: tuple[CopyView, ...] = ()

    @property
    def is_head(self) -> bool:
        """Whether it has nothing but what is known of a page beside its text."""
        return self.document is not None and self.is_prose and not self.prose

    @property
    def place(self) -> tuple[str, str, str]:
        """What hits of the same file have in common."""
        return (self.product, self.source, self.path)


def to_view(hit: Hit, strategy: Strategy = "snippet") -> HitView:
    """Turn a hit into what its card shows. strategy: how much of its text."""
    folder, name = _called(hit)
    is_prose = hit.file_kind in _PROSE and not hit.matched_lines
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
        prose=_prose(_without_head(hit), strategy) if is_prose else "",
        lines=() if is_prose or hit.matched_lines else _lines(hit, strategy),
        matches=_matches(hit),
        hidden_matches=max(0, len(hit.matched_lines) - SNIPPET_LINES),
        before=tuple(chunk.text for chunk in hit.context_before),
        after=tuple(chunk.text for chunk in hit.context_after),
        rules=hit.why,
        why=tuple(gettext(reason) for reason in explain(hit)),
        score=hit.score,
        is_dirty=hit.is_dirty,
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
    return f"{first}–{last}" if last > first else str(first)


def _matches(hit: Hit) -> tuple[MatchView, ...]:
    return tuple(
        MatchView(
            number=line.number,
            url=_url(hit, line.number),
            html=_mark_exactly(line.text, hit.matched_terms),
        )
        for line in hit.matched_lines[:SNIPPET_LINES]
    )


def _mark_exactly(text: str, found: Sequence[str]) -> str:
    """Mark what was found, letter by letter; colours would take it apart."""
    if not found:
        return escape(text)
    longest_first = sorted(found, key=len, reverse=True)
    pieces = re.split(f"({'|'.join(map(re.escape, longest_first))})", text)
    return "".join(
        f"<mark>{escape(piece)}</mark>" if place % 2 else escape(piece)
        for place, piece in enumerate(pieces)
    )


def _url(hit: Hit, line: int = 0) -> str:
    """Return the address of a hit, or of one of its lines."""
    if hit.is_wiki:
        url = wiki_url(hit.product_name, hit.path)
        return f"{url}#{quote(hit.anchor)}" if hit.anchor else url
    first = hit.matched_lines[0].number if hit.matched_lines else 0
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
    first = matched[0].number if matched else hit.start_line
    last = matched[-1].number if matched else hit.end_line
    names = (hit.product_name, hit.source_name, CURRENT_VERSION, hit.path)
    asked = urlencode({"first": first, "last": last})
    return f"{reverse('web:preview', args=names)}?{asked}"


def _lines(hit: Hit, strategy: Strategy) -> tuple[Line, ...]:
    """Return all highlighted lines, or a few around the first that has a term."""
    if strategy != "snippet":
        shown = extract(hit.text, strategy, terms=hit.matched_terms)
        begin = hit.text[: max(0, hit.text.find(shown))].count("\n")
        lines = highlight_lines(shown, hit.language)
        marked = [mark_terms(line, hit.matched_terms) for line in lines]
        return number_lines(marked, start=hit.start_line + begin)
    lines = split_lines(hit.text)
    begin = first_match(lines, hit.matched_terms)
    begin = max(0, min(begin - 1, len(lines) - SNIPPET_LINES))
    chosen = islice(lex_lines(lines, hit.language), begin, begin + SNIPPET_LINES)
    marked = [mark_terms(line, hit.matched_terms) for line in chosen]
    return number_lines(marked, start=hit.start_line + begin)


def first_match(lines: Iterable[str], terms: Iterable[str]) -> int:
    """Return the index of the first line with a term, 0 when none has.

    With a phrase or a name of several words, if any has one.
    """
    wanted = {term.lower() for term in terms}
    phrases = _longer(wanted)
    lowered = [line.lower() for line in lines]
    having = (
        index
        for each in (phrases, wanted)
        for index, line in enumerate(lowered)
        if any(term in line for term in each)
    )
    return next(having, 0)


def _longer(terms: Collection[str]) -> set[str]:
    """Return phrases, and names of which other terms are parts."""
    return {
        term
        for term in terms
        if len(term.split()) > 1 or any(each != term and each in term for each in terms)
    }


def _without_head(hit: Hit) -> Hit:
    """Return a hit without what stands above the text of a page or ticket.

    Pages show that in other words.
    """
    return replace(hit, text=text_of_document(hit.text)) if hit.document else hit


def _prose(hit: Hit, strategy: Strategy) -> str:
    if strategy != "snippet":
        shown = extract(hit.text, strategy, terms=hit.matched_terms)
        return mark_terms(_whole(hit, shown), hit.matched_terms)
    flat = _on_one_line(hit)
    lowered = flat.lower()
    terms = [term.lower() for term in hit.matched_terms]
    found = [lowered.find(term) for term in _longer(terms) if term in lowered]
    found = found or [lowered.find(term) for term in terms if term in lowered]
    first = min(found, default=0)
    begin = max(0, first - MAX_PROSE_CHARACTERS // 4)
    if begin:  # Not within a word, where there is space between words.
        begin = flat.find(" ", begin, first) + 1 or begin
    piece = flat[begin : begin + MAX_PROSE_CHARACTERS]
    opening = "…" if begin else ""
    ending = "…" if begin + MAX_PROSE_CHARACTERS < len(flat) else ""
    [line] = highlight_lines(opening + piece + ending, "")
    return mark_terms(line, hit.matched_terms)


def _whole(hit: Hit, text: str) -> str:
    """Return a text as HTML: Markdown set, with links only where they are absolute."""
    if hit.language != "markdown":
        return "\n".join(highlight_lines(text, ""))
    known = without_dead_references(text)
    page = render_markdown(known, resolve_link=lambda _: None, drops_html=True)
    return without_ids(page.html)


def _on_one_line(hit: Hit) -> str:
    """Return a hit's words; of a page or ticket none where it is only a heading."""
    if hit.language == "markdown":
        plain = to_plain(hit.text, hit.heading)
        if plain or hit.document:
            return plain
    return " ".join(hit.text.split())
