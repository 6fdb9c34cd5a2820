"""Facts of schemas: a type is a data model, an operation is a route."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from devrag.parsing.types import FactFacts, SymbolFacts

Maker = Callable[[SymbolFacts], FactFacts]


def model(framework: str, fields: list[dict[str, str]]) -> Maker:
    """Return what makes the model of a type from its symbol."""

    def make(symbol: SymbolFacts) -> FactFacts:
        data = {"framework": framework, "fields": fields}
        return _fact("model", symbol.qualified_name, symbol, data)

    return make


def enumeration(framework: str, values: list[str]) -> Maker:
    """Return what makes the model of an enumeration from its symbol."""

    def make(symbol: SymbolFacts) -> FactFacts:
        data = {"framework": framework, "type": "enum", "values": values}
        return _fact("model", symbol.qualified_name, symbol, data)

    return make


def remote_call(symbol: SymbolFacts) -> FactFacts:
    """Return the route of a gRPC call, by the path that it has on the wire."""
    service, _, method = symbol.qualified_name.rpartition(".")
    path = f"/{service}/{method}"
    asked = symbol.parameters[0].type if symbol.parameters else ""
    types = {"request": asked, "response": symbol.return_type}
    data = {"path": path, "framework": "grpc", "handler": symbol.qualified_name}
    return _fact("route", path, symbol, {**data, **types})


def root_field(symbol: SymbolFacts) -> FactFacts:
    """Return the route of a field of GraphQL's Query, Mutation or Subscription."""
    name = symbol.qualified_name
    data = {"path": name, "framework": "graphql", "handler": name}
    data["method"] = symbol.class_name.lower()
    return _fact("route", name, symbol, data)


def _fact(
    kind: str, name: str, symbol: SymbolFacts, data: Mapping[str, object]
) -> FactFacts:
    return FactFacts(kind, name, symbol.start_line, symbol.end_line, data)
