"""C#: the query and the rules that a query cannot say."""

from __future__ import annotations

import re
from dataclasses import replace

from tree_sitter import Node

from devrag.parsing.code.spec import Description, Held
from devrag.parsing.code.text import node_text, one_line
from devrag.parsing.languages.class_family import (
    DefinitionHead,
    class_language,
    constant,
    definition,
    doc_above,
    heading,
    names_in,
    supertypes,
    with_access,
)
from devrag.parsing.languages.class_values import typed, value_type
from devrag.parsing.languages.csharp_names import import_items, name_of, namespace
from devrag.parsing.source import SourceText
from devrag.parsing.types import Parameter

_NAME = "[(identifier) (qualified_name)] @type"
# Where types are used, other than as supertypes and in `new`.
_TYPE_PLACES = (
    "variable_declaration type: ",
    "parameter type: ",
    "method_declaration returns: ",
    "local_function_statement type: ",
    "delegate_declaration type: ",
    "property_declaration type: ",
    "indexer_declaration type: ",
    "event_declaration type: ",
    "operator_declaration type: ",
    "conversion_operator_declaration type: ",
    "foreach_statement type: ",
    "catch_declaration type: ",
    "cast_expression type: ",
    "as_expression right: ",
    "declaration_pattern type: ",
    "recursive_pattern type: ",
    "type_pattern type: ",
    "typeof_expression type: ",
    "default_expression type: ",
    "declaration_expression type: ",
    "array_type type: ",
    "nullable_type type: ",
    "pointer_type type: ",
    "ref_type type: ",
    "tuple_element type: ",
    "type_parameter_constraint type: ",
    "type_argument_list ",
)
_TYPES = "\n".join(
    f"({place}{_NAME})\n({place}(generic_name . {_NAME}))" for place in _TYPE_PLACES
)
QUERY = f"""
[(class_declaration) (record_declaration) (struct_declaration)] @definition.class
(interface_declaration) @definition.interface
(enum_declaration) @definition.enum
(enum_member_declaration) @definition.constant
(namespace_declaration) @definition.namespace
(delegate_declaration) @definition.type
(field_declaration (variable_declaration (variable_declarator) @definition.field))
[
  (method_declaration) (constructor_declaration) (destructor_declaration)
  (operator_declaration) (conversion_operator_declaration) (indexer_declaration)
  (local_function_statement)
] @definition.function
(property_declaration) @definition.property
(file_scoped_namespace_declaration name: (_) @package)
(using_directive) @import
[(invocation_expression) (object_creation_expression)] @call
(attribute) @decorator
(type_parameter name: (identifier) @type.parameter)
[
  (variable_declaration) (property_declaration) (foreach_statement)
  (declaration_pattern)
] @hold
(catch_declaration name: (identifier) @rebound)
(implicit_parameter) @rebound
{_TYPES}
(member_access_expression expression: (identifier) @use)
[
  (if_statement) (for_statement) (foreach_statement) (while_statement) (do_statement)
  (catch_clause) (catch_filter_clause) (when_clause) (conditional_expression)
] @branch
(switch_section "case") @branch
(switch_expression_arm . [
  (constant_pattern) (declaration_pattern) (recursive_pattern) (relational_pattern)
  (negated_pattern) (and_pattern) (or_pattern) (type_pattern) (tuple_pattern)
  (list_pattern) (parenthesized_pattern)
] @branch)
(binary_expression operator: ["&&" "||"]) @branch
(comment) @comment
(ERROR) @error
(MISSING) @error
"""
_BUILTINS = (
    "string object bool byte sbyte short ushort int uint long ulong float double "
    "decimal char void nint nuint dynamic String Object Boolean Int16 Int32 Int64 "
    "Double Decimal Char Byte Type Exception Task ValueTask Action Func Void"
)
_WORDS = frozenset({"var"})
_FIELDS = {"field_declaration", "event_field_declaration"}
# Which access a definition has by where it stands, when it says none.
_DEFAULT_ACCESS = {
    "class_declaration": "private",
    "record_declaration": "private",
    "struct_declaration": "private",
    "interface_declaration": "public",
    "namespace_declaration": "internal",
    "compilation_unit": "internal",
}
_WITHOUT_ACCESS = frozenset(
    {"enum_member_declaration", "local_function_statement", "destructor_declaration"}
)
_INTERFACE_NAME = re.compile(r"(?:.*\.)?I[A-Z]")
_TAG = re.compile(
    r"""<(?:see|paramref|typeparamref)\s+\w+=["'](\w:)?([^"']*)["']\s*/>"""
)
_NAMED_TAG = re.compile(r"""<(?:param|typeparam|exception)\s+\w+=["']([^"']*)["']>""")
_OTHER_TAG = re.compile(r"</?[A-Za-z][^<>\n]*>")


def _describe(source: SourceText, node: Node, kind: str) -> Description | None:
    if kind == "namespace":
        return _describe_namespace(source, node)
    if kind == "field":
        return _describe_field(source, node)
    head = with_access(heading(source, node), _default_access(node))
    name = _own_name(source, node)
    if not name:
        return None
    if kind == "constant":
        return constant(source, node, head, name, docstring=_doc(source, node))
    if kind == "property":
        return _describe_property(source, node, head, name)
    return _describe_body(source, node, head, kind, name)


def _describe_namespace(source: SourceText, node: Node) -> Description | None:
    name = _own_name(source, node)
    head = DefinitionHead(node)
    body = node.child_by_field_name("body")
    return definition(source, node, head, "namespace", name, body) if name else None


def _describe_body(
    source: SourceText, node: Node, head: DefinitionHead, kind: str, name: str
) -> Description:
    fields = map(node.child_by_field_name, ("body", "accessors", "value"))
    body = next((field for field in fields if field is not None), None)
    parameters = node.child_by_field_name("parameters")
    clauses = {child.type: child for child in node.named_children}
    bases, interfaces = _bases(source, kind, node.type, clauses.get("base_list"))
    return definition(
        source,
        node,
        head,
        kind,
        name,
        body,
        parameters=_parameters(source, parameters or clauses.get("parameter_list")),
        return_type=_return_type(source, node),
        bases=bases,
        interfaces=interfaces,
        docstring=_doc(source, node),
    )


def _describe_property(
    source: SourceText, node: Node, head: DefinitionHead, name: str
) -> Description:
    """A property that computes is a method; one that only holds is a variable."""
    accessors = node.child_by_field_name("accessors")
    arrow = node.child_by_field_name("value")
    computes = arrow is not None and arrow.type == "arrow_expression_clause"
    for accessor in accessors.named_children if accessors is not None else ():
        computes = computes or accessor.child_by_field_name("body") is not None
    doc = _doc(source, node)
    if not computes:
        declared = node.child_by_field_name("type")
        return constant(source, node, head, name, "variable", declared, doc)
    return definition(
        source,
        node,
        head,
        "function",
        name,
        accessors or arrow,
        return_type=_return_type(source, node),
        modifiers=(*head.modifiers, "property"),
        docstring=doc,
    )


def _describe_field(source: SourceText, declarator: Node) -> Description | None:
    """Only what never changes: `const` and `static readonly`."""
    declaration = declarator.parent
    node = declaration.parent if declaration is not None else None
    if declaration is None or node is None:
        return None
    head = with_access(heading(source, node), _default_access(node))
    modifiers = set(head.modifiers)
    if "const" not in modifiers and not {"static", "readonly"} <= modifiers:
        return None
    declared = declaration.child_by_field_name("type")
    name = declarator.child_by_field_name("name")
    if name is None:
        return None
    doc = _doc(source, node)
    text = node_text(source, name)
    return constant(source, node, head, text, "constant", declared, doc)


def _default_access(node: Node) -> str:
    """Return the access of what says none, by the type or namespace around it."""
    if node.type in _WITHOUT_ACCESS:
        return ""
    if any(child.type == "explicit_interface_specifier" for child in node.children):
        return ""
    above = node.parent
    while above is not None and above.type not in _DEFAULT_ACCESS:
        above = above.parent
    return _DEFAULT_ACCESS[above.type] if above is not None else ""


def _own_name(source: SourceText, node: Node) -> str:
    kind = node.type
    if kind == "indexer_declaration":
        return "this[]"
    if kind == "conversion_operator_declaration":
        return f"operator {_return_type(source, node)}"
    if kind == "operator_declaration":
        operator = node.child_by_field_name("operator")
        return f"operator {node_text(source, operator)}" if operator else ""
    name = node.child_by_field_name("name")
    mark = "~" if kind == "destructor_declaration" else ""
    return mark + node_text(source, name) if name is not None else ""


def _return_type(source: SourceText, node: Node) -> str:
    found = node.child_by_field_name("returns") or node.child_by_field_name("type")
    return one_line(node_text(source, found)) if found is not None else ""


def _parameters(source: SourceText, node: Node | None) -> tuple[Parameter, ...]:
    if node is None:
        return ()
    # The grammar puts the parts of a final `params T[] name` straight into the list.
    holders = [c for c in node.named_children if c.type == "parameter"]
    found = []
    for holder in [*holders, node]:
        name = holder.child_by_field_name("name")
        declared = holder.child_by_field_name("type")
        if name is not None:
            typed = one_line(node_text(source, declared)) if declared else ""
            found.append(Parameter(node_text(source, name), typed))
    return tuple(found)


def _bases(
    source: SourceText, kind: str, form: str, clause: Node | None
) -> tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]:
    """Tell bases from interfaces as C# does not, by the I of their names."""
    if clause is None or kind == "enum":
        return (), ()
    named = supertypes(source, clause.named_children)
    if kind == "interface":
        return named, ()
    if form == "struct_declaration":
        return (), named
    interfaces = tuple(pair for pair in named if _INTERFACE_NAME.match(pair[0]))
    return tuple(pair for pair in named if pair not in interfaces), interfaces


def _held(source: SourceText, node: Node) -> list[Held]:
    """Read fields, properties, local variables, loops and patterns."""
    declared = node.child_by_field_name("type")
    above = node.parent
    if node.type != "variable_declaration":
        name = node.child_by_field_name("name") or node.child_by_field_name("left")
        if name is None or name.type != "identifier":
            return []
        is_local = node.type != "property_declaration"
        return [typed(source, declared, name, None, name_of, is_local=is_local)]
    is_local = above is None or above.type not in _FIELDS
    found = []
    for each in node.named_children:
        name = each.child_by_field_name("name")
        if each.type == "variable_declarator" and name is not None:
            value = each.named_children[-1] if each.named_child_count > 1 else None
            places = (declared, name, value, name_of)
            found.append(typed(source, *places, is_local=is_local))
    return found


def _doc(source: SourceText, node: Node) -> str:
    """Return the XML comment above a definition as plain text."""
    text = doc_above(source, node)
    if "<" not in text:
        return text
    text = _NAMED_TAG.sub(r"\1: ", _TAG.sub(r"\2", text))
    parts = (_OTHER_TAG.sub("", part) for part in text.split("</summary>"))
    return "\n\n".join(filter(None, map(_without_blank_lines, parts)))


def _without_blank_lines(text: str) -> str:
    return "\n".join(filter(None, map(str.strip, text.split("\n"))))


def _type_names(text: str) -> tuple[str, ...]:
    return names_in(text, _WORDS)


CSHARP = replace(
    class_language(
        *("csharp", QUERY, _describe),
        (import_items, name_of, _type_names, namespace),
        _BUILTINS,
    ),
    held=_held,
    value_type=value_type,
)
