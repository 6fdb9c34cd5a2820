"""search_code: functions, methods and classes by what they do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, NotRequired
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from devrag.core.text import shorten
from devrag.mcp.arguments import CollectionName, Limit, Query, Tokens
from devrag.mcp.budget import Budget
from devrag.mcp.caller import Ctx, caller
from devrag.mcp.collections import find_collection
from devrag.mcp.indexing import index_missing
from devrag.mcp.tools.search import answer, result_notes
from devrag.navigation.symbol_search import current_symbols
from devrag.search.types import Hit, SearchQuery
from devrag.sources.models import Symbol

_DEFAULT_LIMIT, _DEFAULT_BUDGET = 10, 3_000
_DOC_CHARACTERS = 200


class Filters(BaseModel):
    """Which functions."""

    model_config = ConfigDict(extra="forbid")
    language: Annotated[str, Field(description="Such as python or go.")] = ""
    min_complexity: Annotated[int, Field(ge=0, description="Cyclomatic.")] = 0
    max_complexity: Annotated[int, Field(ge=0, description="0: no limit.")] = 0
    file_pattern: Annotated[
        str, Field(max_length=1000, description="Such as src/**/*.py or *_test.go.")
    ] = ""


class CodeResult(TypedDict):
    """A definition. function_id: for get_function_details and get_references."""

    function_name: str
    file_path: str
    start_line: int
    end_line: int
    score: float
    signature: str
    body: str
    docstring: NotRequired[str]
    language: str
    complexity: NotRequired[int]
    function_id: str


class CodeResults(TypedDict):
    """Definitions, best first."""

    results: list[CodeResult]
    notes: NotRequired[list[str]]
    next: NotRequired[str]


def search_code(
    ctx: Ctx,
    query: Query,
    collection: CollectionName,
    limit: Limit = _DEFAULT_LIMIT,
    filters: Filters | None = None,
    budget: Tokens = _DEFAULT_BUDGET,
) -> CodeResults:
    """Find functions, methods and classes by what they do.

    Returns signature, location and body within the budget, with function_id. Use
    filters; search also finds documentation and configuration.
    """
    principal = caller(ctx, "read")
    scope = find_collection(principal, collection)
    notes = index_missing(principal, scope)
    wanted = filters or Filters()
    asked = SearchQuery(
        text=query,
        principal=principal,
        product=scope.product,
        source=scope.source,
        kind="symbol",
        limit=limit,
        pattern=wanted.file_pattern,
        language=wanted.language,
        min_complexity=wanted.min_complexity,
        max_complexity=wanted.max_complexity,
    )
    result = answer(asked)
    found = CodeResults(results=_to_results(result.hits, budget))
    if said := [*notes, *result_notes(result)]:
        found["notes"] = said
    if not found["results"]:
        found["next"] = (
            "No results. Remove filters, or use search, which covers all text."
        )
    return found


def _to_results(hits: Sequence[Hit], tokens: int) -> list[CodeResult]:
    rows = current_symbols().filter(
        uuid__in=[hit.symbol_uuid for hit in hits if hit.symbol_uuid]
    )
    symbols = {row.uuid: row for row in rows}
    budget = Budget(tokens, len(hits))
    return [_to_result(hit, symbols, budget) for hit in hits]


def _to_result(hit: Hit, symbols: Mapping[UUID, Symbol], budget: Budget) -> CodeResult:
    symbol = symbols.get(hit.symbol_uuid) if hit.symbol_uuid else None
    body, _ = budget.take(hit.text, hit.matched_terms)
    found = CodeResult(
        function_name=hit.symbol_name,
        file_path=hit.path,
        start_line=hit.start_line,
        end_line=hit.end_line,
        score=round(hit.score, 3),
        signature=symbol.signature if symbol else "",
        body=body,
        language=hit.language,
        function_id=str(hit.symbol_uuid or ""),
    )
    if symbol and symbol.docstring:
        found["docstring"] = shorten(symbol.docstring, _DOC_CHARACTERS)
    if hit.complexity is not None:
        found["complexity"] = hit.complexity
    return found
