"""What Java, C#, Kotlin, Scala and Swift share: headings, doc comments, names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypedDict, Unpack

from tree_sitter import Node

from devrag.parsing.code.spec import (
    Describe,
    Description,
    Import,
    LanguageSpec,
    Named,
)
from devrag.parsing.code.text import clean_comment, node_text, one_line
from devrag.parsing.code.tree import Captures
from devrag.parsing.source import SourceText
from devrag.parsing.types import Parameter

ACCESS = frozenset(
    {"public", "private", "protected", "internal", "fileprivate", "open", "package"}
)
_ANNOTATIONS = frozenset({"annotation", "marker_annotation"})
_ATTRIBUTES = frozenset({"attribute_list", "attribute"})
_COMMENTS = frozenset({"comment", "line_comment", "block_comment", "multiline_comment"})
_LEADING = _ANNOTATIONS | _ATTRIBUTES | _COMMENTS | {"modifier"}
_PLAIN = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_NAME = re.compile(rf"(?<![@\w.]){_PLAIN.pattern}")
_ARGUMENTS = re.compile(r"[<\[(].*[>\])]", re.DOTALL)
_NAME_LIMIT = 300
_CHAIN_LIMIT = 12
_DOC_LINES = 400
_SUMMARY_LIMIT = 200

Names = tuple[
    Callable[[SourceText, Node], list[Import]],
    Callable[[SourceText, Node], str],
    Callable[[str], tuple[str, ...]],
    Callable[[SourceText, Captures], str],
]

# The end of a name (`.c`), and the node that holds what stands before it.
Link = tuple[str, Node | None]


@dataclass(frozen=True, slots=True)
class DefinitionHead:
    """What stands before a definition's name; start: where its signature begins."""

    start: Node
    modifiers: tuple[str, ...] = ()
    annotations: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()


def class_language(
    name: str, query: str, describe: Describe, names: Names, builtins: str
) -> LanguageSpec:
    """Return a language of the family: in a class, a bare call may mean a method.

    names: how imports, called names, types and namespaces are read.
    """
    imports, name_of, type_names, namespace = names
    return LanguageSpec(
        name=name,
        grammar=name,
        query=query,
        describe=describe,
        imports=imports,
        name_of=name_of,
        type_names=type_names,
        namespace=namespace,
        builtins=frozenset(builtins.split()),
        receivers=frozenset({"this"}),
        is_self_implicit=True,
    )


def heading(source: SourceText, node: Node) -> DefinitionHead:
    """Read the modifiers and annotations that a definition begins with."""
    modifiers: list[str] = []
    annotations: list[str] = []
    attributes: list[str] = []
    start = None
    for child in _leading(node):
        if child.type in _ANNOTATIONS:
            annotations.append(one_line(node_text(source, child)))
        elif child.type in _ATTRIBUTES:
            attributes.append(one_line(node_text(source, child)))
        elif child.type not in _COMMENTS:
            start = start or child
            modifiers.append(node_text(source, child))
    # What stopped the reading is the keyword or type, which is no modifier.
    del modifiers[-1:]
    return DefinitionHead(
        start or node, tuple(modifiers), tuple(annotations), tuple(attributes)
    )


def _leading(node: Node) -> Iterator[Node]:
    """Yield modifiers, annotations and comments, then the first other child."""
    for child in node.children:
        kind = child.type
        if kind == "modifiers":
            yield from child.children
        else:
            yield child
            if kind not in _LEADING:
                return


def with_access(head: DefinitionHead, default: str) -> DefinitionHead:
    """Return the heading led by the default access when none is written."""
    # `private[shop]` is written access, `private(set)` only that of the setter.
    written = (modifier.partition("[")[0] for modifier in head.modifiers)
    if not default or not ACCESS.isdisjoint(written):
        return head
    return replace(head, modifiers=(default, *head.modifiers))


class Details(TypedDict, total=False):
    """What only the language can say of a definition."""

    parameters: tuple[Parameter, ...]
    return_type: str
    bases: tuple[Named, ...]
    interfaces: tuple[Named, ...]
    modifiers: tuple[str, ...]
    docstring: str


def definition(
    source: SourceText,
    node: Node,
    head: DefinitionHead,
    kind: str,
    name: str,
    body: Node | None,
    **details: Unpack[Details],
) -> Description:
    """Describe a function or type; what details leave out is the family's way."""
    details.setdefault("modifiers", head.modifiers)
    if "docstring" not in details:
        details["docstring"] = doc_above(source, node)
    end = body.start_byte if body is not None else node.end_byte
    row = (body.start_point if body is not None else node.end_point).row
    text = source.data[head.start.start_byte : end].decode("utf-8", "replace")
    return Description(
        kind=kind,
        name=name,
        outer=node,
        signature=one_line(text).rstrip(" {=;:"),
        signature_lines=(head.start.start_point.row + 1, row + 1),
        body=body,
        annotations=head.annotations,
        attributes=head.attributes,
        **details,
    )


def constant(
    source: SourceText,
    node: Node,
    head: DefinitionHead,
    name: str,
    kind: str = "constant",
    declared: Node | None = None,
    docstring: str | None = None,
) -> Description:
    """Describe a constant, variable, enum member or alias by its first characters."""
    bodies = (c.start_byte for c in node.children if c.type == "class_body")
    end = min(next(bodies, node.end_byte), head.start.start_byte + 4 * _SUMMARY_LIMIT)
    text = source.data[head.start.start_byte : end].decode("utf-8", "ignore")
    row = head.start.start_point.row + 1
    return Description(
        kind=kind,
        name=name,
        outer=node,
        signature=one_line(text)[:_SUMMARY_LIMIT].rstrip(" {;,"),
        signature_lines=(row, row),
        return_type=one_line(node_text(source, declared)) if declared else "",
        docstring=doc_above(source, node) if docstring is None else docstring,
        annotations=head.annotations,
        attributes=head.attributes,
        modifiers=head.modifiers,
    )


def doc_above(source: SourceText, node: Node) -> str:
    """Return the cleaned `/** */` or `///` comment directly above a definition.

    Read from the lines: some grammars put the comment into what stands above it.
    """
    lines, last = source.lines, node.start_point.row
    above = lines[last - 1].strip() if last else ""
    first = last - 1
    limit = max(first - _DOC_LINES, 0)
    if above.startswith("///"):
        while first > limit and lines[first - 1].lstrip().startswith("///"):
            first -= 1
    elif above.endswith("*/"):
        while first > limit and "/*" not in lines[first]:
            first -= 1
        if not lines[first].lstrip().startswith("/**"):
            return ""
    else:
        return ""
    return clean_comment("\n".join(lines[first:last]))


def dotted(
    source: SourceText, node: Node, link: Callable[[SourceText, Node], Link | None]
) -> str:
    """Return the dotted name of an expression, built from its end; '' for none."""
    parts: list[str] = []
    rest: Node | None = node
    while rest is not None:
        found = link(source, rest)
        if found is None or len(parts) > _CHAIN_LIMIT:
            return ""
        part, rest = found
        parts.append(part)
    name = "".join(reversed(parts))
    return name if len(name) <= _NAME_LIMIT else ""


def plain_name(source: SourceText, start: int, end: int) -> str:
    """Return the text between two offsets when it is a plain dotted name, else ''."""
    if end - start > _NAME_LIMIT:
        return ""
    text = source.data[start:end].decode("utf-8", "replace")
    return text if _PLAIN.fullmatch(text) else ""


def head_name(text: str) -> str:
    """Return a type's name without its arguments: `a.Base<T>(x)` is `a.Base`."""
    name = "".join(_ARGUMENTS.sub("", text).split()) if text else ""
    return name if _PLAIN.fullmatch(name) else ""


def supertypes(source: SourceText, nodes: Iterable[Node]) -> tuple[Named, ...]:
    """Return the names and lines of the types that a definition builds on."""
    named = ((head_name(node_text(source, n)), n.start_point.row + 1) for n in nodes)
    return tuple(pair for pair in named if pair[0])


def names_in(text: str, without: frozenset[str]) -> tuple[str, ...]:
    """Return the names in a type, each once, in order, without keywords."""
    if _PLAIN.fullmatch(text):
        return () if text in without else (text,)
    found = dict.fromkeys(_NAME.findall(text))
    return tuple(name for name in found if name not in without)
