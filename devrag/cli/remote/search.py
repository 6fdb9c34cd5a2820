"""Search at another devrag."""

from __future__ import annotations

import time
from collections.abc import Iterator

from devrag.cli.interfaces import Document, SearchAnswer, SearchRequest
from devrag.cli.remote.connection import Connection


def search(server: Connection, request: SearchRequest) -> SearchAnswer:
    """Search there, or find related code."""
    place = "/search/related" if request.is_related else "/search"
    began = time.perf_counter()
    found: Document = server.post(place, _body(request))
    seconds = time.perf_counter() - began
    if not request.is_summarized:
        found.pop("summary", None)  # as in process
    trace = list(_trace(found, request.query.text, seconds))
    return SearchAnswer(found, trace if request.is_traced else ())


def _body(request: SearchRequest) -> Document:
    query = request.query
    return {
        "query": query.text,
        "productName": query.product,
        "sourceName": query.source,
        "mode": query.mode,
        "limit": query.limit,
        "pathPrefix": query.path_prefix,
        "filePattern": query.pattern,
        "tags": list(query.tags),
        "labels": list(query.labels),
        "status": query.status,
        "author": query.author,
        "after": query.after,
        "before": query.before,
        "contentType": query.mime,
        "kind": query.kind,
        "language": query.language,
        "minComplexity": query.min_complexity,
        "maxComplexity": query.max_complexity,
        "depths": list(query.depths),
        "contextSize": query.context,
        "includeGenerated": query.include_generated,
        "includeCleanOnly": query.include_clean_only,
        "rewrite": query.rewrite,
        "strategy": request.strategy,
        "maxCharacters": request.max_characters,
        "summarize": request.is_summarized,
    }


def _trace(found: Document, query: str, seconds: float) -> Iterator[str]:
    """Yield the time that a search took here and on the server, and its hits."""
    hits = found["hits"]
    yield f"query: {query!r}"
    yield f"search on the server: {found['milliseconds']:.1f} ms"
    yield f"total: {seconds * 1000:.1f} ms"
    yield f"chunks: {len(hits)}"
    for hit in hits:
        yield f"  {hit['score']:.4f} {hit['path']}:{hit['startLine']}"
