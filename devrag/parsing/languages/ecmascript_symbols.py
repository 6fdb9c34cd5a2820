"""What JavaScript and TypeScript definitions say of themselves."""

from __future__ import annotations

import re

from tree_sitter import Node

from devrag.parsing.code.spec import Description, Named
from devrag.parsing.code.text import doc_comment, node_text, one_line
from devrag.parsing.languages.ecmascript_definitions import (
    VALUES,
    DefinitionNodes,
    exported_name,
    find_place,
    outer_of,
    value_of,
)
from devrag.parsing.languages.ecmascript_names import name_of
from devrag.parsing.source import SourceText
from devrag.parsing.types import Parameter

_MODIFIER_WORDS = (
    "export default declare public private protected static abstract override "
    "readonly async get set accessor"
)
_MODIFIERS = frozenset(_MODIFIER_WORDS.split())
_ACCESS = frozenset({"public", "private", "protected"})
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_$]*$")
# Comments to tools, not to people.
_DIRECTIVE = re.compile(
    r"(eslint|tslint|biome|prettier|istanbul|c8|v8|@ts|@flow|#(end)?region|jshint)\b"
)
_SIGNATURES = {"function_signature", "method_signature"}
_FUNCTION_NODES = _SIGNATURES | {"function_declaration", "method_definition"}
_COMMENTS = frozenset({"comment"})
_SUMMARY_LIMIT = 200


def describe(source: SourceText, node: Node, kind: str) -> Description | None:
    """Describe a captured definition; None when it has no name of its own."""
    if kind in {"variable", "constant", "type"}:
        return _describe_name(source, node, kind)
    place = find_place(source, node)
    if place is None or not place.name:
        return None
    if kind == "function":
        return _describe_function(source, place)
    return _describe_type(source, place, kind)


def _describe_function(
    source: SourceText, place: DefinitionNodes
) -> Description | None:
    value = place.value
    if value.type in _SIGNATURES and _is_overload(source, place):
        return None
    listed = value.child_by_field_name("parameters")
    single = value.child_by_field_name("parameter")
    returned = value.child_by_field_name("return_type")
    body = value.child_by_field_name("body")
    last = returned or listed or single or value
    first, head, decorators = _decorated(source, place)
    end = body.start_byte if body else last.end_byte
    typed = node_text(source, returned).lstrip(": ") if returned else ""
    return Description(
        kind="function",
        name=place.name,
        owner=place.owner,
        outer=place.outer,
        first=first,
        signature=_function_signature(source, head, value, end),
        signature_lines=(head.start_point.row + 1, last.end_point.row + 1),
        body=body,
        parameters=tuple(_parameters(source, listed))
        if listed
        else _one(source, single),
        return_type=one_line(typed),
        docstring=_docstring(source, first or place.outer),
        decorators=decorators,
        modifiers=_modifiers(source, place, head),
    )


def _describe_type(
    source: SourceText, place: DefinitionNodes, kind: str
) -> Description:
    value = place.value
    body = value.child_by_field_name("body")
    end = body.start_byte if body else value.end_byte
    first, head, decorators = _decorated(source, place)
    last_row = source.data.count(b"\n", head.start_byte, end) + head.start_point.row
    bases, interfaces = _supertypes(source, value)
    return Description(
        kind=kind,
        name=place.name.strip("\"'"),
        owner=place.owner,
        outer=place.outer,
        first=first,
        signature=_signature(source, head, end),
        signature_lines=(head.start_point.row + 1, last_row + 1),
        body=body,
        docstring=_docstring(source, first or place.outer),
        decorators=decorators,
        modifiers=_modifiers(source, place, head),
        bases=bases,
        interfaces=interfaces,
    )


def _describe_name(source: SourceText, node: Node, kind: str) -> Description | None:
    """Describe a variable of the file, a type alias or a member of an enum."""
    name = node.child_by_field_name("name") or node
    if node.type == "assignment_expression":
        name = exported_name(source, node) or name
    if kind == "variable" and (name == node or not _is_plain_value(source, node)):
        return None
    text = node_text(source, name)
    outer = outer_of(node)
    head = source.data[outer.start_byte : outer.start_byte + 4 * _SUMMARY_LIMIT]
    whole = source.data[outer.start_byte : outer.end_byte]
    head = head if len(head) < len(whole) else whole
    declared = node.child_by_field_name("type")
    is_constant = kind == "variable" and _CONSTANT.match(text)
    first_row = outer.start_point.row + 1
    place = DefinitionNodes(text, "", outer, node)
    return Description(
        kind="constant" if is_constant else kind,
        name=text,
        outer=outer,
        signature=one_line(head.decode("utf-8", "ignore")).rstrip(";")[:_SUMMARY_LIMIT],
        signature_lines=(first_row, first_row),
        return_type=node_text(source, declared).lstrip(": ") if declared else "",
        # What stands apart above variables is a heading: “Module dependencies.”
        docstring=_docstring(source, outer, may_be_apart=False),
        modifiers=_modifiers(source, place, outer),
    )


def _is_plain_value(source: SourceText, declarator: Node) -> bool:
    """Return whether a variable is neither a function, a class nor an import."""
    value = declarator.child_by_field_name("value")
    value = value or declarator.child_by_field_name("right")
    if value is None:
        return True
    if value.type == "await_expression":
        value = next(iter(value.named_children), value)
    if value.type == "member_expression":
        value = value.child_by_field_name("object") or value
    called = value.child_by_field_name("function")
    if called is not None and node_text(source, called) in {"require", "import"}:
        return False
    return value_of(source, declarator) is None


def _decorated(
    source: SourceText, place: DefinitionNodes
) -> tuple[Node | None, Node, tuple[str, ...]]:
    """Return the first decorator before, the first node after, and all texts."""
    inside = [c for c in place.outer.children if c.type == "decorator"]
    if place.value != place.outer:
        inside += [c for c in place.value.children if c.type == "decorator"]
    before: list[Node] = []
    above = place.outer.prev_sibling
    while above is not None and above.type == "decorator":
        before.insert(0, above)
        above = above.prev_sibling
    head = place.outer
    if inside:
        head = next(c for c in place.outer.children if c.type != "decorator")
    texts = tuple(one_line(node_text(source, node)) for node in (*before, *inside))
    return (before[0] if before else None), head, texts


def _function_signature(source: SourceText, head: Node, value: Node, end: int) -> str:
    """Return the signature, without the call of `memo(function …)` and the like."""
    call = value.parent.parent if value.parent else None
    if call is None or call.type != "call_expression":
        text = _signature(source, head, end)
    else:
        before = source.data[head.start_byte : call.start_byte].decode()
        text = f"{one_line(before)} {_signature(source, value, end)}"
    return text.removesuffix("=>").rstrip()


def _signature(source: SourceText, head: Node, end: int) -> str:
    text = source.data[head.start_byte : end].decode("utf-8", "replace")
    return one_line(text).rstrip(" {;")


def _docstring(source: SourceText, begin: Node, *, may_be_apart: bool = True) -> str:
    text = doc_comment(source, begin, _COMMENTS, may_be_apart=may_be_apart)
    return "" if _DIRECTIVE.match(text) else text


def _modifiers(
    source: SourceText, place: DefinitionNodes, head: Node
) -> tuple[str, ...]:
    """Return the words before the name; a member that says nothing is public."""
    value = place.value
    name = value.child_by_field_name("name") or value.child_by_field_name("property")
    end = name.start_byte if name and value.type not in VALUES else value.start_byte
    words = source.data[head.start_byte : end].decode("utf-8", "replace").split()
    found = [word for word in words if word in _MODIFIERS]
    if value.child_count and value.children[0].type == "async":
        found.append("async")
    inside = place.outer.parent
    if inside is not None and inside.type == "class_body":
        if place.name.startswith("#"):
            found.insert(0, "private")
        elif _ACCESS.isdisjoint(found):
            found.insert(0, "public")
    return tuple(dict.fromkeys(found))


def _one(source: SourceText, node: Node | None) -> tuple[Parameter, ...]:
    return (Parameter(node_text(source, node)),) if node is not None else ()


def _parameters(source: SourceText, node: Node) -> list[Parameter]:
    """Return the parameters without `this`, patterns as written."""
    found = []
    for child in node.named_children:
        if child.type in {"comment", "ERROR"}:
            continue
        named = child.child_by_field_name("pattern") or child
        named = named.child_by_field_name("left") or named
        declared = child.child_by_field_name("type")
        typed = node_text(source, declared).lstrip(": ") if declared else ""
        text = one_line(node_text(source, named))[:_SUMMARY_LIMIT]
        if text != "this":
            found.append(Parameter(text, one_line(typed)))
    return found


def _supertypes(
    source: SourceText, node: Node
) -> tuple[tuple[Named, ...], tuple[Named, ...]]:
    """Return what a class or interface extends, and what a class implements."""
    bases: list[Named] = []
    interfaces: list[Named] = []
    for clause in _clauses(node):
        found = interfaces if clause.type == "implements_clause" else bases
        for child in clause.named_children:
            target = child.child_by_field_name("name") or child
            if child.type == "nested_type_identifier":
                target = child
            name = _type_name(source, target)
            if name:
                found.append((name, child.start_point.row + 1))
    return tuple(bases), tuple(interfaces)


def _clauses(node: Node) -> list[Node]:
    """Return the nodes that list supertypes, in the shapes of both grammars."""
    found = []
    for child in node.named_children:
        if child.type == "extends_type_clause":
            found.append(child)
        elif child.type == "class_heritage":
            inner = [c for c in child.named_children if c.type.endswith("_clause")]
            found.extend(inner or [child])
    return found


def _type_name(source: SourceText, node: Node) -> str:
    if node.type in {"type_identifier", "nested_type_identifier"}:
        return node_text(source, node)
    if node.type in {"identifier", "member_expression"}:
        return name_of(source, node)
    return ""


def _is_overload(source: SourceText, place: DefinitionNodes) -> bool:
    """Return whether another signature, or the function itself, follows below."""
    after = place.outer.next_named_sibling
    while after is not None and after.type in {"comment", "decorator"}:
        after = after.next_named_sibling
    if after is not None and after.type in {"export_statement", "ambient_declaration"}:
        after = next(iter(after.named_children), after)
    if after is None or after.type not in _FUNCTION_NODES:
        return False
    name = after.child_by_field_name("name")
    return name is not None and node_text(source, name) == place.name
