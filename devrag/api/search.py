"""Search over REST: every option of search(), every field that explains a hit."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, ClassVar

from django.http import HttpRequest
from ninja import Field, Router

from devrag.api.document_out import DocumentOut
from devrag.api.errors import describe_errors
from devrag.api.json_schema import JsonSchema
from devrag.api.operations import NO_NUL, SEARCH, Request, caller
from devrag.api.sample_values import COMMIT, LINES, PLACE, SYMBOL_ID
from devrag.core.principal import Principal
from devrag.search.api import (
    MAX_CHARACTERS,
    Strategy,
    extract,
    find_related,
    log_search,
    result_fields,
    search,
    summarize_result,
)
from devrag.search.types import (
    DEFAULT_CONTEXT,
    DEFAULT_LIMIT,
    MAX_CONTEXT,
    MAX_LIMIT,
    Confidence,
    Hit,
    Mode,
    SearchQuery,
    SearchResult,
)

router = Router(auth=SEARCH, tags=["search"], by_alias=True)


class SearchRequest(Request):
    """A question with its filters; filters may stand in the query as well.

    rewrite, summarize: by the product's language model where one is set, else by rules.
    strategy: what of a hit `text` is. contextSize: neighbouring pieces on each side.
    """

    query: str = Field(pattern=NO_NUL)
    product_name: str = Field("", max_length=64, pattern=NO_NUL)
    source_name: str = Field("", max_length=200, pattern=NO_NUL)
    mode: Mode = "hybrid"
    limit: int = Field(DEFAULT_LIMIT, ge=1, le=MAX_LIMIT)
    path_prefix: str = Field("", max_length=1000, pattern=NO_NUL)
    file_pattern: str = Field(
        "",
        max_length=1000,
        pattern=NO_NUL,
        description="Such as src/**/*.py or *_test.go.",
    )
    content_type: str = Field("", max_length=1000, pattern=NO_NUL)
    kind: str = Field(
        "",
        max_length=200,
        pattern=NO_NUL,
        description="Such as code, doc, page, ticket, method or section. `wiki` finds "
        "sections of published wiki pages, which no other search returns.",
    )
    language: str = Field("", max_length=200, pattern=NO_NUL)
    min_complexity: int = 0
    max_complexity: int = 0
    depths: list[int] = []
    tags: list[Annotated[str, Field(max_length=200, pattern=NO_NUL)]] = Field(
        [], max_length=100, description="Dated entries with all of these tags."
    )
    labels: list[Annotated[str, Field(max_length=200, pattern=NO_NUL)]] = Field(
        [], max_length=20, description="Files with all of these labels, such as auth."
    )
    without_labels: list[Annotated[str, Field(max_length=200, pattern=NO_NUL)]] = Field(
        [], max_length=20, description="Files with none of these labels."
    )
    status: str = Field(
        "",
        max_length=200,
        pattern=NO_NUL,
        description="Ticket status: open, closed, or the name used in the source.",
    )
    author: str = Field(
        "",
        max_length=200,
        pattern=NO_NUL,
        description="Author of pages and tickets: full name or one word of it.",
    )
    after: str = Field(
        "",
        max_length=10,
        pattern=NO_NUL,
        description="Pages and tickets updated on or after this date (UTC), such as "
        "2026-01-31, 2026-01 or 2026.",
    )
    before: str = Field(
        "",
        max_length=10,
        pattern=NO_NUL,
        description="Pages and tickets updated before this date.",
    )
    context_size: int = Field(DEFAULT_CONTEXT, ge=0, le=MAX_CONTEXT)
    include_generated: bool = False
    include_clean_only: bool = False
    is_rewritten: bool = Field(False, alias="rewrite")
    summarize: bool = False
    strategy: Strategy = "full"
    max_characters: int = Field(MAX_CHARACTERS, ge=1)

    EXAMPLE: ClassVar = {
        "query": "where is tax added",
        "productName": "shop",
        "limit": 5,
    }


class MatchedLineOut(JsonSchema):
    """A line found by `exact:` or `/regex/`."""

    line: int
    text: str


class HitOut(JsonSchema):
    """One result. score: 0 to 1. version: the commit whose lines these are.

    Of kind `wiki`: a section of a page; path and anchor lead to it, version is the
    wiki's, chunkID is null, and chunkKey and sourceName are empty.

    lexicalRank, semanticRank: its place in either list, from 1; why: rules in words.
    """

    chunk_id: int | None
    chunk_key: str = Field(
        description=(
            "`{path}::chunk_{n}`, unique within its source; stable while the text "
            "is the same."
        )
    )
    product_name: str
    source_name: str
    version: str
    path: str
    start_line: int
    end_line: int
    text: str
    score: float
    kind: str
    language: str
    mime: str
    symbol: str
    symbol_id: str
    complexity: int | None
    heading: str
    anchor: str
    title: str
    date: datetime.date | None
    tags: list[str]
    labels: list[str]
    document: DocumentOut | None = Field(description="Only for pages and tickets.")
    is_dirty: bool
    why: list[str]
    lexical_rank: int | None
    semantic_rank: int | None
    matched_terms: list[str]
    matched_lines: list[MatchedLineOut]
    context_before: list[str]
    context_after: list[str]

    EXAMPLE: ClassVar = {
        "chunkID": 17,
        "chunkKey": "shop/cart.py::chunk_1",
        "productName": "shop",
        **PLACE,
        "version": COMMIT,
        **LINES,
        "text": "def checkout(self) -> int:",
        "score": 0.91,
        "kind": "symbol",
        "language": "python",
        "mime": "text/x-python",
        "symbol": "Cart.checkout",
        "symbolID": SYMBOL_ID,
        "complexity": 2,
        "heading": "",
        "anchor": "",
        "title": "",
        "date": None,
        "tags": [],
        "labels": ["storage"],
        "document": None,
        "isDirty": False,
        "why": ["defines checkout"],
        "lexicalRank": 1,
        "semanticRank": 3,
        "matchedTerms": ["checkout"],
        "matchedLines": [],
        "contextBefore": [],
        "contextAfter": [],
    }


class SearchOut(JsonSchema):
    """Results, best first. lexicalBehind: the keyword index lacks the newest version.

    confidence: `low` if nothing matches and the results are only the closest ones,
    `none` without results. total: number of passages with all words of the query, or
    with some of them if none has all, 0 if they were not counted.
    """

    hits: list[HitOut]
    milliseconds: float
    lexical_behind: bool
    notes: list[str]
    confidence: Confidence
    total: int
    summary: str

    EXAMPLE: ClassVar = {
        "hits": [HitOut.EXAMPLE],
        "milliseconds": 12.4,
        "lexicalBehind": False,
        "notes": [],
        "confidence": "high",
        "total": 1240,
        "summary": "",
    }


@router.post("", response={200: SearchOut, **describe_errors(400, 404, 502)})
def search_index(request: HttpRequest, body: SearchRequest) -> dict[str, Any]:
    """Search the current version of all accessible sources."""
    result = search(_to_query(caller(request), body))
    log_search(result)
    return _describe(result, body)


@router.post("/related", response={200: SearchOut, **describe_errors(400, 404)})
def search_related(request: HttpRequest, body: SearchRequest) -> dict[str, Any]:
    """Find code related to a location: callers, dependencies and similar code.

    query: SOURCE:PATH:LINE, the ID of a definition, or the ID or key of a chunk.
    """
    return _describe(find_related(_to_query(caller(request), body)), body)


def _describe(result: SearchResult, body: SearchRequest) -> dict[str, Any]:
    def shown(hit: Hit) -> str:
        return extract(
            hit.text,
            body.strategy,
            terms=hit.matched_terms,
            max_characters=body.max_characters,
        )

    fields = result_fields(result, shown)
    return {**fields, "summary": summarize_result(result) if body.summarize else ""}


def _to_query(principal: Principal, body: SearchRequest) -> SearchQuery:
    return SearchQuery(
        text=body.query,
        principal=principal,
        product=body.product_name,
        source=body.source_name,
        mode=body.mode,
        limit=body.limit,
        path_prefix=body.path_prefix,
        pattern=body.file_pattern,
        mime=body.content_type,
        kind=body.kind,
        language=body.language,
        min_complexity=body.min_complexity,
        max_complexity=body.max_complexity,
        depths=tuple(body.depths),
        tags=tuple(body.tags),
        labels=tuple(body.labels),
        without_labels=tuple(body.without_labels),
        status=body.status,
        author=body.author,
        after=body.after,
        before=body.before,
        context=body.context_size,
        include_generated=body.include_generated,
        include_clean_only=body.include_clean_only,
        rewrite=body.is_rewritten,
    )
