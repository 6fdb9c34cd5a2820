"""HTTP routes of axum: `.route("/x", get(f).post(g))`, inside `nest("/api", …)`."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.facts.calls import read_arguments, written_name
from devrag.parsing.facts.routing import join_paths, route
from devrag.parsing.facts.scopes import SCOPE_LIMIT, Scopes
from devrag.parsing.types import FactFacts

# Long chains of calls have no name in the uses.
_QUERY = '((field_identifier) @called (#any-of? @called "route" "nest"))'
_WORDS = ("get", "post", "put", "patch", "delete", "head", "options", "trace")
_METHODS = {word: word.upper() for word in _WORDS} | {"any": ""}
_CHAIN_LIMIT = 12


def axum_routes(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a route per method of a path."""
    if not analysis.uses.imports_from("axum"):
        return
    nests: Scopes[str] = Scopes()
    for name, target, path in sorted(_calls(analysis), key=lambda c: c[1].start_byte):
        if name == "nest":
            nests.add(target, path[:SCOPE_LIMIT])
        else:
            whole = join_paths(*nests.around(target), path)
            yield from _methods(analysis, target, whole)


def _calls(analysis: CodeAnalysis) -> Iterator[tuple[str, Node, str]]:
    """Yield (route or nest, what it is given, path)."""
    for node in analysis.find(_QUERY).get("called", ()):
        call = node.parent.parent if node.parent is not None else None
        if call is None or call.type != "call_expression":
            continue
        given = read_arguments(analysis.source, call)
        path, target = given.text(0), given.argument(1)
        if path is not None and path.startswith("/") and target is not None:
            yield written_name(analysis.source, node), target, path


def _methods(analysis: CodeAnalysis, target: Node, path: str) -> Iterator[FactFacts]:
    """Yield the methods of `get(f).post(g)`, the last one first."""
    at: Node | None = target
    lines = target.start_point.row + 1, target.end_point.row + 1
    for _ in range(_CHAIN_LIMIT):
        function = at.child_by_field_name("function") if at is not None else None
        if at is None or function is None:
            return
        call = read_arguments(analysis.source, at)
        at = function.child_by_field_name("value")
        name = function.child_by_field_name("field") or function
        word = written_name(analysis.source, name).rpartition(".")[2]
        if word in _METHODS:
            yield route("axum", _METHODS[word], path, call.named(0), lines)
