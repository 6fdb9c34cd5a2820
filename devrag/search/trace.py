"""Where the time of a call goes, line by line on stderr with `--verbose`."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextvars import ContextVar

from devrag.core.errors import ProviderError
from devrag.core.timings import measuring
from devrag.search.query_parser import parse_query
from devrag.search.scope import sources_in_scope
from devrag.search.semantic.retriever import query_vector
from devrag.search.semantic.specs import specs_in_scope
from devrag.search.types import SearchQuery, SearchResult

# The lines of the present call; None while nobody reads them.
_lines: ContextVar[list[str] | None] = ContextVar("trace", default=None)


def start_trace() -> list[str]:
    """Start a trace; return the list that gets its lines."""
    lines: list[str] = []
    _lines.set(lines)
    return lines


def add_to_trace(*lines: str) -> None:
    """Add lines to the trace of the present call, if there is one."""
    kept = _lines.get()
    if kept is not None:
        kept.extend(lines)


def trace_search(
    query: SearchQuery, ask: Callable[[SearchQuery], SearchResult]
) -> SearchResult:
    """Ask; add to the trace what took how long, and the hits."""
    if _lines.get() is None:
        return ask(query)
    began = time.perf_counter()
    _embed(query)
    embedded = time.perf_counter()
    with measuring() as spent:
        result = ask(query)
    ended = time.perf_counter()
    add_to_trace(
        f"query: {query.text!r}",
        f"query embedding: {_ms(embedded - began)}",
        f"vector search: {_ms(spent['vector search'])}",
        f"words and ranking: {_ms(ended - embedded - spent['vector search'])}",
        f"total: {_ms(ended - began)}",
        f"chunks: {len(result.hits)}",
        *(f"  {hit.score:.4f} {hit.path}:{hit.start_line}" for hit in result.hits),
    )
    return result


def _embed(query: SearchQuery) -> None:
    """Ask for the query's vector; search finds it remembered."""
    understood = parse_query(query)
    if understood.mode == "keyword" or not understood.text:
        return
    for spec in specs_in_scope(sources_in_scope(understood)):
        try:
            query_vector(spec, understood.text)
        except ProviderError as error:
            add_to_trace(f"query embedding failed: {error.message}")


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"
