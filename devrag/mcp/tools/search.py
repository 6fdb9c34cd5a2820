"""search and find_related: pieces of sources, snippets first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from devrag.core.errors import NotFound
from devrag.core.principal import Principal
from devrag.mcp.arguments import AnyCollection, Limit, Mode, Query, Tokens
from devrag.mcp.budget import LEAST, Budget
from devrag.mcp.caller import Ctx, caller
from devrag.mcp.collections import Collection, find_collection
from devrag.mcp.errors import UnknownCollection
from devrag.mcp.indexing import index_missing
from devrag.search.api import find_related as ask_related
from devrag.search.api import log_search, trace_search
from devrag.search.api import search as ask
from devrag.search.types import (
    DEFAULT_CONTEXT,
    MAX_CONTEXT,
    Hit,
    SearchQuery,
    SearchResult,
)
from devrag.sources.api import DocumentFacts

_DEFAULT_RESULTS, _DEFAULT_BUDGET = 5, 2_000
_READ_ON = (
    "Texts ending in … are truncated: read_file(source, path, start_line, end_line) "
    "returns them in full."
)
_READ_WIKI = (
    "Wiki text is not evidence: read_wiki(product, page, section) returns a section "
    "with its citations."
)
_ONLY_NEAR = (
    "No exact matches: this name or these words do not occur in the index. The "
    "results are only the closest and probably unrelated; check the spelling or use "
    "other words."
)
_NOTHING = (
    "No results. Use other words, remove filters, or browse with list_tree and "
    "list_wiki_pages."
)

Kind = Annotated[
    str,
    Field(
        description="code, doc, config; page, ticket; function, method, class; … "
        "wiki: wiki pages about the product, to find what to read, never "
        "as evidence."
    ),
]
Language = Annotated[str, Field(description="Such as python, typescript, markdown.")]
LabelName = Annotated[
    str,
    Field(
        description="Labels of files, such as auth, storage, api, ui, test, build, "
        "docs, or a topic of the product."
    ),
]
PathPrefix = Annotated[str, Field(description="Path prefix, such as src/api/.")]


Status = Annotated[
    str,
    Field(description="Ticket status: open, closed, or the name used in the source."),
]
Author = Annotated[str, Field(description="Author of pages and tickets.")]
Day = Annotated[
    str, Field(description="Last update of pages and tickets, such as 2026-01-31.")
]


class Original(TypedDict):
    """What is known of a page or ticket: where it lies, who changed it when, its url.

    is_closed: a ticket that nobody works on.
    """

    kind: str
    title: str
    place: str
    author: NotRequired[str]
    changed: NotRequired[str]
    status: NotRequired[str]
    is_closed: NotRequired[bool]
    labels: NotRequired[list[str]]
    url: NotRequired[str]
    version: NotRequired[str]


class Piece(TypedDict):
    """A piece of a file. score: 0 to 1. content: lines start_line to end_line.

    product: only of a wiki page, which has no source; read_wiki(product, path, heading)
    shows it with its evidence. chunk_key: path::chunk_n, its id in the source, also as
    path of read_file. symbol, symbol_id: the definition that it is the body of. more:
    other lines of the file that fit, best first, with the definition there:
    `303-325 Cart.add`.
    """

    source: str
    path: str
    chunk_key: NotRequired[str]
    product: NotRequired[str]
    start_line: int
    end_line: int
    score: float
    content: str
    symbol: NotRequired[str]
    symbol_id: NotRequired[str]
    heading: NotRequired[str]
    more: NotRequired[list[str]]
    why: NotRequired[list[str]]
    before: NotRequired[list[str]]
    after: NotRequired[list[str]]
    is_dirty: NotRequired[bool]
    document: NotRequired[Original]


class Pieces(TypedDict):
    """Pieces, best first. notes: what to know about them. next: what to do now."""

    results: list[Piece]
    notes: NotRequired[list[str]]
    next: NotRequired[str]


def search(
    ctx: Ctx,
    query: Query,
    top_k: Limit = _DEFAULT_RESULTS,
    collection: AnyCollection = "",
    kind: Kind = "",
    language: Language = "",
    path: PathPrefix = "",
    label: LabelName = "",
    status: Status = "",
    author: Author = "",
    after: Day = "",
    before: Day = "",
    mode: Mode = "hybrid",
    context: Annotated[
        int,
        Field(ge=0, le=MAX_CONTEXT, description="Neighbouring chunks on each side."),
    ] = DEFAULT_CONTEXT,
    depth: Annotated[
        list[int] | None, Field(description="Heading levels, such as [1, 2].")
    ] = None,
    include_generated: bool = False,
    include_clean_only: bool = False,
    budget: Tokens = _DEFAULT_BUDGET,
) -> Pieces:
    """Find code and documentation by keyword and meaning. Start here.

    Returns chunks with source, path, lines and content. Filter by collection, kind,
    language, path or label, pages and tickets by status, author and dates.
    """
    principal = caller(ctx, "read")
    scope = find_collection(principal, collection)
    notes = index_missing(principal, scope)
    asked = replace(
        _scoped(scope, principal, query, top_k),
        mode=mode,
        path_prefix=path,
        kind=kind,
        language=language,
        labels=(label,) if label else (),
        status=status,
        author=author,
        after=after,
        before=before,
        depths=tuple(depth or ()),
        context=context,
        include_generated=include_generated,
        include_clean_only=include_clean_only,
    )
    return to_pieces(answer(asked), budget, notes)


def find_related(
    ctx: Ctx,
    place: Annotated[
        str,
        Field(
            min_length=1,
            description="SOURCE:PATH:LINE, SOURCE:chunk_key, or a symbol_id.",
        ),
    ],
    top_k: Limit = _DEFAULT_RESULTS,
    collection: AnyCollection = "",
    budget: Tokens = _DEFAULT_BUDGET,
) -> Pieces:
    """Find code related to a location: callers, callees, tests, similar code.

    Use it before changing something. Each result contains the reason.
    """
    principal = caller(ctx, "read")
    scope = find_collection(principal, collection)
    asked = _scoped(scope, principal, place, top_k)
    return to_pieces(ask_related(asked), budget, (), has_reasons=True)


def _scoped(
    scope: Collection, principal: Principal, text: str, limit: int
) -> SearchQuery:
    return SearchQuery(
        text=text,
        principal=principal,
        product=scope.product,
        source=scope.source,
        limit=limit,
    )


def answer(query: SearchQuery) -> SearchResult:
    """Ask, keep what was asked, tell the timings; filters name collections, too."""
    try:
        result = trace_search(query, ask)
    except NotFound as error:
        raise UnknownCollection(error.message) from error
    log_search(result)
    return result


def result_notes(result: SearchResult) -> Sequence[str]:
    """Return what to know of the results, first whether they are what was asked for."""
    return (_ONLY_NEAR, *result.notes) if result.is_low else result.notes


def to_pieces(
    result: SearchResult,
    tokens: int,
    notes: Iterable[str],
    *,
    has_reasons: bool = False,
) -> Pieces:
    """Return hits within a budget."""
    around = sum(len(h.context_before) + len(h.context_after) for h in result.hits)
    for_context = min(LEAST * around, tokens // 4)  # results come first
    budget = Budget(tokens - for_context, len(result.hits))
    pieces: list[Piece] = []
    for hit in result.hits:
        piece = _to_piece(hit, budget)
        if has_reasons:
            piece["why"] = list(hit.why)
        pieces.append(piece)
    budget.add(for_context, around)
    for hit, piece in zip(result.hits, pieces, strict=True):
        _add_context(piece, hit, budget)
    found = Pieces(results=pieces)
    if said := [*notes, *result_notes(result)]:
        found["notes"] = said
    if not pieces:
        found["next"] = _NOTHING
    elif any(hit.is_wiki for hit in result.hits):
        found["next"] = _READ_WIKI
    elif budget.is_cut:
        found["next"] = _READ_ON
    return found


def _to_piece(hit: Hit, budget: Budget) -> Piece:
    content, _ = budget.take(_text(hit), hit.matched_terms)
    piece = Piece(
        source=hit.source_name,
        path=hit.path,
        start_line=hit.start_line,
        end_line=hit.end_line,
        score=round(hit.score, 3),
        content=content,
    )
    if hit.is_wiki:
        piece["product"] = hit.product_name
    else:
        piece["chunk_key"] = hit.chunk_key
    if hit.symbol_name:
        piece["symbol"] = hit.symbol_name
    if hit.symbol_uuid:
        piece["symbol_id"] = str(hit.symbol_uuid)
    if hit.heading and hit.heading != hit.symbol_name:
        piece["heading"] = hit.heading
    if hit.places:
        piece["more"] = [
            f"{place.start_line}-{place.end_line} {place.name}".rstrip()
            for place in hit.places
        ]
    if hit.is_dirty:
        piece["is_dirty"] = True
    if hit.document:
        piece["document"] = to_original(hit.document)
    return piece


def to_original(facts: DocumentFacts) -> Original:
    """Return what is known of a page or ticket, without what is empty."""
    found = Original(kind=facts.kind, title=facts.title, place=" > ".join(facts.place))
    if facts.author:
        found["author"] = facts.author
    if facts.changed_at:
        found["changed"] = facts.changed_at.isoformat()
    if facts.status:
        found["status"] = facts.status
    if facts.kind == "ticket":
        found["is_closed"] = facts.is_closed
    if facts.labels:
        found["labels"] = list(facts.labels)
    if facts.url:
        found["url"] = facts.url
    if facts.version:
        found["version"] = facts.version
    return found


def _add_context(piece: Piece, hit: Hit, budget: Budget) -> None:
    if hit.context_before:
        piece["before"] = [budget.take(c.text)[0] for c in hit.context_before]
    if hit.context_after:
        piece["after"] = [budget.take(c.text)[0] for c in hit.context_after]


def _text(hit: Hit) -> str:
    """Return a hit's text; of lines that were asked for these, numbered."""
    if not hit.matched_lines:
        return hit.text
    return "\n".join(f"{line.number}: {line.text}" for line in hit.matched_lines)
