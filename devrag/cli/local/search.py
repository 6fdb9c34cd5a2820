"""Search the index of this machine."""

from __future__ import annotations

from functools import partial

from devrag.cli.interfaces import SearchAnswer, SearchRequest
from devrag.search.api import (
    extract,
    find_related,
    log_search,
    result_fields,
    start_trace,
    summarize_result,
    trace_search,
)
from devrag.search.api import search as search_index
from devrag.search.types import Hit


def search(request: SearchRequest) -> SearchAnswer:
    """Search, or find related code; searches are logged."""
    trace = start_trace() if request.is_traced else []
    # A command loads the embedding model itself: that takes longer than a page may.
    patient = partial(search_index, is_patient=True)
    ask = find_related if request.is_related else patient
    result = trace_search(request.query, ask)
    fields = result_fields(result, partial(_extract, request))
    if request.is_summarized:
        fields["summary"] = summarize_result(result)
    if not request.is_related:
        log_search(result)
    return SearchAnswer(fields, trace)


def _extract(request: SearchRequest, hit: Hit) -> str:
    return extract(
        hit.text,
        request.strategy,
        terms=hit.matched_terms,
        max_characters=request.max_characters,
    )
