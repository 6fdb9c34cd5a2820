"""query_memos, list_tags, get_recent_memos: dated entries of notes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from devrag.mcp.arguments import AnyCollection, Limit, Mode, Query, Strategy
from devrag.mcp.caller import Ctx, caller
from devrag.mcp.collections import find_collection
from devrag.mcp.indexing import index_missing
from devrag.mcp.tools.search import answer, result_notes
from devrag.search.api import (
    MAX_CHARACTERS,
    Memo,
    count_tags,
    extract,
    read_memos,
    recent_memos,
    summarize_result,
)
from devrag.search.types import Hit, SearchQuery, SearchResult

_DEFAULT_LIMIT = 10


class MemoResult(TypedDict):
    """An entry. date: as in 2024-01-15, '' for none."""

    id: str
    title: str
    date: str
    tags: list[str]
    snippet: str
    score: float


class Memos(TypedDict):
    """Entries, best first; total: how many these are."""

    results: list[MemoResult]
    total: int
    summary: NotRequired[str]
    notes: NotRequired[list[str]]


class TagCount(TypedDict):
    tag: str
    count: int


class Tags(TypedDict):
    """Tags, the most used first."""

    tags: list[TagCount]


def query_memos(
    ctx: Ctx,
    query: Query,
    top_k: Limit = _DEFAULT_LIMIT,
    collection: AnyCollection = "",
    mode: Mode = "hybrid",
    strategy: Strategy = "snippet",
    max_chars: Annotated[
        int, Field(ge=1, le=50_000, description="Length of each snippet.")
    ] = MAX_CHARACTERS,
    tags: Annotated[
        list[str] | None, Field(description="Only entries with all these tags.")
    ] = None,
    rewrite: bool = False,
    summarize: bool = False,
) -> Memos:
    """Find dated entries of notes, changelogs and journals. Use search for other text.

    Snippets are 150 characters; strategy 'full' returns whole entries up to max_chars.
    """
    principal = caller(ctx, "read")
    scope = find_collection(principal, collection)
    notes = index_missing(principal, scope)
    asked = SearchQuery(
        text=query,
        principal=principal,
        product=scope.product,
        source=scope.source,
        kind="entry",
        mode=mode,
        limit=top_k,
        tags=tuple(tags or ()),
        rewrite=rewrite,
    )
    result = answer(asked)
    found = _to_memos(
        (memo, _snippet(memo, hit, strategy, max_chars), hit.score)
        for memo, hit in _entries(result)
    )
    if summarize:
        found["summary"] = summarize_result(result)
    if said := [*notes, *result_notes(result)]:
        found["notes"] = [*found.get("notes", ()), *said]
    return found


def _entries(result: SearchResult) -> list[tuple[Memo, Hit]]:
    """Return the entries that were found."""
    hits = {hit.chunk_id: hit for hit in result.hits}
    return [(memo, hits[memo.chunk_id]) for memo in read_memos(list(hits))]


def _snippet(memo: Memo, hit: Hit, strategy: Strategy, characters: int) -> str:
    terms = hit.matched_terms
    return extract(memo.text, strategy, terms=terms, max_characters=characters)


def _to_memos(rows: Iterable[tuple[Memo, str, float]]) -> Memos:
    results = [
        MemoResult(
            id=memo.id,
            title=memo.title,
            date=memo.date.isoformat() if memo.date else "",
            tags=list(memo.tags),
            snippet=snippet,
            score=round(score, 4),
        )
        for memo, snippet, score in rows
    ]
    found = Memos(results=results, total=len(results))
    if not results:
        found["notes"] = ["No dated entry found; use search for other text."]
    return found


def list_tags(ctx: Ctx, collection: AnyCollection = "") -> Tags:
    """List the tags of dated entries with their counts, for query_memos."""
    scope = find_collection(caller(ctx, "read"), collection)
    counts = count_tags(scope.source_ids)
    return Tags(tags=[TagCount(tag=tag, count=count) for tag, count in counts])


def get_recent_memos(
    ctx: Ctx, limit: Limit = _DEFAULT_LIMIT, collection: AnyCollection = ""
) -> Memos:
    """Return the newest dated entries of notes, changelogs and journals."""
    scope = find_collection(caller(ctx, "read"), collection)
    memos = recent_memos(scope.source_ids, limit)
    return _to_memos((memo, extract(memo.text, "snippet"), 1.0) for memo in memos)
