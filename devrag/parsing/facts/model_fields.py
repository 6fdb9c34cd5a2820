"""The fields of data models: name, type, and what a relation leads to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tree_sitter import Node

from devrag.parsing.code.definitions import Definition
from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.text import node_text, one_line
from devrag.parsing.facts.calls import (
    Call,
    read_arguments,
    symbol_text,
    written_name,
)
from devrag.parsing.facts.relations import relation_of, told_by_keys, told_by_marks
from devrag.parsing.source import SourceText

Field = dict[str, str]
# What is written at a field that is no column.
_NOT_KEPT = re.compile(r"\bstatic\b|\btransient\b|@Transient\b|\[NotMapped\]")
_RUBY = ("belongs_to", "has_one", "has_many", "has_and_belongs_to_many", "attribute")
_GO_KEY = re.compile(r"\b(?:primary_?key|pk)\b", re.IGNORECASE)
_ELOQUENT = re.compile(
    r"\$this->(belongsTo|belongsToMany|hasOne|hasMany)\(\s*(?:\w*\\)*(\w+)::class"
)
_DIESEL = re.compile(r"\bbelongs_to\(\s*(\w+)(?:\s*,\s*foreign_key\s*=\s*\"?(\w+))?")
_WORD_START = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
_ELIXIR = ("field", "belongs_to", "has_one", "has_many", "many_to_many", "embeds_one")


def _children(definition: Definition) -> list[Node]:
    """Return what stands in the body of a class; a Go struct's list is inside it."""
    body = definition.about.body
    if body is not None and body.type == "struct_type":
        body = next(iter(body.named_children), None)
    return body.named_children if body is not None else []


def _field(name: str, written: str, head: str) -> Field:
    return {"name": name, "type": written} | told_by_marks(written, head)


def _head(source: SourceText, node: Node) -> str:
    """Return what stands before a field's type: its marks and modifiers."""
    kind = node.child_by_field_name("type")
    end = kind.start_byte if kind is not None else node.end_byte
    return source.data[node.start_byte : end].decode("utf-8", "replace")


def _typed(source: SourceText, node: Node) -> str:
    kind = node.child_by_field_name("type")
    text = one_line(node_text(source, kind)) if kind is not None else ""
    return text.removeprefix(":").strip()


def _of_java(analysis: CodeAnalysis, definition: Definition) -> Iterator[Field]:
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


def _of_kotlin(analysis: CodeAnalysis, definition: Definition) -> Iterator[Field]:
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


def _of_typescript(analysis: CodeAnalysis, definition: Definition) -> Iterator[Field]:
    """Read the fields with decorators: others are no columns."""
    source = analysis.source
    for child in _children(definition):
        name = child.child_by_field_name("name")
        is_marked = child.child_by_field_name("decorator") is not None
        if child.type == "public_field_definition" and name is not None and is_marked:
            yield _field(
                node_text(source, name), _typed(source, child), _head(source, child)
            )


def _of_csharp(analysis: CodeAnalysis, definition: Definition) -> Iterator[Field]:
    source = analysis.source
    children = [c for c in _children(definition) if c.type == "property_declaration"]
    names = {_name(source, child) for child in children}
    for child in children:
        name, head = _name(source, child), _head(source, child)
        if name and "public" in head and not _NOT_KEPT.search(head):
            written = _typed(source, child)
            yield _field(name, written, head) | told_by_keys(name, written, names)


def _name(source: SourceText, node: Node) -> str:
    name = node.child_by_field_name("name")
    return node_text(source, name) if name is not None else ""


def _of_go(analysis: CodeAnalysis, definition: Definition) -> Iterator[Field]:
    source = analysis.source
    body = definition.about.body
    is_gorm = any(base == "gorm.Model" for base, _ in definition.about.bases)
    is_gorm = is_gorm or (body is not None and 'gorm:"' in node_text(source, body))
    listed = [c for c in _children(definition) if c.type == "field_declaration"]
    names = {_name(source, child) for child in listed}
    for child in listed:
        node = child.child_by_field_name("tag")
        tag = node_text(source, node) if node is not None else ""
        for name in child.children_by_field_name("name"):
            text = node_text(source, name)
            if not text[:1].isupper() or ':"-"' in tag:
                continue
            found = {"name": text, "type": _typed(source, child)}
            if _GO_KEY.search(tag) or (is_gorm and text == "ID"):
                found["key"] = "primary"
            yield found | (_gorm(found, tag, names) if is_gorm else {})


def _gorm(field: Field, tag: str, names: set[str]) -> Field:
    """Return what a field of gorm leads to."""
    found = told_by_keys(field["name"], field["type"], names)
    is_joined = found and "many2many:" in tag
    return found | ({"relation": "many-to-many"} if is_joined else {})


def _of_rust(analysis: CodeAnalysis, definition: Definition) -> Iterator[Field]:
    source = analysis.source
    keys = {
        key or _WORD_START.sub("_", to).lower() + "_id": to
        for written in definition.about.attributes
        for to, key in _DIESEL.findall(written)
    }
    for child in _children(definition):
        name = _name(source, child)
        if child.type == "field_declaration" and name:
            found = {"name": name, "type": _typed(source, child)}
            tie = {"to": keys[name], "relation": "many-to-one"} if name in keys else {}
            yield found | tie


def _of_php(analysis: CodeAnalysis, definition: Definition) -> Iterator[Field]:
    """Read Doctrine's marked properties, and what Eloquent's methods lead to."""
    source = analysis.source
    for child in _children(definition):
        if child.type == "method_declaration":
            yield from _eloquent(source, child)
        is_marked = child.child_by_field_name("attributes") is not None
        if child.type != "property_declaration" or not is_marked:
            continue
        for element in child.named_children:
            name = element.child_by_field_name("name")
            if element.type == "property_element" and name is not None:
                typed = _typed(source, child).lstrip("?")
                text = node_text(source, name).lstrip("$")
                yield _field(text, typed, _head(source, child))


def _eloquent(source: SourceText, method: Node) -> Iterator[Field]:
    body = method.child_by_field_name("body")
    found = _ELOQUENT.search(node_text(source, body)) if body is not None else None
    if found:
        word, to = found.groups()
        tie = {"to": to, "relation": relation_of(word)}
        yield {"name": _name(source, method), "type": word} | tie


def _of_ruby(analysis: CodeAnalysis, definition: Definition) -> Iterator[Field]:
    """Read the associations and declared attributes; columns are in the schema."""
    source = analysis.source
    for child in _children(definition):
        method = child.child_by_field_name("method") if child.type == "call" else None
        word = node_text(source, method) if method is not None else ""
        if word not in _RUBY or child.child_by_field_name("receiver") is not None:
            continue
        call = read_arguments(source, child)
        name = symbol_text(source, call.argument(0))
        if name and word == "attribute":
            yield {"name": name, "type": symbol_text(source, call.argument(1)) or ""}
        elif name:
            yield {"name": name, "type": word} | _association(word, name, call)


def _association(word: str, name: str, call: Call) -> Field:
    """Return what an association leads to; one through another has no key."""
    if not {"polymorphic", "through"}.isdisjoint(call.keywords):
        return {}
    to = (call.text(99, "class_name") or "").replace("::", ".")
    if not to and word in {"belongs_to", "has_one"}:
        to = "".join(part.capitalize() for part in name.split("_"))
    return ({"to": to} if to else {}) | {"relation": relation_of(word)}


def elixir_fields(analysis: CodeAnalysis, schema: Node) -> Iterator[Field]:
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
                to = written_name(source, second).rpartition(".")[2]
                found = {"name": name, "type": word, "to": to}
                relation = relation_of(word)
                found |= {"relation": relation} if relation else {}
            yield found


FIELDS: dict[str, Callable[[CodeAnalysis, Definition], Iterator[Field]]] = {
    "java": _of_java,
    "kotlin": _of_kotlin,
    "typescript": _of_typescript,
    "csharp": _of_csharp,
    "go": _of_go,
    "rust": _of_rust,
    "php": _of_php,
    "ruby": _of_ruby,
}
