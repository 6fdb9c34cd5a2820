"""get_function_details, find_symbol, get_references: one definition and its uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, NotRequired, cast
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from devrag.core.errors import InvalidInput
from devrag.core.text import shorten
from devrag.mcp.arguments import AnyCollection, CollectionName, Limit, Tokens
from devrag.mcp.budget import fit_text
from devrag.mcp.caller import Ctx, caller
from devrag.mcp.collections import find_collection
from devrag.navigation.symbol_search import (
    FoundSymbol,
    current_symbols,
    find_symbols,
    get_current_symbol,
)
from devrag.navigation.usages import ListedUse, caller_names, list_uses
from devrag.search.types import SYMBOL_KINDS
from devrag.sources.models import GitRef, Symbol

_DOC_CHARACTERS, _MOST_NAMED = 160, 6
_DEFAULT_BUDGET = 8_000
_OPTIONAL = (  # absent when empty
    *("class_name", "class_hierarchy", "called_by", "docstring", "comments"),
    *("complexity", "decorators", "annotations", "attributes"),
)


class Parameter(TypedDict):
    name: str
    type: NotRequired[str]


class FunctionInfo(TypedDict):
    """All that is known of a definition. Keys without a value are absent."""

    name: str
    signature: str
    parameters: list[Parameter]
    return_type: str
    language: str
    docstring: NotRequired[str]
    comments: NotRequired[list[str]]
    file_path: str
    start_line: int
    end_line: int
    start_column: int
    end_column: int
    class_name: NotRequired[str]
    class_hierarchy: NotRequired[list[str]]
    imports: list[str]
    called_functions: list[str]
    called_by: NotRequired[list[str]]
    scope: str
    modifiers: list[str]
    used_types: list[str]
    complexity: NotRequired[int]
    loc: int
    comment_lines: int
    decorators: NotRequired[list[str]]
    annotations: NotRequired[list[str]]
    attributes: NotRequired[list[str]]
    body: str


class SymbolOut(TypedDict):
    """A definition and where it stands."""

    symbol_id: str
    name: str
    kind: str
    source: str
    path: str
    start_line: int
    end_line: int
    signature: NotRequired[str]
    doc: NotRequired[str]
    definitions: NotRequired[int]


class Symbols(TypedDict):
    """Definitions, the best match first. definitions: so many of one name in one file,
    of which this is the first."""

    symbols: list[SymbolOut]
    next: NotRequired[str]


class UseOut(TypedDict):
    """A use. inside: the definition around it. text: the line.

    possible: it may mean it, through an interface or a table or by its name alone.
    """

    path: str
    line: int
    kind: str
    inside: NotRequired[str]
    text: str
    possible: NotRequired[bool]


class References(TypedDict):
    """Uses of a definition, sure ones first. total: how many there are."""

    symbol: SymbolOut
    uses: list[UseOut]
    total: int
    notes: NotRequired[list[str]]


FunctionId = Annotated[UUID, Field(description="As returned by search_code.")]


def get_function_details(
    ctx: Ctx,
    function_id: FunctionId,
    collection: CollectionName,
    budget: Tokens = _DEFAULT_BUDGET,
) -> FunctionInfo:
    """Return all metadata of a function, method or class with its body.

    Includes parameters, types, docstring, complexity, callers and callees.
    """
    scope = find_collection(caller(ctx, "read"), collection)
    ref, symbol = get_current_symbol(scope.source_ids, function_id)
    return function_info(symbol, caller_names(ref, symbol), budget)


def function_info(
    symbol: Symbol, called_by: list[str], budget: int = _DEFAULT_BUDGET
) -> FunctionInfo:
    """Return the fields of a definition; optional ones only with a value."""
    fields: dict[str, Any] = {
        **_columns(symbol),
        "parameters": list(map(_parameter, symbol.parameters)),
        "language": symbol.file.language,
        "file_path": symbol.file.path,
        "called_by": called_by,
        "body": fit_text(_body(symbol), budget),
    }
    kept = {
        key: fields[key]
        for key in FunctionInfo.__annotations__
        if fields[key] not in ("", [], None) or key not in _OPTIONAL
    }
    return cast("FunctionInfo", kept)


def _columns(symbol: Symbol) -> dict[str, Any]:
    names = {field.attname for field in Symbol._meta.concrete_fields}
    return {
        key: getattr(symbol, key)
        for key in FunctionInfo.__annotations__
        if key in names
    }


def _parameter(each: Mapping[str, Any]) -> Parameter:
    found = Parameter(name=each["name"])
    if each.get("type"):
        found["type"] = each["type"]
    return found


def _body(symbol: Symbol) -> str:
    lines = symbol.file.text.split("\n")
    return "\n".join(lines[symbol.start_line - 1 : symbol.end_line])


def find_symbol(
    ctx: Ctx,
    name: Annotated[
        str, Field(min_length=1, max_length=500, description="Such as add or Cart.add.")
    ],
    collection: AnyCollection = "",
    kind: Annotated[
        str, Field(description="function, method, class, interface, constant, …")
    ] = "",
    limit: Limit = 10,
) -> Symbols:
    """Find definitions by name: exact matches, else names that begin with it, match
    its initials (HS, htSe: HttpServer), contain it or are similar; public first.

    Faster and more precise than search if the name is known. Use symbol_id with
    get_references, get_function_details and find_related.
    """
    if kind and kind not in SYMBOL_KINDS:
        raise InvalidInput(
            f"Unknown kind '{kind}'. Use one of: {', '.join(SYMBOL_KINDS)}."
        )
    scope = find_collection(caller(ctx, "read"), collection)
    rows = find_symbols(scope.source_ids, name, kind=kind, limit=limit)
    found = Symbols(symbols=[_to_found(row) for row in rows])
    if not rows:
        found["next"] = (
            f"No name resembles '{shorten(name, 80)}'. Use search to search by meaning."
        )
    return found


def _to_found(row: FoundSymbol) -> SymbolOut:
    found = _to_symbol(row.symbol)
    if row.definitions > 1:
        found["definitions"] = row.definitions
    return found


def _to_symbol(symbol: Symbol) -> SymbolOut:
    found = SymbolOut(
        symbol_id=str(symbol.uuid),
        name=symbol.qualified_name,
        kind=symbol.kind,
        source=symbol.file.source.name,
        path=symbol.file.path,
        start_line=symbol.start_line,
        end_line=symbol.end_line,
    )
    if symbol.signature:
        found["signature"] = symbol.signature
    if symbol.docstring:
        found["doc"] = shorten(symbol.docstring, _DOC_CHARACTERS)
    return found


def get_references(
    ctx: Ctx,
    symbol: Annotated[
        str, Field(min_length=1, description="A symbol_id, or a name such as Cart.add.")
    ],
    collection: AnyCollection = "",
    limit: Limit = 20,
) -> References:
    """Find the uses of a definition with their lines: calls, imports, subclasses.

    Certain uses come before those marked possible; notes contain the number of
    unresolved ones.
    """
    scope = find_collection(caller(ctx, "read"), collection)
    ref, meant = _meant(scope.source_ids, symbol)
    uses, total, notes = list_uses(ref, meant, limit)
    found = References(
        symbol=_to_symbol(meant),
        uses=[_to_use(use) for use in uses],
        total=total,
    )
    if notes:
        found["notes"] = notes
    return found


def _to_use(use: ListedUse) -> UseOut:
    found = UseOut(path=use.path, line=use.line, kind=use.kind, text=use.text)
    if use.inside:
        found["inside"] = use.inside
    if use.is_possible:
        found["possible"] = True
    return found


def _meant(source_ids: Iterable[int], symbol: str) -> tuple[GitRef, Symbol]:
    """Return the definition of an id or of a name; a name must mean only one."""
    ids = tuple(source_ids)
    uuid = _as_uuid(symbol)
    if uuid is None:
        rows = find_symbols(ids, symbol, limit=_MOST_NAMED)
        exact = [row for row in rows if row.symbol.qualified_name == symbol]
        meant = exact if len(exact) == 1 else rows
        if len(meant) != 1 or meant[0].definitions > 1 or meant[0].is_similar:
            raise InvalidInput(_ambiguous(symbol, rows))
        uuid = meant[0].symbol.uuid
    return get_current_symbol(ids, uuid)


def _as_uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _ambiguous(name: str, found: list[FoundSymbol]) -> str:
    shown = shorten(name, 80)
    if not found:
        return f"There is no definition '{shown}'. Use search to search by meaning."
    rows = [symbol for each in found for symbol in _all_of(each)][:_MOST_NAMED]
    places = "; ".join(
        f"{row.qualified_name} {row.file.path}:{row.start_line} {row.uuid}"
        for row in rows
    )
    return f"'{shown}' is ambiguous; use the ID of one definition: {places}."


def _all_of(found: FoundSymbol) -> Iterable[Symbol]:
    """Return the definitions of a qualified name in its file."""
    if found.definitions == 1:
        return [found.symbol]
    named = {"file": found.symbol.file, "name": found.symbol.name}
    rows = current_symbols().filter(**named).order_by("start_line")
    return rows.filter(qualified_name=found.symbol.qualified_name)
