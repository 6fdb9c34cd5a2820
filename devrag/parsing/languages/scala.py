"""Scala: the query and the rules that a query cannot say."""

from __future__ import annotations

from tree_sitter import Node

from devrag.parsing.code.spec import Description, Named
from devrag.parsing.code.text import node_text, one_line
from devrag.parsing.languages.class_family import (
    DefinitionHead,
    class_language,
    constant,
    definition,
    heading,
    supertypes,
    with_access,
)
from devrag.parsing.languages.scala_names import (
    import_items,
    name_of,
    namespace,
    type_names,
)
from devrag.parsing.source import SourceText
from devrag.parsing.types import Parameter

_NAME = "[(type_identifier) (stable_type_identifier)] @type"
# Where types are used, other than as supertypes, in annotations and in `new`.
_TYPE_PLACES = (
    "parameter type: ",
    "class_parameter type: ",
    "function_definition return_type: ",
    "function_declaration return_type: ",
    "given_definition return_type: ",
    "val_definition type: ",
    "var_definition type: ",
    "val_declaration type: ",
    "var_declaration type: ",
    "type_definition type: ",
    "typed_pattern type: ",
    "upper_bound type: ",
    "lower_bound type: ",
    "context_bound type: ",
    "repeated_parameter_type type: ",
    "lazy_parameter_type type: ",
    "function_type return_type: ",
    "parameter_types ",
    "tuple_type ",
    "compound_type ",
    "infix_type ",
    "type_arguments ",
    "ascription_expression ",
)
_TYPES = "\n".join(
    f"({place}{_NAME})\n({place}(generic_type type: {_NAME}))" for place in _TYPE_PLACES
)
# The bodies that have names; what anonymous classes define belongs around them.
_BODIES = (
    "(compilation_unit {0})",
    "(class_definition body: (template_body {0}))",
    "(object_definition body: (template_body {0}))",
    "(trait_definition body: (template_body {0}))",
    "(enum_definition body: (enum_body {0}))",
    "(package_object body: (template_body {0}))",
    "(package_clause body: (template_body {0}))",
)
_FUNCTIONS = "[(function_definition) (function_declaration)] @definition.function"
_VALUES = """[
  (val_definition) (var_definition) (val_declaration) (var_declaration)
] @definition.value"""
_MEMBERS = "\n".join(
    body.format(member) for body in _BODIES for member in (_FUNCTIONS, _VALUES)
)
QUERY = f"""
[(class_definition) (object_definition) (package_object)] @definition.class
(trait_definition) @definition.interface
(enum_definition) @definition.enum
[(simple_enum_case) (full_enum_case)] @definition.member
(type_definition) @definition.type
{_MEMBERS}
(block (function_definition) @definition.function)
(indented_block (function_definition) @definition.function)
(extension_definition body: {_FUNCTIONS})
(package_clause) @package
(import_declaration) @import
(call_expression function: [
  (identifier) (field_expression) (generic_function)
] @call)
(instance_expression . [
  (type_identifier) (stable_type_identifier) (generic_type)
] @call)
(annotation) @decorator
(type_parameters name: (identifier) @type_parameter)
(covariant_type_parameter name: (identifier) @type_parameter)
(contravariant_type_parameter name: (identifier) @type_parameter)
{_TYPES}
(case_class_pattern type: {_NAME})
(field_expression value: (identifier) @use)
[
  (if_expression) (while_expression) (do_while_expression) (for_expression) (guard)
] @branch
(case_clause pattern: (_) @branch (#not-eq? @branch "_"))
(infix_expression operator: (operator_identifier) @branch
  (#any-of? @branch "&&" "||"))
[(comment) (block_comment)] @comment
(ERROR) @error
(MISSING) @error
"""
_BUILTINS = (
    "Any AnyRef AnyVal Unit Nothing Null String Int Long Short Byte Boolean Char Float "
    "Double Object Throwable Exception"
)
_LOCAL = frozenset({"block", "indented_block"})


def _describe(source: SourceText, node: Node, kind: str) -> Description | None:
    head = heading(source, node)
    if kind == "member":
        named = node.child_by_field_name("name")
        return constant(source, node, head, node_text(source, named)) if named else None
    parent = node.parent
    if parent is None or parent.type not in _LOCAL:
        head = with_access(head, "public")
    if kind == "value":
        return _describe_value(source, node, head)
    named = node.child_by_field_name("name")
    if named is None:
        return None
    name = node_text(source, named)
    if kind == "type":
        return constant(source, node, head, name, kind)
    if kind == "function":
        return _describe_function(source, node, head, name)
    return _describe_type(source, node, head, kind, name)


def _describe_function(
    source: SourceText, node: Node, head: DefinitionHead, name: str
) -> Description:
    returned = node.child_by_field_name("return_type")
    return definition(
        source,
        node,
        head,
        "function",
        name,
        node.child_by_field_name("body"),
        parameters=_parameters(source, node.children_by_field_name("parameters")),
        return_type=one_line(node_text(source, returned)) if returned else "",
    )


def _describe_type(
    source: SourceText, node: Node, head: DefinitionHead, kind: str, name: str
) -> Description:
    """A class's first supertype is its base; a trait has bases only."""
    clause = node.child_by_field_name("extend")
    types = clause.children_by_field_name("type") if clause is not None else []
    # The field holds the word `with` as well.
    named: tuple[Named, ...] = supertypes(source, [t for t in types if t.is_named])
    at = len(named) if kind == "interface" else 1
    is_case = any(child.type == "case" for child in node.children)
    return definition(
        source,
        node,
        head,
        kind,
        name,
        node.child_by_field_name("body"),
        parameters=_parameters(source, node.children_by_field_name("class_parameters")),
        bases=named[:at],
        interfaces=named[at:],
        modifiers=(*head.modifiers, "case") if is_case else head.modifiers,
    )


def _describe_value(
    source: SourceText, node: Node, head: DefinitionHead
) -> Description | None:
    """Describe a `val` or `var`; constants are written in upper camel case."""
    named = node.child_by_field_name("pattern") or node.child_by_field_name("name")
    if named is None or named.type != "identifier":
        return None
    name = node_text(source, named)
    is_constant = node.type == "val_definition" and name[:1].isupper()
    if not is_constant and any(m.startswith("private") for m in head.modifiers):
        return None
    declared = node.child_by_field_name("type")
    kind = "constant" if is_constant else "variable"
    return constant(source, node, head, name, kind, declared)


def _parameters(source: SourceText, lists: list[Node]) -> tuple[Parameter, ...]:
    """Return the parameters of all lists; those of types are in the same field."""
    found = []
    for child in (child for one in lists for child in one.named_children):
        name = child.child_by_field_name("name")
        declared = child.child_by_field_name("type")
        if child.type in {"parameter", "class_parameter"} and name is not None:
            typed = one_line(node_text(source, declared)) if declared else ""
            found.append(Parameter(node_text(source, name), typed))
    return tuple(found)


SCALA = class_language(
    "scala", QUERY, _describe, (import_items, name_of, type_names, namespace), _BUILTINS
)
