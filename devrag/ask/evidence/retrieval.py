"""Ask search for a question within its scope, over one product or several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from django.utils.translation import gettext

from devrag.ask.types import AskRequest
from devrag.parsing.api import is_generated, is_vendored
from devrag.products.models import Product
from devrag.search.api import search
from devrag.search.types import Hit, Mode, SearchQuery, SearchResult

_HITS = 50
_SHORTEST_NAME = 3
_GENERATED = re.compile(
    r"\b(?:lock.?files?|[\w-]+[.-]lock\b|package-lock|go\.sum|checksums? file"
    r"|signature files?|generated (?:code|files?|sources?)|vendored|third.party code)"
    r"|[\w.-]+\.(?:asc|sig|sha256|min\.js|map)\b|_pb2\b"
    r"|ロックファイル|生成された(?:コード|ファイル)|自動生成",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Results of a question, best first. is_found: some have what was asked for.

    missing_note: what search says of words that are nowhere, "" for nothing; none of
    the notes, since the answer judges that by itself.
    """

    hits: tuple[Hit, ...]
    is_found: bool
    notes: tuple[str, ...]
    missing_note: str = ""


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
        notes_filters=False,  # A question is a sentence.
    )
    named = () if scope.products else _named_products(request)
    results = [search(replace(query, product=name)) for name in scope.products or named]
    is_narrowed = bool(named) and any(map(_is_found, results))
    if not (scope.products or is_narrowed):
        results = [search(query)]
    notes = dict.fromkeys(chain.from_iterable(result.notes for result in results))
    missing = [result.missing_note for result in results if result.missing_note]
    for note in missing:
        notes.pop(note, None)
    return Retrieved(
        hits=_merge(results, limit),
        is_found=any(map(_is_found, results)),
        notes=(*(_narrowed(named) if is_narrowed else ()), *notes),
        missing_note=next(iter(missing), ""),
    )


def _is_found(result: SearchResult) -> bool:
    return result.confidence == "high"


def _named_products(request: AskRequest) -> tuple[str, ...]:
    """Return the products that a question about all of them names. Queries: 1."""
    asked = request.question.lower()
    rows = Product.objects.visible_to(request.principal).values_list("name", "title")
    return tuple(
        name
        for name, title in rows
        if any(map(partial(_names, asked), {name.lower(), title.lower()}))
    )


def _names(asked: str, name: str) -> bool:
    """Return whether a question has a name as a word, not as a part of a path."""
    word = rf"(?<![\w./-]){re.escape(name)}(?![\w/-])"
    return len(name) >= _SHORTEST_NAME and bool(re.search(word, asked, re.ASCII))


def _narrowed(names: Sequence[str]) -> tuple[str, ...]:
    text = gettext("Only %(products)s was searched, because the question names it.")
    return (text % {"products": ", ".join(names)},)


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
