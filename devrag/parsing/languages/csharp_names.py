"""Names in C#: calls, usings, namespaces."""

from __future__ import annotations

from tree_sitter import Node

from devrag.parsing.code.spec import Import
from devrag.parsing.code.text import first_named, node_text
from devrag.parsing.code.tree import Captures
from devrag.parsing.languages.class_family import (
    Link,
    dotted,
    head_name,
    plain_name,
)
from devrag.parsing.source import SourceText

# Node type: field of what stands before, field of the last name, mark.
_LINKS = {
    "member_access_expression": ("expression", "name", ""),
    "element_access_expression": ("expression", "", "[]"),
    "invocation_expression": ("function", "", "()"),
}
_ENDS = frozenset({"identifier", "this", "base", "predefined_type"})


def name_of(source: SourceText, node: Node) -> str:
    """Return the name of a call, a `new` or an attribute."""
    kind = node.type
    if kind == "object_creation_expression":
        made = node.child_by_field_name("type")
        return head_name(node_text(source, made)) if made is not None else ""
    if kind != "invocation_expression":
        return head_name(node_text(source, node))
    called = node.child_by_field_name("function")
    if called is None:
        return ""
    name = plain_name(source, called.start_byte, called.end_byte)
    # nameof() looks like a call and is none.
    return "" if name == "nameof" else name or dotted(source, called, _link)


def _link(source: SourceText, node: Node) -> Link | None:
    kind = node.type
    if kind in _ENDS:
        return node_text(source, node), None
    if kind == "string_literal":
        return "string", None
    if kind in {"generic_name", "alias_qualified_name"}:
        return _simple_name(source, node), None
    if kind == "object_creation_expression":
        name = name_of(source, node)
        return (f"{name}()", None) if name else None
    if kind in {"conditional_access_expression", "postfix_unary_expression"}:
        return _after_mark(source, node)
    if kind not in _LINKS:
        return None
    inner_field, name_field, mark = _LINKS[kind]
    inner = node.child_by_field_name(inner_field)
    if inner is None:
        return None
    named = node.child_by_field_name(name_field) if name_field else None
    return (f".{_simple_name(source, named)}" if named else "") + mark, inner


def _after_mark(source: SourceText, node: Node) -> Link | None:
    """Read `a?.b` like `a.b`, and `a!` like `a`."""
    if node.type == "postfix_unary_expression":
        return "", first_named(node)
    bindings = [c for c in node.children if c.type == "member_binding_expression"]
    name = bindings[-1].child_by_field_name("name") if bindings else None
    if name is None:
        return None
    return f".{_simple_name(source, name)}", node.child_by_field_name("condition")


def _simple_name(source: SourceText, node: Node) -> str:
    """Return a name without type arguments and without `global::`."""
    if node.type == "generic_name":
        return node_text(source, node).partition("<")[0].strip()
    return node_text(source, node).rpartition("::")[2]


def import_items(source: SourceText, node: Node) -> list[Import]:
    """Return what a using directive opens, or the alias that it binds."""
    line, start = node.start_point.row + 1, node.start_byte
    alias = node.child_by_field_name("name")
    named = [child for child in node.named_children if child != alias]
    path = head_name(node_text(source, named[-1])) if named else ""
    if not path:
        return []
    if alias is not None:
        return [Import(path, node_text(source, alias), path, line, start)]
    return [Import(f"{path}.*", "", "", line, start)]


def namespace(source: SourceText, captures: Captures) -> str:
    """Return the namespace of a file that has one; several blocks are symbols."""
    for node in captures.get("package", ()):
        return node_text(source, node)
    blocks = captures.get("definition.namespace", [])
    if len(blocks) != 1:
        return ""
    name = blocks[0].child_by_field_name("name")
    del captures["definition.namespace"]
    return node_text(source, name) if name is not None else ""
