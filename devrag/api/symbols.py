"""Definitions by name and id: details, what they use, what uses them."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar
from uuid import UUID

from django.http import HttpRequest
from ninja import Field, Query, Router

from devrag.api.errors import describe_errors
from devrag.api.json_schema import JsonSchema
from devrag.api.operations import NO_NUL, ProductName, SourceName, caller
from devrag.api.sample_values import COMMIT, LINES, PLACE, SYMBOL_ID
from devrag.core.errors import InvalidInput
from devrag.core.json_names import json_name
from devrag.core.principal import Principal
from devrag.navigation.stored_references import WrittenUse
from devrag.navigation.symbol_search import find_symbols, get_current_symbol
from devrag.navigation.symbols import (
    called_by,
    callees,
    meant_by,
    members_of,
    symbols_around,
    symbols_by_key,
)
from devrag.navigation.usages import caller_names, list_uses
from devrag.products.services import get_visible_product
from devrag.search.types import SYMBOL_KINDS
from devrag.sources.models import GitRef, Source, Symbol
from devrag.sources.selectors import get_visible_source

router = Router(tags=["symbols"], by_alias=True)
_MOST = 500


class SymbolOut(JsonSchema):
    """A definition and its location."""

    symbol_id: UUID
    name: str
    qualified_name: str
    kind: str
    language: str
    source_name: str
    path: str
    start_line: int
    end_line: int
    signature: str

    EXAMPLE: ClassVar = {
        "symbolID": SYMBOL_ID,
        "name": "checkout",
        "qualifiedName": "Cart.checkout",
        "kind": "method",
        "language": "python",
        **PLACE,
        **LINES,
        "signature": "def checkout(self) -> int",
    }


class FoundSymbol(SymbolOut):
    """A definition with a matching name.

    definitionCount: number of definitions with its qualified name in the file.
    """

    definition_count: int

    EXAMPLE: ClassVar = {**SymbolOut.EXAMPLE, "definitionCount": 1}


class ParameterOut(JsonSchema):
    name: str
    type: str


class SymbolDetails(SymbolOut):
    """A definition with all details. text: its lines."""

    version: str
    start_column: int
    end_column: int
    parameters: list[ParameterOut]
    return_type: str
    docstring: str
    comments: list[str]
    class_name: str
    class_hierarchy: list[str]
    imports: list[str]
    called_functions: list[str]
    called_by: list[str]
    scope: str
    modifiers: list[str]
    used_types: list[str]
    complexity: int | None
    loc: int
    comment_lines: int
    decorators: list[str]
    annotations: list[str]
    attributes: list[str]
    members: list[SymbolOut]
    text: str

    EXAMPLE: ClassVar = {
        **SymbolOut.EXAMPLE,
        "version": COMMIT,
        "startColumn": 4,
        "endColumn": 60,
        "parameters": [{"name": "self", "type": ""}],
        "returnType": "int",
        "docstring": "Charge the customer for everything.",
        "comments": [],
        "className": "Cart",
        "classHierarchy": [],
        "imports": ["shop.till.charge"],
        "calledFunctions": ["charge", "sum"],
        "calledBy": ["main"],
        "scope": "class",
        "modifiers": [],
        "usedTypes": ["int"],
        "complexity": 1,
        "loc": 8,
        "commentLines": 0,
        "decorators": [],
        "annotations": [],
        "attributes": [],
        "members": [],
        "text": "    def checkout(self) -> int:\n        …",
    }


class ReferenceOut(JsonSchema):
    """A use. inside: the definition around it, '' outside of any. text: the line.

    isPossible: it may mean the definition: the call goes through an interface or a
    table, or only the name fits.
    """

    path: str
    line: int
    kind: str
    inside: str
    text: str
    is_possible: bool


class References(JsonSchema):
    """Uses of the definition, certain ones first. notes: why others are missing."""

    total: int
    references: list[ReferenceOut]
    notes: list[str]

    EXAMPLE: ClassVar = {
        "total": 1,
        "references": [
            {
                "path": "shop/__main__.py",
                "line": 6,
                "kind": "call",
                "inside": "main",
                "text": "Cart().checkout()",
                "isPossible": False,
            }
        ],
        "notes": [],
    }


class Caller(JsonSchema):
    """A definition that calls, and the first line where it does.

    isPossible: as in references.
    """

    symbol: SymbolOut
    line: int
    is_possible: bool

    EXAMPLE: ClassVar = {"symbol": SymbolOut.EXAMPLE, "line": 6, "isPossible": False}


class Callee(JsonSchema):
    """A definition that is used. line: of the first use; kinds: call, import, …

    isPossible: it may run there: an implementation of the method that is called, or the
    only one of that name.
    """

    symbol: SymbolOut
    line: int
    kinds: list[str]
    is_possible: bool


class Callees(JsonSchema):
    """openNames: used names that surely mean no definition of this source."""

    callees: list[Callee]
    open_names: list[str]

    EXAMPLE: ClassVar = {
        "callees": [
            {
                "symbol": SymbolOut.EXAMPLE,
                "line": 14,
                "kinds": ["call"],
                "isPossible": False,
            }
        ],
        "openNames": ["sum"],
    }


class Named(JsonSchema):
    """A name such as `add` or `Cart.add`, and where to look."""

    name: str = Field(min_length=1, max_length=500, pattern=NO_NUL)
    kind: str = Field("", max_length=20, pattern=NO_NUL)
    product_name: ProductName = ""
    source_name: SourceName = ""
    limit: int = Field(20, ge=1, le=_MOST)


Limit = Annotated[int, Query(ge=1, le=_MOST)]


@router.get("", response={200: list[FoundSymbol], **describe_errors(404)})
def list_symbols(
    request: HttpRequest, named: Annotated[Named, Query(...)]
) -> list[dict[str, Any]]:
    """Find definitions by name: exact matches, otherwise partial ones, best first.

    Partial matches are beginnings of the name or its words (`htSe` or `HS` for
    HttpServer), parts of it, and similar names. Public definitions come before private
    ones and tests.
    """
    if named.kind and named.kind not in SYMBOL_KINDS:
        raise InvalidInput(
            f"Unknown kind '{named.kind}'. Use one of: {', '.join(SYMBOL_KINDS)}."
        )
    ids = _source_ids(caller(request), named.product_name, named.source_name)
    rows = find_symbols(ids, named.name, kind=named.kind, limit=named.limit)
    return [
        {**_describe(row.symbol), "definitionCount": row.definitions} for row in rows
    ]


@router.get("/{uuid:symbolID}", response={200: SymbolDetails, **describe_errors(404)})
def get_symbol(request: HttpRequest, symbolID: UUID) -> dict[str, Any]:
    """Return a definition with all details and its lines."""
    ref, symbol = _find(request, symbolID)
    members = members_of(symbol).select_related("file__source").defer("file__text")
    lines = symbol.file.text.split("\n")[symbol.start_line - 1 : symbol.end_line]
    return {
        **{json_name(column): getattr(symbol, column) for column in _COLUMNS},
        **_describe(symbol),
        "version": ref.snapshot.version_identifier if ref.snapshot else "",
        "parameters": [
            {"name": each["name"], "type": each.get("type") or ""}
            for each in symbol.parameters
        ],
        "calledBy": caller_names(ref, symbol),
        "members": list(map(_describe, members)),
        "text": "\n".join(lines),
    }


_COLUMNS = {field.attname for field in Symbol._meta.concrete_fields} & (
    set(SymbolDetails.model_fields)
    - {"version", "parameters", "called_by", "members", "text"}
)


@router.get(
    "/{uuid:symbolID}/references", response={200: References, **describe_errors(404)}
)
def list_references(
    request: HttpRequest, symbolID: UUID, limit: Limit = 100
) -> dict[str, Any]:
    """List the uses of a definition with their lines: calls, imports, subclasses."""
    ref, symbol = _find(request, symbolID)
    uses, total, notes = list_uses(ref, symbol, limit)
    found = [
        {
            "path": use.path,
            "line": use.line,
            "kind": use.kind,
            "inside": use.inside,
            "text": use.text,
            "isPossible": use.is_possible,
        }
        for use in uses
    ]
    return {"total": total, "references": found, "notes": notes}


@router.get(
    "/{uuid:symbolID}/callers", response={200: list[Caller], **describe_errors(404)}
)
def list_callers(
    request: HttpRequest, symbolID: UUID, limit: Limit = 100
) -> list[dict[str, Any]]:
    """List the callers of a definition, by path and line."""
    ref, symbol = _find(request, symbolID)
    callers = called_by(ref, symbol)
    calls = [use for use in callers.all if use.kind == "call"]
    around = symbols_around(calls)
    first: dict[int, WrittenUse] = {}
    for call in calls:
        if call.place in around:
            first.setdefault(around[call.place].pk, call)
    shown = list(first)[:limit]
    symbols = symbols_by_key(shown)
    possible = set(callers.possible)
    return [
        {
            "symbol": _describe(symbols[key]),
            "line": first[key].line,
            "isPossible": first[key] in possible,
        }
        for key in shown
        if key in symbols
    ]


@router.get("/{uuid:symbolID}/callees", response={200: Callees, **describe_errors(404)})
def list_callees(
    request: HttpRequest, symbolID: UUID, limit: Limit = 100
) -> dict[str, Any]:
    """List the definitions used by a definition, by line."""
    ref, symbol = _find(request, symbolID)
    uses = callees(ref, symbol)
    meant = meant_by(uses)
    shown = list(meant)[:limit]
    symbols = symbols_by_key(shown)
    found = [
        {
            "symbol": _describe(symbols[key]),
            "line": meant[key].uses[0].line,
            "kinds": list(dict.fromkeys(use.kind for use in meant[key].uses)),
            "isPossible": meant[key].is_possible,
        }
        for key in shown
        if key in symbols
    ]
    names = (use.use.usage.name for use in uses if use.is_open)
    return {"callees": found, "openNames": list(dict.fromkeys(names))[:limit]}


def _source_ids(principal: Principal, product: str, source: str) -> list[int]:
    """Return the sources that are meant and that the caller may see."""
    rows = Source.objects.visible_to(principal)
    if product:
        rows = rows.filter(product=get_visible_product(product, principal))
    if source:
        rows = rows.filter(pk=get_visible_source(principal, name=source).pk)
    return list(rows.values_list("pk", flat=True))


def _find(request: HttpRequest, uuid: UUID) -> tuple[GitRef, Symbol]:
    return get_current_symbol(_source_ids(caller(request), "", ""), uuid)


def _describe(symbol: Symbol) -> dict[str, Any]:
    return {
        "symbolID": symbol.uuid,
        "name": symbol.name,
        "qualifiedName": symbol.qualified_name,
        "kind": symbol.kind,
        "language": symbol.file.language,
        "sourceName": symbol.file.source.name,
        "path": symbol.file.path,
        "startLine": symbol.start_line,
        "endLine": symbol.end_line,
        "signature": symbol.signature,
    }
