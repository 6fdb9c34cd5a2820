"""Where the time of a call goes, line by line on stderr with `--verbose` (S1-1.9)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextvars import ContextVar

from devrag.core.errors import ProviderError
from devrag.core.timings import measuring
from devrag.search.query_text import understand
from devrag.search.semantic.ask import query_vector
from devrag.search.semantic.specs import specs_in_scope
from devrag.search.service import sources_in_scope
from devrag.search.types import SearchQuery, SearchResult

# The lines of the present call; None while nobody reads them.
_lines: ContextVar[list[str] | None] = ContextVar("trace", default=None)


def start_trace() -> list[str]:
    """Begin to write down; return the list that fills."""
    lines: list[str] = []
    _lines.set(lines)
    return lines


def tell(*lines: str) -> None:
    """Write lines down, if anybody reads them."""
    kept = _lines.get()
    if kept is not None:
        kept.extend(lines)


def trace_search(
    query: SearchQuery, ask: Callable[[SearchQuery], SearchResult]
) -> SearchResult:
    """Ask, and tell the items of T31."""
    if _lines.get() is None:
        return ask(query)
    began = time.perf_counter()
    _embed(query)
    embedded = time.perf_counter()
    with measuring() as spent:
        result = ask(query)
    ended = time.perf_counter()
    tell(
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
    understood = understand(query)
    if understood.mode == "keyword" or not understood.text:
        return
    for spec in specs_in_scope(sources_in_scope(understood)):
        try:
            query_vector(spec, understood.text)
        except ProviderError as error:
            tell(f"query embedding failed: {error.message}")


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def tell_seconds(spans: Iterable[tuple[str, float]]) -> None:
    """Tell what took how long."""
    tell(*(f"{name}: {_ms(seconds)}" for name, seconds in spans))
