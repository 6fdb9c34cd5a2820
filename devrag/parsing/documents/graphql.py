"""GraphQL: types and operations are symbols; so are the fields of the root types."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from devrag.parsing.code.text import column_of
from devrag.parsing.code.tree import parse_tree, run_query
from devrag.parsing.documents.declared import (
    Declarations,
    Declared,
    comment_line,
    nested,
)
from devrag.parsing.facts.declared_facts import enumeration, model, root_field
from devrag.parsing.source import Parsed, SourceText
from devrag.parsing.types import Parameter

_KINDS = {
    "object_type_definition": "type",
    "object_type_extension": "type",
    "interface_type_definition": "interface",
    "interface_type_extension": "interface",
    "input_object_type_definition": "type",
    "input_object_type_extension": "type",
    "union_type_definition": "type",
    "union_type_extension": "type",
    "scalar_type_definition": "type",
    "enum_type_definition": "enum",
    "enum_type_extension": "enum",
    "directive_definition": "function",
    "operation_definition": "function",
    "fragment_definition": "type",
    "field_definition": "method",
}
_ROOT_TYPES = {"Query", "Mutation", "Subscription"}
_ROOTS = "".join(
    f"""({kind} (name) @name (fields_definition (field_definition) @found)
    (#any-of? @name "Query" "Mutation" "Subscription"))"""
    for kind in ("object_type_definition", "object_type_extension")
)
_TYPES = " ".join(f"({kind})" for kind in _KINDS if kind != "field_definition")
# The fields of these types are what a client may ask for.
_QUERY = f"[{_TYPES}] @found {_ROOTS} (named_type) @use"
_BUILTIN = {"Int", "Float", "String", "Boolean", "ID"}
_BODIES = {
    "fields_definition",
    "input_fields_definition",
    "enum_values_definition",
    "union_member_types",
    "selection_set",
}
_COMMENTS = ("#",)


def parse_graphql(source: SourceText) -> Parsed:
    """Return a file's types and operations, each in a chunk of its own."""
    tree = parse_tree(source, "graphql")
    captures = run_query(source, tree, "graphql", _QUERY)
    placed = []
    for node in captures.get("found", ()):
        item = _declared(source, node)
        if item is not None:
            placed.append((node.start_byte, node.end_byte, item))
    _give_uses(source, placed, captures.get("use", []))
    declarations = Declarations(source)
    return declarations.parsed(declarations.blocks(nested(placed)))


def _give_uses(
    source: SourceText, placed: list[tuple[int, int, Declared]], uses: list[Node]
) -> None:
    """Give each use of a type to the innermost declaration around it."""
    around: list[tuple[int, int, Declared]] = []
    waiting = sorted(placed, key=lambda entry: (entry[0], -entry[1]), reverse=True)
    for node in uses:
        while waiting and waiting[-1][0] <= node.start_byte:
            around.append(waiting.pop())
        while around and around[-1][1] <= node.start_byte:
            around.pop()
        name = _text(source, node)
        if around and name not in _BUILTIN:
            around[-1][2].uses.append((name, _line(node)))


def _declared(source: SourceText, node: Node) -> Declared | None:
    parts = _parts(node)
    name = _name(parts)
    if name is None:
        return None
    item = Declared(
        kind=_KINDS[node.type],
        name=_text(source, name),
        signature=_signature(source, node, parts),
        start_line=_line(name),
        end_line=node.end_point.row + 1,
        start_column=column_of(source, node.start_point),
        end_column=column_of(source, node.end_point),
        first_line=comment_line(source.lines, _line(node), _COMMENTS),
        docstring=_description(source, parts),
        parameters=tuple(_parameters(source, parts)),
    )
    returned = parts.get("type")
    item.return_type = _text(source, returned) if returned is not None else ""
    if node.type == "field_definition":
        item.fact = root_field
    elif node.type == "object_type_definition" and item.name not in _ROOT_TYPES:
        item.fact = model("graphql", list(_fields(source, parts)))
    elif node.type == "enum_type_definition":
        item.fact = enumeration("graphql", list(_values(source, parts)))
    return item


def _fields(source: SourceText, parts: dict[str, Node]) -> Iterator[dict[str, str]]:
    holder = parts.get("fields_definition")
    for entry in holder.named_children if holder is not None else ():
        inner = _parts(entry)
        name, kind = inner.get("name"), inner.get("type")
        if name is not None and kind is not None:
            text = "".join(_text(source, kind).split())
            found = {"name": _text(source, name), "type": text}
            target = text.strip("[]!")
            yield found if target in _BUILTIN else {**found, "to": target}


def _values(source: SourceText, parts: dict[str, Node]) -> Iterator[str]:
    holder = parts.get("enum_values_definition")
    for entry in holder.named_children if holder is not None else ():
        value = _parts(entry).get("enum_value")
        if value is not None:
            yield _text(source, value)


def _name(parts: dict[str, Node]) -> Node | None:
    fragment = parts.get("fragment_name")
    return (_parts(fragment) if fragment is not None else parts).get("name")


def _parameters(source: SourceText, parts: dict[str, Node]) -> Iterator[Parameter]:
    holder = parts.get("arguments_definition") or parts.get("variable_definitions")
    for child in holder.named_children if holder is not None else ():
        inner = _parts(child)
        name = inner.get("name") or inner.get("variable")
        kind = inner.get("type")
        if name is not None and kind is not None:
            yield Parameter(_text(source, name).lstrip("$"), _text(source, kind))


def _signature(source: SourceText, node: Node, parts: dict[str, Node]) -> str:
    """Return the declaration without its description and its body, on one line."""
    description = parts.get("description")
    body = next((part for kind, part in parts.items() if kind in _BODIES), None)
    start = description.end_byte if description is not None else node.start_byte
    end = body.start_byte if body is not None else node.end_byte
    text = source.data[start:end].decode("utf-8", "replace")
    return " ".join(text.split()).rstrip("= {")


def _description(source: SourceText, parts: dict[str, Node]) -> str:
    found = parts.get("description")
    text = _text(source, found).strip('"') if found is not None else ""
    return "\n".join(line.strip() for line in text.split("\n")).strip()


def _parts(node: Node) -> dict[str, Node]:
    """Return the first child of each type."""
    return {child.type: child for child in reversed(node.named_children)}


def _line(node: Node) -> int:
    return node.start_point.row + 1


def _text(source: SourceText, node: Node) -> str:
    return source.data[node.start_byte : node.end_byte].decode("utf-8", "replace")
