"""Search results as the page shows them: links, marked lines, reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import cast

from devrag.core.errors import DevragError
from devrag.core.highlight import highlight_lines, mark_terms
from devrag.core.principal import Principal
from devrag.search.service import search
from devrag.search.types import Hit, Mode, SearchQuery, SearchResult
from devrag.web.links import CURRENT, file_url, symbol_url, wiki_url
from devrag.web.pages.files import Line, number_lines

HITS = 20
SNIPPET_LINES = 9
MAX_PROSE_CHARACTERS = 600
_PROSE = frozenset({"doc", "wiki"})


@dataclass(frozen=True, slots=True)
class HitView:
    """One hit: where it leads, what it shows, and why it is there."""

    url: str
    symbol_url: str
    folder: str
    name: str
    product: str
    source: str
    line_label: str
    title: str
    is_prose: bool
    prose: str
    lines: tuple[Line, ...]
    why: tuple[str, ...]
    score: float
    is_dirty: bool


@dataclass(frozen=True, slots=True)
class SearchPage:
    """hits are empty when nothing was asked, nothing was found, or it failed."""

    text: str
    hits: tuple[HitView, ...]
    elapsed_ms: float
    notices: tuple[str, ...]
    error: str


def get_search_page(
    principal: Principal, wanted: Mapping[str, str], *, is_typing: bool = False
) -> SearchPage:
    """Ask the one search function; a failure becomes a sentence on the page."""
    text = wanted["q"].strip()
    if not text:
        return SearchPage("", (), 0, (), "")
    try:
        query = _to_query(principal, text, wanted)
        result = search(replace(query, is_typing=is_typing))
    except DevragError as error:
        return SearchPage(text, (), 0, (), error.message)
    return SearchPage(
        text=text,
        hits=tuple(to_view(hit) for hit in result.hits),
        elapsed_ms=result.milliseconds,
        notices=_notices(result),
        error="",
    )


def _to_query(
    principal: Principal, text: str, wanted: Mapping[str, str]
) -> SearchQuery:
    return SearchQuery(
        text=text,
        principal=principal,
        product=wanted["product"],
        source=wanted["source"],
        mode=cast("Mode", wanted["mode"] or "hybrid"),
        limit=HITS,
        path_prefix=wanted["path"],
        kind=wanted["kind"],
        language=wanted["language"].lower(),
        min_complexity=int(wanted["complexity"] or 0),
        include_generated=bool(wanted["generated"]),
    )


def _notices(result: SearchResult) -> tuple[str, ...]:
    behind = "The newest changes are still on their way into the word index."
    return (*result.notes, *([behind] if result.is_lexical_behind else []))


def to_view(hit: Hit) -> HitView:
    """Turn a hit into what its card shows."""
    folder, _, name = hit.path.rpartition("/")
    is_prose = hit.file_kind in _PROSE
    return HitView(
        url=_url(hit),
        symbol_url=_symbol_url(hit),
        folder=f"{folder}/" if folder else "",
        name=name,
        product=hit.product_name,
        source=hit.source_name,
        line_label=f"{hit.start_line}–{hit.end_line}",
        title=hit.symbol_name or hit.heading,
        is_prose=is_prose,
        prose=_prose(hit) if is_prose else "",
        lines=() if is_prose else _snippet(hit),
        why=hit.why,
        score=hit.score,
        is_dirty=hit.is_dirty,
    )


def _url(hit: Hit) -> str:
    if hit.file_kind == "wiki":
        return wiki_url(hit.product_name, hit.path)
    return file_url(
        hit.product_name,
        hit.source_name,
        CURRENT,
        hit.path,
        hit.start_line,
        hit.end_line,
    )


def _symbol_url(hit: Hit) -> str:
    if hit.symbol_uuid is None:
        return ""
    return symbol_url(hit.product_name, hit.source_name, CURRENT, hit.symbol_uuid)


def _snippet(hit: Hit) -> tuple[Line, ...]:
    """Return a few highlighted lines around the first that has a term."""
    lines = highlight_lines(hit.text, hit.language)
    begin = first_match(hit.text.split("\n"), hit.matched_terms)
    begin = max(0, min(begin - 1, len(lines) - SNIPPET_LINES))
    chosen = lines[begin : begin + SNIPPET_LINES]
    marked = [mark_terms(line, hit.matched_terms) for line in chosen]
    return number_lines(marked, start=hit.start_line + begin)


def first_match(lines: Iterable[str], terms: Iterable[str]) -> int:
    """Return the index of the first line with a term, 0 when none has."""
    wanted = [term.lower() for term in terms]
    for index, line in enumerate(lines):
        lowered = line.lower()
        if any(term in lowered for term in wanted):
            return index
    return 0


def _prose(hit: Hit) -> str:
    flat = " ".join(hit.text.split())
    lowered = flat.lower()
    found = [lowered.find(term.lower()) for term in hit.matched_terms]
    first = min((place for place in found if place >= 0), default=0)
    begin = max(0, first - MAX_PROSE_CHARACTERS // 4)
    piece = flat[begin : begin + MAX_PROSE_CHARACTERS]
    opening = "…" if begin else ""
    ending = "…" if begin + MAX_PROSE_CHARACTERS < len(flat) else ""
    [line] = highlight_lines(opening + piece + ending, "")
    return mark_terms(line, hit.matched_terms)
