"""HTTP routes that are calls with a path: Go's routers, Express and kin, Laravel."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.uses import NameUse
from devrag.parsing.facts.calls import (
    Call,
    call_node,
    read_arguments,
    read_call,
    written_name,
)
from devrag.parsing.facts.laravel import laravel_handler, laravel_prefix
from devrag.parsing.facts.routers import ROUTERS, Router
from devrag.parsing.facts.routing import join_paths, route
from devrag.parsing.facts.scopes import SCOPE_LIMIT, Scopes
from devrag.parsing.types import FactFacts

_CHAIN = {"expression_list", "await_expression", "parenthesized_expression"}
_CHAIN_LIMIT = 12


@dataclass(slots=True)
class _Prefixes:
    """The beginnings of paths: of variables, by their function, and of blocks."""

    variables: dict[tuple[int | None, str], str] = field(default_factory=dict)
    blocks: Scopes[str] = field(default_factory=Scopes)

    def join(self, use: NameUse, node: Node, path: str) -> str:
        """Return the path of a call with what its receiver begins all paths with."""
        own = self.variables.get(_place(use, use.name.rpartition(".")[0]))
        # A variable that took a group inside a block has the block's part already.
        before = [own] if own is not None else self.blocks.around(node)
        return join_paths(*before, path)


def _place(use: NameUse, name: str) -> tuple[int | None, str]:
    return (use.owner.ordinal if use.owner is not None else None, name)


def called_routes(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a route per call of a router's verb with a path and a handler."""
    router = _router_of(analysis)
    if router is None:
        return
    prefixes = _Prefixes()
    wanted = router.verbs.keys() | router.stated | router.groups
    for use in analysis.uses.uses:
        receiver, _, last = use.name.rpartition(".")
        if use.kind != "call" or last not in wanted:
            continue
        if path := _chained_path(analysis, use):
            call = read_call(analysis.source, use)
            yield from _route(router, use, call, prefixes, path)
        elif re.fullmatch(router.receiver, receiver):
            call = read_call(analysis.source, use)
            if last in router.groups:
                _open_group(analysis, router, use, call, prefixes)
            else:
                yield from _route(router, use, call, prefixes)


def _router_of(analysis: CodeAnalysis) -> Router | None:
    """Return the framework that the file shows it uses."""
    paths = [f"{item.path}." for item in analysis.uses.imports]
    for router in ROUTERS[analysis.language]:
        packages = tuple(f"{package}." for package in router.packages)
        if (
            any(path.startswith(packages) for path in paths)
            or (router.made and _is_called(analysis, router.made))
            or re.search(router.is_file, analysis.source.path)
        ):
            return router
    return None


def _is_called(analysis: CodeAnalysis, name: str) -> bool:
    found = analysis.uses.ending("call", name.rpartition(".")[2])
    return any(use.name == name for use in found)


def _open_group(
    analysis: CodeAnalysis,
    router: Router,
    use: NameUse,
    call: Call,
    prefixes: _Prefixes,
) -> None:
    path = laravel_prefix(call) if router.framework == "laravel" else call.text(0)
    variable = _assigned(analysis, call.node) if path else ""
    whole = prefixes.join(use, call.node, path or "") if variable else ""
    if variable and len(whole) < SCOPE_LIMIT:
        prefixes.variables[_place(use, variable)] = whole
    elif path and len(path) < SCOPE_LIMIT:
        prefixes.blocks.add(call.node, path)


def _assigned(analysis: CodeAnalysis, call: Node) -> str:
    """Return the variable that takes the result of a call."""
    above = call.parent
    while above is not None and above.type in _CHAIN:
        above = above.parent
    kind = above.type if above is not None else ""
    if above is None or ("declarat" not in kind and "assignment" not in kind):
        return ""
    name = above.child_by_field_name("left") or above.child_by_field_name("name")
    return written_name(analysis.source, name or above.named_children[0])


def _route(
    router: Router, use: NameUse, call: Call, prefixes: _Prefixes, chained: str = ""
) -> Iterator[FactFacts]:
    last = use.name.rpartition(".")[2]
    at = 1 if last in router.stated else 0
    method = router.verbs.get(last, "")
    path = chained or call.text(at)
    if at:
        methods = call.text(0) or call.named(0).rpartition(".")[2]
        method = methods.upper().removeprefix("METHOD")
    needed = at + 1 if chained else at + 2
    match = re.fullmatch(router.path, path) if path is not None else None
    if match is None or len(call.positional) < needed:
        return
    found = match.groupdict()
    whole = prefixes.join(use, call.node, found["path"])
    verb = found.get("method") or _gorilla_method(router, call) or method
    lines = call.start_line, call.end_line
    yield route(router.framework, verb, whole, _handler(router, call), lines)


def _handler(router: Router, call: Call) -> str:
    if router.framework == "laravel":
        return laravel_handler(call)
    return call.named(len(call.positional) - 1)


def _chained_path(analysis: CodeAnalysis, use: NameUse) -> str:
    """Return the path of `app.route("/x").get(f).post(g)` in JavaScript."""
    if ".route()" not in use.name or "script" not in analysis.language:
        return ""
    at: Node | None = use.node
    for _ in range(_CHAIN_LIMIT):
        at = at.child_by_field_name("object") if at is not None else None
        function = at.child_by_field_name("function") if at is not None else None
        if at is None or function is None:
            return ""
        name = function.child_by_field_name("property")
        if name is not None and written_name(analysis.source, name) == "route":
            return read_arguments(analysis.source, at).text(0) or ""
        at = function
    return ""


def _gorilla_method(router: Router, call: Call) -> str:
    """Return the method of `r.HandleFunc("/x", f).Methods("GET")`."""
    after = call.node.parent if router.framework == "gorilla" else None
    name = after.child_by_field_name("field") if after is not None else None
    if after is None or name is None or written_name(call.source, name) != "Methods":
        return ""
    methods = read_arguments(call.source, call_node(after))
    return methods.text(0) or methods.named(0).rpartition(".")[2][6:].upper()
