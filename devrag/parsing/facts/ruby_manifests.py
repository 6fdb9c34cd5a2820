"""Manifests of Ruby: Gemfile and gemspec, read as code that nobody runs."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from devrag.parsing.code.text import node_text
from devrag.parsing.code.tree import innermost, parse_tree, run_query
from devrag.parsing.facts.manifests import (
    declared_licence,
    dependency,
    installed_command,
)
from devrag.parsing.source import SourceText
from devrag.parsing.types import FactFacts

_CALLS = {
    "gem": "",
    "add_dependency": "",
    "add_runtime_dependency": "",
    "add_development_dependency": "dev",
}
_QUERY = """
(call method: (identifier) @method arguments: (argument_list)
  (#any-of? @method "gem" "add_dependency" "add_runtime_dependency"
    "add_development_dependency")) @call
(call method: (identifier) @method arguments: (argument_list) block: (_)
  (#eq? @method "group")) @group
(assignment left: (call method: (identifier) @left
  (#any-of? @left "license" "licenses" "executables"))) @set
"""


def ruby_manifest(source: SourceText) -> Iterator[FactFacts]:
    """Yield gems with their group, executables and licences."""
    captures = run_query(source, parse_tree(source, "ruby"), "ruby", _QUERY)
    for call, group in innermost(captures.get("call", []), captures.get("group", [])):
        yield from _gem(source, call, group)
    for node in captures.get("set", ()):
        yield from _assigned(source, node)


def _gem(source: SourceText, call: Node, around: Node | None) -> Iterator[FactFacts]:
    arguments = _arguments(call)
    texts = [_literal(source, node) for node in arguments if node.type == "string"]
    if not texts or not texts[0] or arguments[0].type != "string":
        return
    group = _CALLS[_method(source, call)] or _option(source, arguments)
    if around is not None:
        group = _symbols(source, _arguments(around))
    line = call.start_point.row + 1
    yield dependency(texts[0], line, "bundler", ", ".join(texts[1:]), group)


def _method(source: SourceText, call: Node) -> str:
    name = call.child_by_field_name("method")
    return node_text(source, name) if name is not None else ""


def _arguments(call: Node) -> list[Node]:
    holder = call.child_by_field_name("arguments")
    return holder.named_children if holder is not None else []


def _option(source: SourceText, arguments: list[Node]) -> str:
    """Return the groups of `group: :test` and `:groups => [:a, :b]`."""
    for pair in arguments:
        key = pair.child_by_field_name("key") if pair.type == "pair" else None
        value = pair.child_by_field_name("value") if key is not None else None
        if key is None or value is None:
            continue
        if node_text(source, key).strip(":") in {"group", "groups"}:
            return _symbols(source, [value, *value.named_children])
    return ""


def _symbols(source: SourceText, nodes: list[Node]) -> str:
    names = [node_text(source, n)[1:] for n in nodes if n.type == "simple_symbol"]
    return ", ".join("dev" if name == "development" else name for name in names)


def _assigned(source: SourceText, node: Node) -> Iterator[FactFacts]:
    left = node.child_by_field_name("left")
    right = node.child_by_field_name("right")
    if left is None or right is None:
        return
    items = [right] if right.type == "string" else right.named_children
    for item in items if right.type in {"string", "array", "string_array"} else ():
        text, line = _literal(source, item), item.start_point.row + 1
        if text and _method(source, left) == "executables":
            yield installed_command(text, line, "")
        elif text:
            yield from declared_licence(text, line)


def _literal(source: SourceText, node: Node) -> str:
    """Return a plain string's text, '' for one with something to work out."""
    parts = node.named_children
    if len(parts) != 1 or parts[0].type != "string_content":
        return ""
    return node_text(source, parts[0])
