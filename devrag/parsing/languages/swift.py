"""Swift: the query and the rules that a query cannot say."""

from __future__ import annotations

import re
from dataclasses import replace

from tree_sitter import Node

from devrag.parsing.code.spec import Description, Named
from devrag.parsing.code.text import node_text, one_line
from devrag.parsing.languages.blanking import without
from devrag.parsing.languages.class_family import (
    DefinitionHead,
    class_language,
    constant,
    definition,
    head_name,
    heading,
    supertypes,
    with_access,
)
from devrag.parsing.languages.swift_names import (
    import_items,
    name_of,
    namespace,
    type_names,
)
from devrag.parsing.source import SourceText
from devrag.parsing.types import Parameter

# Where types are used, other than as supertypes, in attributes and in calls.
_TYPE_PLACES = (
    "parameter lambda_parameter type_annotation function_declaration "
    "protocol_function_declaration subscript_declaration optional_type array_type "
    "dictionary_type type_arguments tuple_type_item function_type metatype "
    "opaque_type existential_type protocol_composition_type enum_type_parameters "
    "type_parameter inheritance_constraint typealias_declaration "
    "associatedtype_declaration as_expression check_expression pattern"
)
_TYPES = "\n".join(f"({place} (user_type) @type)" for place in _TYPE_PLACES.split())
QUERY = f"""
[(class_declaration) (protocol_declaration)] @definition.class
[
  (function_declaration) (protocol_function_declaration) (init_declaration)
  (deinit_declaration) (subscript_declaration)
] @definition.function
(source_file (property_declaration) @definition.property)
(class_body (property_declaration) @definition.property)
(enum_class_body (property_declaration) @definition.property)
(protocol_property_declaration) @definition.property
(enum_entry name: (simple_identifier) @definition.member)
(typealias_declaration) @definition.type
(import_declaration) @import
(call_expression . [(simple_identifier) (navigation_expression)] @call
  (call_suffix . [(lambda_literal) (value_arguments . "(")]))
(constructor_expression constructed_type: (user_type) @call)
(attribute) @decorator
(type_parameter . (type_identifier) @type.parameter)
(associatedtype_declaration name: (type_identifier) @type.parameter)
{_TYPES}
(navigation_expression target: (simple_identifier) @use)
[
  (if_statement) (guard_statement) (for_statement) (while_statement)
  (repeat_while_statement) (catch_block) (ternary_expression) (where_clause)
  (conjunction_expression) (disjunction_expression)
] @branch
(switch_entry . (switch_pattern) @branch)
(switch_entry (where_keyword) @branch)
[(comment) (multiline_comment)] @comment
(ERROR) @error
(MISSING) @error
"""
_BUILTINS = (
    "Any AnyObject Self Void Never String Int Int8 Int16 Int32 Int64 UInt UInt8 UInt16 "
    "UInt32 UInt64 Bool Character Float Double Error"
)
_RAW_TYPES = frozenset({"String", "Character", "Int", "UInt", "Double", "Float"})
_PROTOCOL = re.compile(
    r".*(?:Protocol|Delegate|DataSource|[ai]ble|Error|Sendable|AnyObject)$"
)
_KINDS = {"enum": "enum", "extension": "extension", "protocol": "interface"}
_NAMES = {
    "init_declaration": "init",
    "deinit_declaration": "deinit",
    "subscript_declaration": "subscript",
}
_BINDING = "value_binding_pattern"
_LOCAL = frozenset({"statements", "protocol_body"})


def _describe(source: SourceText, node: Node, kind: str) -> Description | None:
    if kind == "member":
        return _describe_case(source, node)
    parent = node.parent
    head = heading(source, node)
    is_local = parent is None or parent.type in _LOCAL
    if not is_local and node.type != "deinit_declaration":
        head = with_access(head, "internal")
    if kind == "property":
        return _describe_property(source, node, head)
    named = node.child_by_field_name("name")
    name = _NAMES.get(node.type) or (node_text(source, named) if named else "")
    if not name:
        return None
    if kind == "function":
        return _describe_function(source, node, head, name)
    if kind == "type":
        return constant(source, node, head, name, kind)
    return _describe_type(source, node, head, head_name(name))


def _describe_type(
    source: SourceText, node: Node, head: DefinitionHead, name: str
) -> Description | None:
    kind = node.child_by_field_name("declaration_kind")
    word = node_text(source, kind) if kind is not None else ""
    clauses = [c for c in node.named_children if c.type == "inheritance_specifier"]
    named = supertypes(source, clauses)
    bases, interfaces = _told_apart(word, named)
    body = node.child_by_field_name("body")
    if not name:
        return None
    return definition(
        source,
        node,
        head,
        _KINDS.get(word, "class"),
        name,
        body,
        bases=bases,
        interfaces=interfaces,
    )


def _told_apart(
    word: str, named: tuple[Named, ...]
) -> tuple[tuple[Named, ...], tuple[Named, ...]]:
    """Tell the base from protocols: only a class has one, and names it first."""
    if word == "protocol":
        return named, ()
    if word == "enum":
        named = tuple(pair for pair in named if pair[0] not in _RAW_TYPES)
    if word == "class" and named and not _PROTOCOL.match(named[0][0]):
        return named[:1], named[1:]
    return (), named


def _describe_function(
    source: SourceText, node: Node, head: DefinitionHead, name: str
) -> Description:
    body = node.child_by_field_name("body")
    parameters: list[Parameter] = []
    words: list[str] = []
    returned = ""
    for child in node.children:
        kind = child.type
        if kind == "parameter":
            parameters.extend(_parameter(source, child))
        elif kind == "computed_property":
            body = child
        elif words[-1:] == ["->"]:
            returned = one_line(node_text(source, child))
        words.append(kind)
    is_async = "async" in words
    return definition(
        source,
        node,
        head,
        "function",
        name,
        body,
        parameters=tuple(parameters),
        return_type=returned,
        modifiers=(*head.modifiers, "async") if is_async else head.modifiers,
    )


def _parameter(source: SourceText, node: Node) -> list[Parameter]:
    named = node.children_by_field_name("name")
    if len(named) < 2:
        return []
    dots = "..." if node.children[-1].type == "..." else ""
    typed = one_line(node_text(source, named[1])) + dots
    return [Parameter(node_text(source, named[0]), typed)]


def _describe_property(
    source: SourceText, node: Node, head: DefinitionHead
) -> Description | None:
    """A property that computes is a method; one that only holds is a variable."""
    pattern = node.child_by_field_name("name")
    named = pattern.child_by_field_name("bound_identifier") if pattern else None
    if named is None:
        return None
    name = node_text(source, named)
    annotation = next((c for c in node.children if c.type == "type_annotation"), None)
    declared = annotation.child_by_field_name("name") if annotation else None
    body = node.child_by_field_name("computed_value")
    if body is not None:
        return definition(
            source,
            node,
            head,
            "function",
            name,
            body,
            return_type=one_line(node_text(source, declared)) if declared else "",
            modifiers=(*head.modifiers, "property"),
        )
    binding = next((c for c in node.children if c.type == _BINDING), None)
    is_let = binding is not None and node_text(source, binding) == "let"
    parent = node.parent
    is_top = parent is not None and parent.type == "source_file"
    is_constant = is_let and (is_top or "static" in head.modifiers)
    if not is_constant and not {"private", "fileprivate"}.isdisjoint(head.modifiers):
        return None
    kind = "constant" if is_constant else "variable"
    return constant(source, node, head, name, kind, declared)


def _describe_case(source: SourceText, node: Node) -> Description:
    """Describe one name of `case a, b(Int)`."""
    name = node_text(source, node)
    about = constant(source, node, DefinitionHead(node), name)
    data = node.next_sibling
    holds = data is not None and data.type == "enum_type_parameters"
    values = one_line(node_text(source, data)) if data is not None and holds else ""
    return replace(about, signature=f"case {name}{values}")


SWIFT = replace(
    class_language(
        "swift",
        QUERY,
        _describe,
        (import_items, name_of, type_names, namespace),
        _BUILTINS,
    ),
    receivers=frozenset({"self", "Self"}),
    # Conditions of the compiler may stand anywhere, for the grammar not so.
    prepare=without(
        rb"^[ \t]*#(?:if|elseif|else|endif)\b[^\n]*|(?<=\bnonisolated)\(unsafe\)"
    ),
)
