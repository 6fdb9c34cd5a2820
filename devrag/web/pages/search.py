"""The search page: what is asked, and what the answer says beside its hits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from django.utils.translation import gettext, gettext_noop

from devrag.core.errors import DevragError
from devrag.core.principal import Principal
from devrag.core.text import drop_invisible, shorten
from devrag.search.api import (
    Strategy,
    log_search,
    parse_depths,
    search,
    suggest_queries,
    summarize,
    without_filters,
    written_filters,
)
from devrag.search.types import PAGE_SIZES, Mode, SearchQuery, SearchResult
from devrag.sources.models import Source
from devrag.web.kind_labels import kind_label
from devrag.web.pages.facets import Facet, list_facets
from devrag.web.pages.hits import HitView, to_view
from devrag.web.search_urls import search_url

_SHOWN_CHARACTERS = 120
_UNAVAILABLE = 503
# Filters that have a chip, and what it says.
_CHIPS = {
    "product": gettext_noop("product"),
    "source": gettext_noop("source"),
    "path": gettext_noop("path"),
    "language": gettext_noop("language"),
    "kind": gettext_noop("kind"),
    "complexity": gettext_noop("complexity from"),
    "complexity_to": gettext_noop("complexity to"),
    "mime": gettext_noop("type"),
    "status": gettext_noop("status"),
    "author": gettext_noop("author"),
    "after": gettext_noop("changed since"),
    "before": gettext_noop("changed before"),
    "depth": gettext_noop("heading levels"),
}
_MODES = {"keyword": gettext_noop("Words"), "semantic": gettext_noop("Meaning")}
# Switches that have a chip.
_SWITCHES = {
    "generated": gettext_noop("Include generated and vendored"),
    "unchanged": gettext_noop("Hide files changed since indexing"),
    "rewrite": gettext_noop("Only the important words"),
    "summary": gettext_noop("Summary"),
}
# The hits of a file, each with its rank.
FileHits = tuple[tuple[int, HitView], ...]


@dataclass(frozen=True, slots=True)
class SearchPage:
    """hits are empty when nothing was asked, nothing was found, or it failed.

    log_token: what the browser gives back with the hit that is opened.
    is_low: the hits are only the nearest to what was asked for. total, holds_all,
    counts_files: as of the result; unfiltered: how many there are without filters,
    where these leave nothing.
    more_url: the same with more hits, '' where there are none.
    similar_names: of definitions, the most alike first, or the question in other
    spelling. facets: menus that narrow it.
    """

    text: str
    hits: tuple[HitView, ...]
    elapsed_ms: float
    notices: tuple[str, ...]
    error: str
    summary: str = ""
    log_token: str = ""
    is_low: bool = False
    total: int = 0
    holds_all: bool = True
    counts_files: bool = False
    unfiltered: int = 0
    similar_names: tuple[str, ...] = ()
    facets: tuple[Facet, ...] = ()
    more_url: str = ""

    @property
    def shown_text(self) -> str:
        """The question as a part of a sentence, which it must not turn around."""
        return shorten(drop_invisible(self.text), _SHOWN_CHARACTERS)

    @property
    def bare_query(self) -> str:
        """The question without the filters in its text."""
        return without_filters(self.text)

    @property
    def exact_query(self) -> str:
        """The question that looks for this text in every line."""
        return 'exact:"{}"'.format(self.bare_query.replace('"', ""))

    @property
    def files(self) -> tuple[FileHits, ...]:
        """The hits with their ranks by file, without those of `partial_files`."""
        partial = self.partial_count
        ranked = enumerate(self.hits, start=1)
        return _by_file(e for e in ranked if not (partial and e[1].is_partial))

    @property
    def partial_files(self) -> tuple[FileHits, ...]:
        """Those with only parts of a name, where others have all of it."""
        if not self.partial_count:
            return ()
        return _by_file(e for e in enumerate(self.hits, start=1) if e[1].is_partial)

    @property
    def partial_count(self) -> int:
        """How many hits are in `partial_files`."""
        count = sum(hit.is_partial for hit in self.hits)
        return count if count < len(self.hits) else 0

    @property
    def shown_count(self) -> int:
        """How many hits are in `files`."""
        return len(self.hits) - self.partial_count

    @property
    def is_top(self) -> bool:
        """Whether the hits are the first of more that match as well.

        What has only parts of a name follows all that has the name.
        """
        is_cut = bool(self.more_url) and not self.partial_count
        return is_cut and self.total > self.shown_count


def _by_file(ranked: Iterable[tuple[int, HitView]]) -> tuple[FileHits, ...]:
    """Return hits by file, the file with the best hit first.

    Of a page those with text before what stands above it.
    """
    files: dict[object, list[tuple[int, HitView]]] = {}
    for rank, hit in ranked:
        files.setdefault(hit.place, []).append((rank, hit))
    return tuple(
        tuple(sorted(hits, key=lambda each: each[1].is_head)) for hits in files.values()
    )


def get_search_page(
    principal: Principal,
    wanted: Mapping[str, str],
    *,
    is_typing: bool = False,
    is_in_place: bool = False,
) -> SearchPage:
    """Ask the one search function; a failure becomes a sentence on the page.

    What cannot be answered now, but in a moment, is raised: its page says when.

    is_typing: the last word may go on. is_in_place: only the results change, and what
    was typed before is not counted.
    """
    text = wanted["q"].strip()
    if not text:
        return SearchPage("", (), 0, (), "")
    try:
        query = _to_query(principal, text, wanted)
        result = search(replace(query, is_typing=is_typing))
    except DevragError as error:
        if error.http_status == _UNAVAILABLE:
            raise
        return SearchPage(text, (), 0, (), error.message)
    strategy = cast("Strategy", wanted["show"] or "snippet")
    return SearchPage(
        text=text,
        hits=tuple(to_view(hit, strategy) for hit in result.hits),
        elapsed_ms=result.milliseconds,
        notices=_notices(result),
        error="",
        summary=summarize(result.hits) if wanted["summary"] else "",
        log_token=log_search(result, is_typing=is_in_place),
        is_low=result.is_low,
        total=result.total,
        holds_all=result.holds_all,
        counts_files=result.counts_files,
        facets=list_facets(query, wanted) if result.confidence == "high" else (),
        more_url=_more_url(result, wanted),
        **({} if result.confidence == "high" else _ways_on(result)),
    )


def may_see_documents(principal: Principal) -> bool:
    """Return whether a source that they may read has pages or tickets. Queries: 1."""
    return Source.objects.visible_to(principal).of_documents().exists()


def _ways_on(result: SearchResult) -> dict[str, Any]:
    """Return what there is instead of what was asked for."""
    query = result.query
    bare = SearchQuery(
        text=without_filters(query.text),
        principal=query.principal,
        mode=query.mode,
        limit=1,
        folds_copies=query.folds_copies,
        is_strict=query.is_strict,
    )
    is_filtered = bare.text and replace(query, limit=1, is_typing=False) != bare
    unfiltered = search(bare) if is_filtered else result
    is_elsewhere = unfiltered.confidence == "high"
    count = max(unfiltered.total, len(unfiltered.hits)) if is_elsewhere else 0
    similar: tuple[str, ...] = ()
    if not query.is_typing:
        similar = suggest_queries(query, with_names=not is_elsewhere)
    return {"unfiltered": count, "similar_names": similar}


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that counts. url: the same question without it."""

    text: str
    url: str


def list_chips(wanted: Mapping[str, Any]) -> tuple[Chip, ...]:
    """Return the filters in the question's text and beside it."""
    written = [
        Chip(text, search_url({**wanted, "q": rest}))
        for text, rest in written_filters(wanted["q"])
    ]
    chosen = [
        Chip(
            f"{gettext(word)}: {_said(name, wanted)}", search_url({**wanted, name: ""})
        )
        for name, word in _CHIPS.items()
        if wanted.get(name)
    ]
    mode = wanted.get("mode", "")
    switched = [
        Chip(gettext(word), search_url({**wanted, name: ""}))
        for name, word in (("mode", _MODES.get(mode, "")), *_SWITCHES.items())
        if word and wanted.get(name)
    ]
    return (*written, *chosen, *switched)


def _said(name: str, wanted: Mapping[str, Any]) -> str:
    return kind_label(wanted[name]) if name == "kind" else str(wanted[name])


def _to_query(
    principal: Principal, text: str, wanted: Mapping[str, str]
) -> SearchQuery:
    return SearchQuery(
        text=text,
        principal=principal,
        product=wanted["product"],
        source=wanted["source"],
        mode=cast("Mode", wanted["mode"] or "hybrid"),
        limit=_wanted_hits(wanted),
        path_prefix=wanted["path"],
        kind=wanted["kind"],
        language=wanted["language"].lower(),
        mime=wanted["mime"].lower(),
        min_complexity=int(wanted["complexity"] or 0),
        max_complexity=int(wanted["complexity_to"] or 0),
        depths=parse_depths(wanted["depth"]),
        status=wanted["status"],
        author=wanted["author"],
        after=wanted["after"],
        before=wanted["before"],
        context=int(wanted["context"] or 0),
        include_generated=bool(wanted["generated"]),
        include_clean_only=bool(wanted["unchanged"]),
        rewrite=bool(wanted["rewrite"]),
        folds_copies=True,
        is_strict=True,
    )


def _wanted_hits(wanted: Mapping[str, Any]) -> int:
    return wanted.get("most") or PAGE_SIZES[0]


def _more_url(result: SearchResult, wanted: Mapping[str, Any]) -> str:
    """Return the address of the same results and the next ones, '' without any."""
    larger = next((size for size in PAGE_SIZES if size > _wanted_hits(wanted)), None)
    if larger is None or not result.has_more:
        return ""
    return search_url({**wanted, "most": larger})


def _notices(result: SearchResult) -> tuple[str, ...]:
    return tuple(gettext(note) for note in result.notes)
