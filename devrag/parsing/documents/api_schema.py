"""OpenAPI by operation and JSON Schema by type: what a data file declares."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from devrag.parsing.code.text import column_of
from devrag.parsing.documents.blocks import NamedLines
from devrag.parsing.documents.data import (
    Member,
    data_blocks,
    member,
    members,
    scalar,
)
from devrag.parsing.documents.declared import Declarations, Declared
from devrag.parsing.paths import stem
from devrag.parsing.source import Parsed, SourceText

_METHODS = {"get", "put", "post", "delete", "options", "head", "patch", "trace"}
_VERSION_KEYS = {"openapi", "swagger"}
_SCHEMA_MARK = "json-schema.org"
_TYPE_KEYS = {"definitions", "$defs", "schemas"}


def declares_schema(source: SourceText, top: list[Member]) -> bool:
    """Return whether the top-level keys are those of an API or a schema."""
    keys = {item.key: item.value for item in top}
    if keys.keys() & _VERSION_KEYS:
        return bool(keys.keys() & {"paths", "components", "definitions", "webhooks"})
    return _SCHEMA_MARK in scalar(source, keys.get("$schema")) and bool(
        keys.keys() & (_TYPE_KEYS | {"properties"})
    )


def parse_schema(source: SourceText, top: list[Member]) -> Parsed:
    """Return operations and types, each in a chunk; other keys share windows."""
    declarations = Declarations(source)
    whole = declarations.blocks(_root(source, top))
    blocks = _blocks(source, top, declarations)
    for root in whole:
        root.parts = lambda: blocks
    return declarations.parsed(whole or blocks)


def _root(source: SourceText, top: list[Member]) -> Iterator[Declared]:
    """Yield the type that a JSON Schema as a whole describes."""
    keys = {item.key: item.value for item in top}
    if _SCHEMA_MARK in scalar(source, keys.get("$schema")) and "properties" in keys:
        name = scalar(source, keys.get("title")) or stem(stem(source.path))
        names = ", ".join(item.key for item in members(source, keys["properties"]))
        yield Declared(
            kind="type",
            name=name,
            signature=f"{name} {{{names}}}",
            start_line=1,
            end_line=len(source.lines),
            docstring=scalar(source, keys.get("description")),
        )


def _blocks(
    source: SourceText, top: list[Member], declarations: Declarations
) -> list[NamedLines]:
    blocks: list[NamedLines] = []
    for item in top:
        source.check_deadline()
        if item.key in {"paths", "webhooks"}:
            blocks += _inside(item, _operations(source, item.value, declarations))
        elif item.key in _TYPE_KEYS:
            blocks += _inside(item, _types(source, item.value, declarations))
        elif item.key == "components":
            parts = [
                block
                for part in members(source, item.value)
                for block in _component(source, part, declarations)
            ]
            blocks += _inside(item, parts)
        else:
            blocks += data_blocks(source, [item])
    return blocks


def _component(
    source: SourceText, part: Member, declarations: Declarations
) -> list[NamedLines]:
    if part.key in _TYPE_KEYS:
        return _inside(part, _types(source, part.value, declarations))
    return data_blocks(source, [part])


def _inside(item: Member, parts: list[NamedLines]) -> list[NamedLines]:
    """Return a key's parts; the first takes the line of the key."""
    if parts:
        parts[0].start_line = min(item.start_line, parts[0].start_line)
    return parts


def _operations(
    source: SourceText, paths: Node | None, declarations: Declarations
) -> list[NamedLines]:
    blocks: list[NamedLines] = []
    for path in members(source, paths):
        found = [
            _operation(source, path.key, item)
            for item in members(source, path.value)
            if item.key.lower() in _METHODS
        ]
        blocks += _inside(path, declarations.blocks(found))
    return blocks


def _operation(source: SourceText, path: str, item: Member) -> Declared:
    signature = f"{item.key.upper()} {path}"
    about = (
        scalar(source, member(source, item.value, key))
        for key in ("summary", "description")
    )
    return _declared(
        source,
        item,
        "function",
        scalar(source, member(source, item.value, "operationId")) or signature,
        signature,
        "\n".join(text for text in about if text),
    )


def _types(
    source: SourceText, holder: Node | None, declarations: Declarations
) -> list[NamedLines]:
    return declarations.blocks(
        _declared(
            source,
            item,
            "type",
            item.key,
            _type_signature(source, item),
            scalar(source, member(source, item.value, "description")),
        )
        for item in members(source, holder)
    )


def _type_signature(source: SourceText, item: Member) -> str:
    names = ", ".join(_properties(source, item.value))
    return f"{item.key} {{{names}}}" if names else item.key


def _properties(source: SourceText, value: Node | None) -> Iterator[str]:
    for item in members(source, member(source, value, "properties")):
        yield item.key


def _declared(
    source: SourceText,
    item: Member,
    kind: str,
    name: str,
    signature: str,
    docstring: str,
) -> Declared:
    return Declared(
        kind=kind,
        name=name,
        signature=signature,
        start_line=item.start_line,
        end_line=item.end_line,
        start_column=column_of(source, item.node.start_point),
        end_column=column_of(source, item.node.end_point),
        docstring=docstring,
    )
