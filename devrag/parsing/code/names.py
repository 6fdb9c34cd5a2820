"""Dotted names of expressions, in languages that chain with `.`, `->` or `::`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tree_sitter import Node

from devrag.parsing.code.text import first_named, node_text
from devrag.parsing.source import SourceText

_PLAIN = re.compile(r"[^\W\d][\w.]*")
_LAST = re.compile(r"\w+")
_ARGUMENTS = re.compile(r"(?:::)?(?<=[\w:])\s*<[^<>()]*>")
_NAME_LIMIT = 300

# Of a node type: the field before the dot (or of what is called; '' for the first
# child), the field after it, and what stands for the rest: `()` or `[]`.
Shape = tuple[str, str, str]


def dotted_name(source: SourceText, node: Node, shapes: Mapping[str, Shape]) -> str:
    """Return an expression's name, dotted: `a.b`, `a.b().c`, `a[].b`.

    A node of no shape and no field is named by its text when that is a plain name. ''
    when the expression has no name to speak of, or is too long to be one.
    """
    data = source.data[node.start_byte : node.end_byte]
    if len(data) > _NAME_LIMIT:
        return ""
    text = plain_path(data.decode("utf-8", "replace"))
    return text if _PLAIN.fullmatch(text) else _chain(source, node, shapes)


def plain_path(text: str) -> str:
    """Return a path with dots, without the arguments of templates and generics."""
    while "<" in text and (shorter := _ARGUMENTS.sub("", text)) != text:
        text = shorter
    return text.replace("::", ".").replace("->", ".").lstrip(".")


def _chain(source: SourceText, node: Node, shapes: Mapping[str, Shape]) -> str:
    """Follow the chain from its last link inwards."""
    tail = ""
    while True:
        shape = shapes.get(node.type)
        if shape is None:
            text = node_text(source, node)
            text = plain_path(text)
            return text + tail if _PLAIN.fullmatch(text) else ""
        before, after, mark = shape
        inner = node.child_by_field_name(before) if before else first_named(node)
        last = node.child_by_field_name(after) if after else None
        if inner is None or (after and last is None):
            return ""
        if last is not None:
            name = plain_path(node_text(source, last))
            if not _LAST.fullmatch(name):
                return ""
            tail = f".{name}{tail}"
        tail = mark + tail
        node = inner
