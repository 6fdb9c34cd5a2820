"""HTTP routes of Phoenix: a module that uses the router, with its scopes."""

from __future__ import annotations

from collections.abc import Iterator

from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.facts.calls import Call, read_call, symbol_text
from devrag.parsing.facts.routing import join_paths, route
from devrag.parsing.facts.scopes import SCOPE_LIMIT, Scopes
from devrag.parsing.types import FactFacts

_WORDS = ("get", "post", "put", "patch", "delete", "head", "options")
_VERBS = {word: word.upper() for word in _WORDS} | {"live": "GET"}
_GROUPS = frozenset({"scope", "resources"})
_QUERY = """
((call target: (identifier) @_use (arguments . (alias) (atom) @kind)) @use
  (#eq? @_use "use") (#eq? @kind ":router"))
"""


def phoenix_routes(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a route per verb; `resources` is one."""
    if not _is_router(analysis):
        return
    scopes: Scopes[tuple[str, str]] = Scopes()
    for use in analysis.uses.uses:
        if use.kind != "call" or use.name not in _VERBS.keys() | _GROUPS:
            continue
        call = read_call(analysis.source, use)
        path = call.text(0) or symbol_text(call.source, call.keywords.get("path"))
        around = scopes.around(call.node)
        lines = call.start_line, call.end_line
        if use.name == "scope":
            alias = call.named(1) or call.named(99, "alias")
            scopes.add(call.node, ((path or "")[:SCOPE_LIMIT], alias))
        elif path is not None:
            whole = join_paths(*(part for part, _ in around if part), path)
            handler = _handler(call, [alias for _, alias in around], use.name)
            method = _VERBS.get(use.name, "")
            yield route("phoenix", method, whole, handler, lines)
            if use.name == "resources":
                thing = path.strip("/").rpartition("/")[2].removesuffix("s")
                scopes.add(call.node, (f"{path}/:{thing}_id"[:SCOPE_LIMIT], ""))


def _is_router(analysis: CodeAnalysis) -> bool:
    uses_it = any(i.path == "Phoenix.Router" for i in analysis.uses.imports)
    is_marked = ":router" in analysis.source.text
    return uses_it or (is_marked and bool(analysis.find(_QUERY).get("use")))


def _handler(call: Call, aliases: list[str], word: str) -> str:
    """Return `Web.PageController.index`, with the aliases of the scopes around."""
    name = call.named(1)
    if not name:
        return ""
    whole = ".".join([*(alias for alias in aliases if alias), name])
    action = symbol_text(call.source, call.argument(2))
    return (
        f"{whole}.{action}" if action and word not in {"live", "resources"} else whole
    )
