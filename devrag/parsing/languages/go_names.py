"""Names in Go: calls, types, receivers, imports, packages."""

from __future__ import annotations

import re

from tree_sitter import Node

from devrag.parsing.code.names import Shape, dotted_name
from devrag.parsing.code.spec import Import
from devrag.parsing.code.text import node_text
from devrag.parsing.code.tree import Captures
from devrag.parsing.paths import folders
from devrag.parsing.source import SourceText

_BUILTINS = (
    "any bool byte comparable complex64 complex128 error float32 float64 int int8 "
    "int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr"
)
BUILTIN_TYPES = frozenset(_BUILTINS.split())
_SHAPES: dict[str, Shape] = {
    "selector_expression": ("operand", "field", ""),
    "call_expression": ("function", "", "()"),
    "index_expression": ("operand", "", "[]"),
}
# A type that has methods: named, perhaps a pointer to it, perhaps with arguments.
_NAMED = re.compile(r"\*?\s*([^\W\d]\w*(?:\.\w+)?)(?:\[.*\])?", re.DOTALL)
_RECEIVER = re.compile(r"\(\s*(?:([^\W\d]\w*)\s+)?\*?\s*([^\W\d]\w*)")
_VERSION = re.compile(r"v\d+$")
_PACKAGE = re.compile(r"^(?:go-)?([^\W\d]\w*)")
_DIRECTIVE = re.compile(r"^(?:go|lint):[a-z].*\n?|^nolint\b.*\n?", re.MULTILINE)


def name_of(source: SourceText, node: Node) -> str:
    """Return the called name, dotted; '' for a conversion to a built-in type."""
    name = dotted_name(source, node, _SHAPES)
    return "" if name in BUILTIN_TYPES else name


def type_names(text: str) -> tuple[str, ...]:
    """Return the one name of a named type; none for built-in and composed types."""
    match = _NAMED.fullmatch(text)
    return (match[1],) if match and match[1] not in BUILTIN_TYPES else ()


def receiver_of(source: SourceText, node: Node) -> tuple[str, str]:
    """Return (variable, type) of a method's receiver; the variable may be ''."""
    match = _RECEIVER.match(node_text(source, node))
    return (match[1] or "", match[2]) if match else ("", "")


def package_name(source: SourceText, captures: Captures) -> str:
    """Return the folder, dotted; tests from outside a package have their own."""
    names = folders(source.path)
    clauses = captures.get("package", ())
    package = node_text(source, clauses[0]) if clauses else ""
    if package.endswith("_test"):
        names[-1:] = [package]
    return ".".join(names)


def imports(source: SourceText, node: Node) -> list[Import]:
    """Return what one import specification binds; `_` and `.` bind no name."""
    path = node.child_by_field_name("path")
    if path is None:
        return []
    line, start = node.start_point.row + 1, node.start_byte
    written = node_text(source, path).strip('"`')
    dotted = written.replace("/", ".")
    named = node.child_by_field_name("name")
    alias = node_text(source, named) if named else _assumed_name(written)
    if alias == ".":
        return [Import(f"{dotted}.*", "", "", line, start)]
    return [Import(dotted, "" if alias == "_" else alias, dotted, line, start)]


def _assumed_name(path: str) -> str:
    """Guess a package's name from its path as Go's own tools do."""
    parts = path.split("/")
    if len(parts) > 1 and _VERSION.match(parts[-1]):
        parts.pop()
    match = _PACKAGE.match(parts[-1])
    return match[1] if match else ""


def without_directives(text: str) -> str:
    """Return a doc comment without what it tells the tools."""
    return _DIRECTIVE.sub("", text).strip()
