"""Protocol buffers: messages, enums, services and their calls are symbols."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from devrag.parsing.code.text import column_of
from devrag.parsing.code.tree import parse_tree, run_query
from devrag.parsing.documents.declared import (
    Declarations,
    Declared,
    comment_line,
    comment_text,
    nested,
)
from devrag.parsing.facts.declared_facts import enumeration, model, remote_call
from devrag.parsing.source import Parsed, SourceText
from devrag.parsing.types import Parameter, ReferenceFacts

_QUERY = """
(message) @type
(enum) @enum
(service) @interface
(rpc) @method
(package (full_ident) @package)
(import path: (string) @import)
"""
_COMMENTS = ("//", "/*", "*")


def parse_proto(source: SourceText) -> Parsed:
    """Return a file's types, services and calls, each in a chunk of its own."""
    tree = parse_tree(source, "proto")
    captures = run_query(source, tree, "proto", _QUERY)
    package = _text(source, next(iter(captures.get("package", [])), None))
    found = [
        (node.start_byte, node.end_byte, item)
        for kind in ("type", "enum", "interface", "method")
        for node in captures.get(kind, ())
        if (item := _declared(source, kind, node)) is not None
    ]
    declarations = Declarations(source, prefix=f"{package}." if package else "")
    declarations.references += [
        ReferenceFacts("import", _text(source, node).strip("\"'"), _line(node))
        for node in captures.get("import", ())
    ]
    return declarations.parsed(declarations.blocks(nested(found)))


def _declared(source: SourceText, kind: str, node: Node) -> Declared | None:
    name = next((c for c in node.named_children if c.type.endswith("_name")), None)
    if name is None:
        return None
    line = _line(node)
    first = comment_line(source.lines, line, _COMMENTS)
    item = Declared(
        kind=kind,
        name=_text(source, name),
        signature=_signature(source, node),
        start_line=line,
        end_line=node.end_point.row + 1,
        start_column=column_of(source, node.start_point),
        end_column=column_of(source, node.end_point),
        first_line=first,
        docstring=comment_text(source.lines, first, line, "/* "),
    )
    item.uses = list(_uses(source, node))
    if kind == "type":
        item.fact = model("protobuf", list(_fields(source, node)))
    elif kind == "enum":
        item.fact = enumeration("protobuf", list(_values(source, node)))
    elif kind == "method":
        item.fact = remote_call
        asked, answered = [*(name for name, _ in item.uses), "", ""][:2]
        item.parameters = (Parameter("request", asked),) if asked else ()
        item.return_type = answered
    return item


def _uses(source: SourceText, node: Node) -> Iterator[tuple[str, int]]:
    """Yield the types that a call or the fields of a message name, with their lines."""
    if node.type == "rpc":
        yield from _messages(source, node)
    for entry in _entries(node):
        for child in entry.named_children:
            if child.type == "type":
                yield from _messages(source, child)


def _entries(message: Node) -> Iterator[Node]:
    """Yield the fields of a message, those of its alternatives too."""
    for body in message.named_children if message.type == "message" else ():
        for member in body.named_children if body.type == "message_body" else ():
            fields = member.named_children if member.type == "oneof" else [member]
            yield from (entry for entry in fields if "field" in entry.type)


def _fields(source: SourceText, message: Node) -> Iterator[dict[str, str]]:
    for entry in _entries(message):
        name = next((c for c in entry.named_children if c.type == "identifier"), None)
        if name is None:
            continue
        written = source.data[entry.start_byte : name.start_byte]
        kind = " ".join(written.decode("utf-8", "replace").split())
        found = {"name": _text(source, name), "type": kind}
        for child in entry.named_children:
            for target, _ in _messages(source, child) if child.type == "type" else ():
                if target != "group":
                    found["to"] = target
        yield found


def _values(source: SourceText, enum: Node) -> Iterator[str]:
    for body in enum.named_children:
        for field in body.named_children if body.type == "enum_body" else ():
            if field.type == "enum_field" and field.named_children:
                yield _text(source, field.named_children[0])


def _messages(source: SourceText, node: Node) -> Iterator[tuple[str, int]]:
    for child in node.named_children:
        if child.type == "message_or_enum_type":
            yield _text(source, child).lstrip("."), _line(child)


def _signature(source: SourceText, node: Node) -> str:
    """Return what stands before the body, on one line."""
    text = source.data[node.start_byte : min(node.end_byte, node.start_byte + 2000)]
    head = text.decode("utf-8", "replace").partition("{")[0]
    return " ".join(head.split()).removesuffix(";").rstrip()


def _line(node: Node) -> int:
    return node.start_point.row + 1


def _text(source: SourceText, node: Node | None) -> str:
    if node is None:
        return ""
    text = source.data[node.start_byte : node.end_byte].decode("utf-8", "replace")
    return "".join(text.split())
