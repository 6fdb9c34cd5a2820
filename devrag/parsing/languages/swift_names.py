"""Names in Swift: calls, types, imports, modules."""

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
from devrag.parsing.paths import folders
from devrag.parsing.source import SourceText

_ENDS = frozenset({"simple_identifier", "self_expression", "super_expression"})
_PREFIXED = frozenset({"try_expression", "await_expression"})
_STRINGS = frozenset({"line_string_literal", "multi_line_string_literal"})


def name_of(source: SourceText, node: Node) -> str:
    """Return the name of a call, a constructed type or an attribute."""
    if node.type == "user_type":
        return head_name(node_text(source, node))
    plain = plain_name(source, node.start_byte, node.end_byte)
    return plain or dotted(source, node, _link)


def _link(source: SourceText, node: Node) -> Link | None:
    kind = node.type
    if kind in _ENDS:
        return node_text(source, node), None
    if kind in _STRINGS:
        return "String", None
    if kind == "constructor_expression":
        made = node.child_by_field_name("constructed_type")
        return (f"{name_of(source, made)}()", None) if made is not None else None
    if kind in _PREFIXED:
        return "", node.named_children[-1]
    inner = node.child_by_field_name("target") or first_named(node)
    if inner is None:
        return None
    if kind == "postfix_expression":
        return "", inner
    if kind == "call_expression":
        suffix = node.named_children[-1]
        is_index = source.data[suffix.start_byte : suffix.start_byte + 1] == b"["
        return "[]" if is_index else "()", inner
    suffix_node = node.child_by_field_name("suffix")
    named = suffix_node.child_by_field_name("suffix") if suffix_node else None
    return (f".{node_text(source, named)}", inner) if named is not None else None


def type_names(text: str) -> tuple[str, ...]:
    """Return the outer type's name; those of its arguments are captured apart."""
    text = text.rstrip("?!").removesuffix(".Type")
    name = "" if "->" in text else head_name(text)
    return (name,) if name else ()


def import_items(source: SourceText, node: Node) -> list[Import]:
    """Return what an import opens, or the one name that `import struct A.B` binds."""
    named = next((c for c in node.named_children if c.type == "identifier"), None)
    if named is None:
        return []
    line, start = node.start_point.row + 1, node.start_byte
    path = "".join(node_text(source, named).split())
    last = path.rpartition(".")[2]
    kinds = {child.type for child in node.children if not child.is_named}
    if kinds - {"import"}:
        return [Import(path, last, path, line, start)]
    return [Import(f"{path}.*", last, path, line, start)]


def namespace(source: SourceText, _captures: Captures) -> str:
    """Return the module: the folder below Sources or Tests of a Swift package."""
    above = folders(source.path)
    for root in ("Sources", "Tests"):
        if root in above[:-1]:
            return above[above.index(root) + 1]
    return ""
