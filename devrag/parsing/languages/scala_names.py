"""Names in Scala: calls, types, imports, packages."""

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

_TYPES = frozenset({"type_identifier", "stable_type_identifier", "generic_type"})
_RENAMED = frozenset({"arrow_renamed_identifier", "as_renamed_identifier"})
_MARKS = {"call_expression": "()", "generic_function": ""}


def name_of(source: SourceText, node: Node) -> str:
    """Return the name of a call, a `new` or an annotation."""
    if node.type in _TYPES:
        return head_name(node_text(source, node))
    plain = plain_name(source, node.start_byte, node.end_byte)
    # this(...) is one constructor going on to another.
    return "" if plain == "this" else plain or dotted(source, node, _link)


def _link(source: SourceText, node: Node) -> Link | None:
    kind = node.type
    if kind == "identifier":
        return node_text(source, node), None
    if kind == "string":
        return "String", None
    if kind == "instance_expression":
        made = first_named(node)
        name = name_of(source, made) if made is not None and made.type in _TYPES else ""
        return (f"{name}()", None) if name else None
    if kind in _MARKS:
        inner = node.child_by_field_name("function")
        return (_MARKS[kind], inner) if inner is not None else None
    inner = node.child_by_field_name("value")
    named = node.child_by_field_name("field")
    if kind != "field_expression" or inner is None or named is None:
        return None
    return f".{node_text(source, named)}", inner


def type_names(text: str) -> tuple[str, ...]:
    """Return the outer type's name; those of its arguments are captured apart."""
    name = "" if "=>" in text else head_name(text)
    return (name,) if name else ()


def import_items(source: SourceText, node: Node) -> list[Import]:
    """Return what an import binds: `a.b`, `a.{b, c => d}`, `a._`."""
    found: list[Import] = []
    parts: list[str] = []
    for child in [*node.children, None]:
        if child is None or child.type == ",":
            if parts:
                found.append(_import(node, parts, parts[-1]))
            parts = []
        elif child.type == "identifier":
            parts.append(node_text(source, child))
        elif child.type == "stable_identifier":
            parts.extend("".join(node_text(source, child).split()).split("."))
        elif child.is_named:
            selected = (
                child.named_children if child.type == "namespace_selectors" else [child]
            )
            for one in selected:
                found.extend(_selected(source, node, parts, one))
            parts = []
    return found


def _selected(
    source: SourceText, node: Node, parts: list[str], selected: Node
) -> list[Import]:
    if selected.type == "namespace_wildcard":
        return [_import(node, [*parts, "*"], "")]
    if selected.type in _RENAMED:
        name = selected.child_by_field_name("name")
        alias = selected.child_by_field_name("alias")
        if name is None or alias is None or alias.type == "wildcard":
            return []
        path = [*parts, node_text(source, name)]
        return [_import(node, path, node_text(source, alias))]
    if selected.type != "identifier":
        return []
    name_text = node_text(source, selected)
    return [_import(node, [*parts, name_text], name_text)]


def _import(node: Node, parts: list[str], alias: str) -> Import:
    path = ".".join(parts)
    line, start = node.start_point.row + 1, node.start_byte
    return Import(path, alias, path if alias else "", line, start)


def namespace(source: SourceText, captures: Captures) -> str:
    """Return the package; clauses one below the other add up."""
    names = []
    for clause in captures.get("package", ()):
        name = clause.child_by_field_name("name")
        if name is not None:
            names.append("".join(node_text(source, name).split()))
        if clause.child_by_field_name("body") is not None:
            break
    return ".".join(names)
