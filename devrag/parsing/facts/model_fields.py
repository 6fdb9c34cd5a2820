"""The fields of data models: name, type, and what a relation leads to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tree_sitter import Node

from devrag.parsing.code.definitions import Definition
from devrag.parsing.code.engine import Analysis
from devrag.parsing.code.text import node_text, one_line
from devrag.parsing.facts.calls import read_arguments, symbol_text, written_name
from devrag.parsing.source import Source

Field = dict[str, str]
_CLASS = re.compile(r"[A-Z]\w*")
_RELATION = re.compile(r"(?:One|Many)To(?:One|Many)|BelongsTo|Has(?:One|Many)")
# What is written at a field that is no column.
_NOT_KEPT = re.compile(r"\bstatic\b|\btransient\b|@Transient\b|\[NotMapped\]")
_RUBY = {
    "belongs_to": "belongs_to",
    "has_one": "has_one",
    "has_many": "has_many",
    "has_and_belongs_to_many": "has_many",
    "attribute": "",
}
_ELIXIR = ("field", "belongs_to", "has_one", "has_many", "many_to_many", "embeds_one")


def _children(definition: Definition) -> list[Node]:
    """Return what stands in the body of a class; a Go struct's list is inside it."""
    body = definition.about.body
    if body is not None and body.type == "struct_type":
        body = next(iter(body.named_children), None)
    return body.named_children if body is not None else []


def _field(name: str, written: str, head: str) -> Field:
    found = {"name": name, "type": written}
    classes = _CLASS.findall(written)
    if classes and _RELATION.search(head):
        found["to"] = classes[-1]
    return found


def _head(source: Source, node: Node) -> str:
    """Return what stands before a field's type: its marks and modifiers."""
    kind = node.child_by_field_name("type")
    end = kind.start_byte if kind is not None else node.end_byte
    return source.data[node.start_byte : end].decode("utf-8", "replace")


def _typed(source: Source, node: Node) -> str:
    kind = node.child_by_field_name("type")
    text = one_line(node_text(source, kind)) if kind is not None else ""
    return text.removeprefix(":").strip()


def _of_java(analysis: Analysis, definition: Definition) -> Iterator[Field]:
    source = analysis.source
    for child in _children(definition):
        if child.type != "field_declaration":
            continue
        head = _head(source, child)
        if _NOT_KEPT.search(head):
            continue
        for declarator in child.children_by_field_name("declarator"):
            name = declarator.child_by_field_name("name")
            if name is not None:
                yield _field(node_text(source, name), _typed(source, child), head)


def _of_kotlin(analysis: Analysis, definition: Definition) -> Iterator[Field]:
    """Read the properties of the constructor, then those of the body."""
    source = analysis.source
    first = (c for c in definition.about.outer.named_children)
    constructor = next((c for c in first if c.type == "primary_constructor"), None)
    listed = constructor.named_children if constructor is not None else []
    for child in [*listed, *_children(definition)]:
        kinds = {part.type: part for part in child.named_children}
        holder = kinds.get("variable_declaration", child)
        is_property = "binding_pattern_kind" in kinds
        if child.type not in {"class_parameter", "property_declaration"}:
            continue
        parts = [p for p in holder.named_children if "modifiers" not in p.type]
        parts = [p for p in parts if p.type != "binding_pattern_kind"]
        if is_property and len(parts) > 1 and "property_delegate" not in kinds:
            typed = one_line(node_text(source, parts[1]))
            head = node_text(source, child).partition("\n\n")[0]
            yield _field(node_text(source, parts[0]), typed.rstrip("?"), head)


def _of_typescript(analysis: Analysis, definition: Definition) -> Iterator[Field]:
    """Read the fields with decorators: others are no columns."""
    source = analysis.source
    for child in _children(definition):
        name = child.child_by_field_name("name")
        is_marked = child.child_by_field_name("decorator") is not None
        if child.type == "public_field_definition" and name is not None and is_marked:
            yield _field(
                node_text(source, name), _typed(source, child), _head(source, child)
            )


def _of_csharp(analysis: Analysis, definition: Definition) -> Iterator[Field]:
    source = analysis.source
    for child in _children(definition):
        name = child.child_by_field_name("name")
        head = _head(source, child)
        if child.type != "property_declaration" or name is None:
            continue
        if "public" in head and not _NOT_KEPT.search(head):
            yield _field(node_text(source, name), _typed(source, child), head)


def _of_go(analysis: Analysis, definition: Definition) -> Iterator[Field]:
    source = analysis.source
    for child in _children(definition):
        tag = child.child_by_field_name("tag")
        is_left_out = tag is not None and ':"-"' in node_text(source, tag)
        if child.type == "field_declaration" and not is_left_out:
            for name in child.children_by_field_name("name"):
                text = node_text(source, name)
                if text[:1].isupper():
                    yield _field(text, _typed(source, child), "")


def _of_rust(analysis: Analysis, definition: Definition) -> Iterator[Field]:
    source = analysis.source
    for child in _children(definition):
        name = child.child_by_field_name("name")
        if child.type == "field_declaration" and name is not None:
            yield _field(node_text(source, name), _typed(source, child), "")


def _of_php(analysis: Analysis, definition: Definition) -> Iterator[Field]:
    """Read Doctrine's marked properties; Eloquent keeps no fields in the class."""
    source = analysis.source
    for child in _children(definition):
        is_marked = child.child_by_field_name("attributes") is not None
        if child.type != "property_declaration" or not is_marked:
            continue
        for element in child.named_children:
            name = element.child_by_field_name("name")
            if element.type == "property_element" and name is not None:
                typed = _typed(source, child).lstrip("?")
                text = node_text(source, name).lstrip("$")
                yield _field(text, typed, _head(source, child))


def _of_ruby(analysis: Analysis, definition: Definition) -> Iterator[Field]:
    """Read the associations and declared attributes; columns are in the schema."""
    source = analysis.source
    for child in _children(definition):
        method = child.child_by_field_name("method") if child.type == "call" else None
        word = node_text(source, method) if method is not None else ""
        if word not in _RUBY or child.child_by_field_name("receiver") is not None:
            continue
        call = read_arguments(source, child)
        name = symbol_text(source, call.argument(0))
        kind = _RUBY[word] or symbol_text(source, call.argument(1)) or ""
        if name:
            found = {"name": name, "type": kind}
            to = call.text(99, "class_name")
            if word == "belongs_to" and "polymorphic" not in call.keywords:
                to = to or "".join(part.capitalize() for part in name.split("_"))
            yield found | ({"to": to} if to else {})


def elixir_fields(analysis: Analysis, schema: Node) -> Iterator[Field]:
    """Yield the fields of an Ecto schema's block."""
    source = analysis.source
    block = next((c for c in schema.named_children if c.type == "do_block"), None)
    for child in block.named_children if block is not None else ():
        target = child.child_by_field_name("target") if child.type == "call" else None
        word = node_text(source, target) if target is not None else ""
        if word not in _ELIXIR:
            continue
        call = read_arguments(source, child)
        name = symbol_text(source, call.argument(0))
        second = call.argument(1)
        written = one_line(node_text(source, second)) if second is not None else ""
        if name:
            found = {"name": name, "type": written.lstrip(":") or "string"}
            if word != "field" and second is not None:
                found = {
                    "name": name,
                    "type": word,
                    "to": written_name(source, second).rpartition(".")[2],
                }
            yield found


FIELDS: dict[str, Callable[[Analysis, Definition], Iterator[Field]]] = {
    "java": _of_java,
    "kotlin": _of_kotlin,
    "typescript": _of_typescript,
    "csharp": _of_csharp,
    "go": _of_go,
    "rust": _of_rust,
    "php": _of_php,
    "ruby": _of_ruby,
}
