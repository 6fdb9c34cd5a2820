"""Where a function or class of JavaScript gets its name from.

It may have one of its own, or take that of the variable, property, field or export
that it is assigned to; `api.get` of `const api = {get() {}}` belongs to `api`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tree_sitter import Node

from devrag.parsing.code.text import node_text
from devrag.parsing.source import SourceText

FUNCTIONS = {"arrow_function", "function_expression", "generator_function"}
VALUES = FUNCTIONS | {"class"}

# Calls that return the function they are given, under other terms.
_WRAPPERS = {"memo", "forwardRef", "observer", "useCallback"}
_PLAIN = re.compile(r"[\w$#-]+")
_TARGET = re.compile(r"[\w$#.]+")
_EXPORT = re.compile(r"(?:module\.)?exports\.[\w$]+")
_COMPUTED = re.compile(r"\[(?:[\w.$]+\.)?([\w$]+)\]")
# What an assignment to a member says nothing by: the object itself, all the world.
_NOBODY = {"this", "window", "global", "globalThis", "self", "exports", "module"}
_AROUND = {
    "export_statement",
    "ambient_declaration",
    "expression_statement",
    "assignment_expression",
}
_TRANSPARENT = {
    "object",
    "parenthesized_expression",
    "as_expression",
    "satisfies_expression",
}
_NAMED_FUNCTIONS = {
    "function_declaration",
    "generator_function_declaration",
    "method_definition",
}
_NAMING = {
    "variable_declarator",
    "assignment_expression",
    "pair",
    "field_definition",
    "public_field_definition",
}
_DEFAULT = "default"
_HOPS = 16


@dataclass(frozen=True, slots=True)
class DefinitionNodes:
    """A definition's name, the node that holds all of it, and its value's node."""

    name: str
    owner: str
    outer: Node
    value: Node


def find_place(source: SourceText, node: Node) -> DefinitionNodes | None:
    """Return where the definition stands; None when it has no name worth telling."""
    kind = node.type
    if kind in {"variable_declarator", "public_field_definition", "field_definition"}:
        return _assigned_once(source, node)
    if kind == "assignment_expression":
        return _assigned(source, node)
    if kind == "pair" or (kind == "method_definition" and _is_in(node, "object")):
        return _property(source, node)
    if kind == "export_statement":
        value = node.child_by_field_name("value")
        return (
            DefinitionNodes(_own_name(source, value), "", node, value)
            if value
            else None
        )
    name = node.child_by_field_name("name")
    text = _key_text(source, name) if name else ""
    return DefinitionNodes(text, "", outer_of(node), node) if text else None


def value_of(source: SourceText, declarator: Node) -> Node | None:
    """Return the function or class that a declarator or pair assigns, through memo()"""
    value = declarator.child_by_field_name("value")
    if value is None or value.type in VALUES:
        return value
    called = value.child_by_field_name("function")
    arguments = value.child_by_field_name("arguments")
    first = next(iter(arguments.named_children), None) if arguments else None
    if called is None or first is None or first.type not in FUNCTIONS:
        return None
    name = node_text(source, called) if called.end_byte - called.start_byte < 50 else ""
    return first if name.rpartition(".")[2] in _WRAPPERS else None


def exported_name(source: SourceText, assignment: Node) -> Node | None:
    """Return the name's node of `exports.name = …` and `module.exports.name = …`."""
    left = assignment.child_by_field_name("left")
    if left is None or left.end_byte - left.start_byte > 200:
        return None
    is_exported = _EXPORT.fullmatch(node_text(source, left))
    return left.child_by_field_name("property") if is_exported else None


def outer_of(node: Node) -> Node:
    """Return the whole statement around a definition."""
    parent = node.parent
    while parent is not None:
        is_whole = parent.type in _AROUND or (
            parent.type in {"lexical_declaration", "variable_declaration"}
            and parent.named_child_count == 1
        )
        if not is_whole:
            break
        node, parent = parent, parent.parent
    return node


def _is_in(node: Node, kind: str) -> bool:
    return node.parent is not None and node.parent.type == kind


def _own_name(source: SourceText, value: Node) -> str:
    name = value.child_by_field_name("name")
    return node_text(source, name) if name is not None else _DEFAULT


def _key_text(source: SourceText, key: Node) -> str:
    """Return a property's name; '' when only running the program would tell it."""
    text = node_text(source, key) if key.end_byte - key.start_byte < 200 else ""
    if key.type == "string":
        text = text[1:-1]
    if key.type == "computed_property_name":
        computed = _COMPUTED.fullmatch(text)
        return f"[{computed[1]}]" if computed else ""
    return text if _PLAIN.fullmatch(text) or key.type == "nested_identifier" else ""


def _assigned_once(source: SourceText, node: Node) -> DefinitionNodes | None:
    key = node.child_by_field_name("name") or node.child_by_field_name("property")
    value = value_of(source, node)
    name = _key_text(source, key) if key is not None else ""
    if not name or value is None:
        return None
    return DefinitionNodes(name, "", outer_of(node), value)


def _assigned(source: SourceText, node: Node) -> DefinitionNodes | None:
    """Read `a.b = function …`, at the top or inside a wrapper of the whole file."""
    left = node.child_by_field_name("left")
    right = node.child_by_field_name("right")
    if left is None or right is None:
        return None
    text = node_text(source, left) if left.end_byte - left.start_byte < 200 else ""
    outer = outer_of(node)
    is_own = text.startswith("this.")
    if not _TARGET.fullmatch(text) or not (is_own or _is_outermost(outer)):
        return None
    parts = [part for part in text.split(".") if part != "prototype"]
    while parts and parts[0] in _NOBODY:
        del parts[0]
    if not parts:
        return DefinitionNodes(_own_name(source, right), "", outer, right)
    return DefinitionNodes(parts[-1], ".".join(parts[:-1]), outer, right)


def _property(source: SourceText, node: Node) -> DefinitionNodes | None:
    key = node.child_by_field_name("key") or node.child_by_field_name("name")
    name = _key_text(source, key) if key else ""
    owner = _object_name(source, node.parent) if name and node.parent else None
    if owner is None:
        return None
    value = node.child_by_field_name("value") or node
    return DefinitionNodes(name, owner, node, value)


def _object_name(source: SourceText, node: Node) -> str | None:
    """Return the dotted name of an object literal, '' for what a module exports."""
    parts: list[str] = []
    at = node.parent
    for _ in range(_HOPS):
        if at is None:
            return None
        if at.type in {"export_statement", "return_statement"}:
            return ".".join(reversed(parts))
        if at.type == "assignment_expression":
            return _of_assignment(source, at, parts)
        if at.type not in _TRANSPARENT:
            parts.append(_holder_name(source, at))
            if not parts[-1]:
                return None
            if at.type == "variable_declarator":
                return ".".join(reversed(parts))
        at = at.parent
    return None


def _holder_name(source: SourceText, node: Node) -> str:
    """Return the name of the property or outer variable that holds an object."""
    is_variable = node.type == "variable_declarator"
    key = node.child_by_field_name("name" if is_variable else "key")
    if key is None or (is_variable and not _is_outermost(outer_of(node))):
        return ""
    return _key_text(source, key)


def _of_assignment(source: SourceText, node: Node, parts: list[str]) -> str | None:
    place = _assigned(source, node)
    if place is None:
        return None
    around = [] if place.name == _DEFAULT else [place.owner, place.name]
    return ".".join(part for part in [*around, *reversed(parts)] if part)


def _is_outermost(node: Node) -> bool:
    """Return whether nothing but nameless wrappers stands around a statement."""
    at: Node | None = node
    for _ in range(_HOPS):
        at = at.parent if at is not None else None
        if at is None or at.type == "program":
            return True
        if at.type in _NAMED_FUNCTIONS:
            return False
        if at.type in FUNCTIONS and at.parent and at.parent.type in _NAMING:
            return False
    return False
