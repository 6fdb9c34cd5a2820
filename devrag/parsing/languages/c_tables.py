"""Functions that C puts into the fields of structs: tables of commands, operations."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from devrag.parsing.code.spec import Held, Slot
from devrag.parsing.code.text import node_text
from devrag.parsing.languages.c_family import declared, type_names
from devrag.parsing.source import SourceText

# A field that is not known: a macro wrote the entry.
ANY_FIELD = "*"
_LIST = "initializer_list"
_NOTHING = frozenset({"true", "false"})
_MOST_ENTRIES = 5000


def slots(source: SourceText, node: Node) -> list[Slot]:
    """Return which names an initialiser puts into which fields of its struct."""
    above = node.parent
    holder = above.parent if above and above.type == "init_declarator" else None
    around = holder.parent if holder is not None else None
    if holder is None or around is None or around.type == "compound_statement":
        return []
    written = holder.child_by_field_name("type")
    names = type_names(node_text(source, written)) if written is not None else ()
    if len(names) != 1 or (written is not None and written.type == "primitive_type"):
        return []
    return [
        Slot(f"{names[0]}.{field}", node_text(source, value), value)
        for field, value in _entries(node)
        if _is_function(node_text(source, value))
    ]


def _is_function(name: str) -> bool:
    """Return whether it may be one: macros and enumerators are written large."""
    return not name.isupper() and name not in _NOTHING


def _entries(node: Node) -> Iterator[tuple[str, Node]]:
    """Yield fields and the names in them, of one struct or of an array of them."""
    is_array = any(child.type == _LIST for child in node.named_children)
    for child in node.named_children[:_MOST_ENTRIES]:
        if child.type == "call_expression":
            yield from _macro(child)
        elif child.type == _LIST:
            yield from _struct(child)
    if not is_array:
        yield from _struct(node)


def _struct(node: Node) -> Iterator[tuple[str, Node]]:
    values = [child for child in node.named_children if child.type != "comment"]
    for position, child in enumerate(values):
        field, value = str(position), child
        if child.type == "initializer_pair":
            field = _designated(child)
            value = child.child_by_field_name("value") or child
        if value.type == "pointer_expression":
            value = value.child_by_field_name("argument") or value
        if value.type == "identifier" and field:
            yield field, value


def _designated(pair: Node) -> str:
    designator = pair.child_by_field_name("designator")
    name = designator.named_children[0] if designator is not None else None
    text = name.text if name is not None and name.type == "field_identifier" else None
    return text.decode("utf-8", "replace") if text else ""


def _macro(node: Node) -> Iterator[tuple[str, Node]]:
    """Yield the names that a macro gets which writes an entry."""
    arguments = node.child_by_field_name("arguments")
    for child in arguments.named_children if arguments is not None else ():
        if child.type == "identifier":
            yield ANY_FIELD, child


def fields_of(source: SourceText, body: Node) -> tuple[str, ...]:
    """Return the names of a struct's fields in their order."""
    found = []
    for child in body.named_children:
        if child.type == "field_declaration":
            for each in child.children_by_field_name("declarator"):
                name, _, _ = declared(each)
                found.append(node_text(source, name) if name is not None else "")
    return tuple(found)


def held(source: SourceText, node: Node) -> list[Held]:
    """Read fields and variables of a written type."""
    written = node.child_by_field_name("type")
    if written is None or written.type == "primitive_type":
        return []
    text = (
        node_text(source, written) if written.end_byte - written.start_byte < 99 else ""
    )
    found = []
    for each in node.children_by_field_name("declarator"):
        inner = (
            each.child_by_field_name("declarator")
            if each.type == "init_declarator"
            else each
        )
        name, function, _ = declared(inner)
        if name is not None and function is None:
            is_local = node.type == "declaration"
            found.append(
                Held(node_text(source, name), declared=text, is_local=is_local)
            )
    return found
