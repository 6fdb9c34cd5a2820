"""Ask search for a question within its scope, over one product or several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from devrag.ask.types import AskRequest
from devrag.parsing.api import is_generated, is_vendored
from devrag.search.api import search
from devrag.search.types import Hit, Mode, SearchQuery, SearchResult

_HITS = 50
_GENERATED = re.compile(
    r"\b(?:lock.?files?|[\w-]+[.-]lock\b|package-lock|go\.sum|checksums? file"
    r"|signature files?|generated (?:code|files?|sources?)|vendored|third.party code)"
    r"|[\w.-]+\.(?:asc|sig|sha256|min\.js|map)\b|_pb2\b"
    r"|ロックファイル|生成された(?:コード|ファイル)|自動生成",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Results of a question, best first. is_found: some have what was asked for."""

    hits: tuple[Hit, ...]
    is_found: bool
    notes: tuple[str, ...]


def retrieve(
    request: AskRequest,
    text: str,
    *,
    kind: str = "",
    mode: Mode = "hybrid",
    limit: int = _HITS,
) -> Retrieved:
    """Search for a text in the scope of a request. Raises InvalidInput, NotFound.

    kind, mode: as in SearchQuery.
    """
    scope = request.scope
    query = SearchQuery(
        text=text,
        principal=request.principal,
        source=scope.source,
        # Lines are asked about with what stands around them, anywhere.
        path_prefix="" if scope.lines else scope.path,
        include_generated=_is_about_generated(request),
        kind=kind,
        mode=mode,
        limit=limit,
    )
    results = [search(replace(query, product=name)) for name in scope.products or ("",)]
    return Retrieved(
        hits=_merge(results, limit),
        is_found=any(result.confidence == "high" for result in results),
        notes=tuple(dict.fromkeys(chain.from_iterable(r.notes for r in results))),
    )


def query_of(request: AskRequest, text: str) -> SearchQuery:
    """Return the search for a text in the scope of a request.

    Of several products it names none: each is asked by itself.
    """
    scope = request.scope
    return SearchQuery(
        text=text,
        principal=request.principal,
        product=scope.products[0] if len(scope.products) == 1 else "",
        source=scope.source,
        # Lines are asked about with what stands around them, anywhere.
        path_prefix="" if scope.lines else scope.path,
        include_generated=_is_about_generated(request),
    )


def _is_about_generated(request: AskRequest) -> bool:
    """Return whether files that tools wrote, or others, are asked about."""
    path = request.scope.path
    is_in_scope = is_generated(path, "") or is_vendored(path)
    return is_in_scope or _GENERATED.search(request.question) is not None


def _merge(results: Sequence[SearchResult], limit: int) -> tuple[Hit, ...]:
    """Return the best of all: scores of one question are likelihoods everywhere."""
    if len(results) == 1:
        return results[0].hits
    hits = chain.from_iterable(result.hits for result in results)
    return tuple(sorted(hits, key=lambda hit: -hit.score)[:limit])
