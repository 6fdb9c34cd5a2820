"""Java: the query and the rules that a query cannot say."""

from __future__ import annotations

from dataclasses import replace

from tree_sitter import Node

from devrag.parsing.code.spec import Description, Held, Import
from devrag.parsing.code.text import node_text, one_line
from devrag.parsing.code.tree import Captures
from devrag.parsing.languages.class_family import (
    DefinitionHead,
    Link,
    class_language,
    constant,
    definition,
    dotted,
    head_name,
    heading,
    names_in,
    plain_name,
    supertypes,
    with_access,
)
from devrag.parsing.languages.class_values import typed, value_type
from devrag.parsing.source import SourceText
from devrag.parsing.types import Parameter

_NAME = "[(type_identifier) (scoped_type_identifier)] @type"
# Where types are used, other than as supertypes and in `new`.
_TYPE_PLACES = (
    "field_declaration type: ",
    "constant_declaration type: ",
    "local_variable_declaration type: ",
    "formal_parameter type: ",
    "spread_parameter ",
    "method_declaration type: ",
    "annotation_type_element_declaration type: ",
    "enhanced_for_statement type: ",
    "resource type: ",
    "cast_expression type: ",
    "instanceof_expression right: ",
    "array_creation_expression type: ",
    "array_type element: ",
    "throws ",
    "catch_type ",
    "class_literal ",
    "type_arguments ",
    "wildcard ",
    "type_bound ",
    "type_pattern ",
    "record_pattern_component ",
)
_TYPES = "\n".join(
    f"({place}{_NAME})\n({place}(generic_type . {_NAME}))" for place in _TYPE_PLACES
)
# Methods of anonymous classes belong to the method around them.
QUERY = f"""
[(class_declaration) (record_declaration)] @definition.class
[(interface_declaration) (annotation_type_declaration)] @definition.interface
(enum_declaration) @definition.enum
(enum_constant) @definition.member
(field_declaration declarator: (_) @definition.constant)
(constant_declaration declarator: (_) @definition.constant)
(class_declaration body: (class_body [
  (method_declaration) (constructor_declaration)
] @definition.function))
(record_declaration body: (class_body [
  (method_declaration) (constructor_declaration) (compact_constructor_declaration)
] @definition.function))
(interface_body (method_declaration) @definition.function)
(enum_body_declarations [
  (method_declaration) (constructor_declaration)
] @definition.function)
(annotation_type_element_declaration) @definition.function
(package_declaration [(identifier) (scoped_identifier)] @package)
(import_declaration) @import
[(method_invocation) (object_creation_expression)] @call
[(annotation) (marker_annotation)] @decorator
(type_parameter (type_identifier) @type.parameter)
[
  (field_declaration) (local_variable_declaration) (enhanced_for_statement) (resource)
  (instanceof_expression name: (_))
] @hold
(lambda_expression parameters: (formal_parameters (formal_parameter) @hold))
(object_creation_expression (class_body (method_declaration
  parameters: (formal_parameters (formal_parameter) @hold))))
(catch_formal_parameter name: (identifier) @rebound)
(lambda_expression parameters: (identifier) @rebound)
(inferred_parameters (identifier) @rebound)
{_TYPES}
(field_access object: (identifier) @use)
(method_reference . (identifier) @use)
[
  (if_statement) (for_statement) (enhanced_for_statement) (while_statement)
  (do_statement) (catch_clause) (ternary_expression) (guard)
] @branch
(switch_label . (_)) @branch
(binary_expression operator: ["&&" "||"]) @branch
[(line_comment) (block_comment)] @comment
(ERROR) @error
(MISSING) @error
"""
_OPEN = frozenset({"interface_body", "annotation_type_body"})
_WORDS = frozenset({"var", "extends", "super"})
_BUILTINS = (
    "boolean byte char short int long float double void String Object Integer Long "
    "Boolean Character Byte Short Float Double Number Void Class Iterable Runnable "
    "CharSequence StringBuilder Enum Record Comparable Throwable Exception Error "
    "RuntimeException"
)


def _describe(source: SourceText, node: Node, kind: str) -> Description | None:
    if kind == "constant":
        return _describe_constant(source, node)
    head = _heading(source, node)
    named = node.child_by_field_name("name")
    if named is None:
        return None
    name = node_text(source, named)
    if kind == "member":
        return constant(source, node, head, name)
    returned = node.child_by_field_name("type")
    bases = [node.child_by_field_name("superclass")]
    if kind == "interface":
        bases = [c for c in node.named_children if c.type == "extends_interfaces"]
    interfaces = [node.child_by_field_name("interfaces")]
    return definition(
        source,
        node,
        head,
        kind,
        name,
        node.child_by_field_name("body"),
        parameters=_parameters(source, node.child_by_field_name("parameters")),
        return_type=one_line(node_text(source, returned)) if returned else "",
        bases=supertypes(source, _listed(bases)),
        interfaces=supertypes(source, _listed(interfaces)),
    )


def _heading(source: SourceText, node: Node) -> DefinitionHead:
    """Read the heading; what an interface holds is public unless it says otherwise."""
    parent = node.parent
    kind = parent.type if parent is not None else ""
    return with_access(heading(source, node), "public" if kind in _OPEN else "")


def _listed(clauses: list[Node | None]) -> list[Node]:
    """Return the types of `extends` and `implements` clauses."""
    found: list[Node] = []
    for clause in clauses:
        for child in clause.named_children if clause is not None else ():
            found.extend(child.named_children if child.type == "type_list" else [child])
    return found


def _describe_constant(source: SourceText, declarator: Node) -> Description | None:
    node = declarator.parent or declarator
    head = _heading(source, node)
    if node.type == "field_declaration" and not {"static", "final"}.issubset(
        head.modifiers
    ):
        return None
    name = declarator.child_by_field_name("name")
    if name is None:
        return None
    declared = node.child_by_field_name("type")
    return constant(source, node, head, node_text(source, name), declared=declared)


def _parameters(source: SourceText, node: Node | None) -> tuple[Parameter, ...]:
    found = []
    for child in node.named_children if node is not None else ():
        if child.type == "formal_parameter":
            name = child.child_by_field_name("name")
            declared = child.child_by_field_name("type")
            size = child.child_by_field_name("dimensions")
            after = node_text(source, size) if size is not None else ""
        elif child.type == "spread_parameter":
            *_, declared, declarator = (None, None, *child.named_children)
            name = declarator.child_by_field_name("name") if declarator else None
            after = "..."
        else:
            continue
        if name is not None and declared is not None:
            typed = one_line(node_text(source, declared)) + after
            found.append(Parameter(node_text(source, name), typed))
    return tuple(found)


def _name_of(source: SourceText, node: Node) -> str:
    """Return the name of a call, a `new` or an annotation."""
    if node.type == "method_invocation":
        name = node.child_by_field_name("name")
        end = name.end_byte if name is not None else node.end_byte
        plain = plain_name(source, node.start_byte, end)
        return plain or dotted(source, node, _link).removesuffix("()")
    if node.type == "object_creation_expression":
        made = node.child_by_field_name("type")
        return head_name(node_text(source, made)) if made is not None else ""
    return plain_name(source, node.start_byte, node.end_byte)


_LINKS = {
    "method_invocation": ("object", "name", "()"),
    "field_access": ("object", "field", ""),
    "array_access": ("array", "", "[]"),
}
_ENDS = frozenset({"identifier", "this", "super"})


def _link(source: SourceText, node: Node) -> Link | None:
    kind = node.type
    if kind in _ENDS:
        return node_text(source, node), None
    if kind == "string_literal":
        return "String", None
    if kind == "object_creation_expression":
        name = _name_of(source, node)
        return (f"{name}()", None) if name else None
    if kind not in _LINKS:
        return None
    inner_field, name_field, mark = _LINKS[kind]
    inner = node.child_by_field_name(inner_field)
    named = node.child_by_field_name(name_field) if name_field else None
    text = node_text(source, named) if named is not None else ""
    dot = "." if text and inner is not None else ""
    return f"{dot}{text}{mark}", inner


def _held(source: SourceText, node: Node) -> list[Held]:
    """Read fields, local variables, resources, loops, patterns and parameters."""
    declared = node.child_by_field_name("type") or node.child_by_field_name("right")
    is_local = node.type != "field_declaration"
    found = []
    for each in node.children_by_field_name("declarator") or [node]:
        name = each.child_by_field_name("name")
        value = each.child_by_field_name("value")
        if node.type == "enhanced_for_statement":
            value = None
        is_array = each.child_by_field_name("dimensions") is not None
        if name is not None and not is_array:
            places = (declared, name, value, _name_of)
            found.append(typed(source, *places, is_local=is_local))
    return found


def _imports(source: SourceText, node: Node) -> list[Import]:
    named = node.named_children
    if not named:
        return []
    line, start = node.start_point.row + 1, node.start_byte
    path = "".join(node_text(source, named[0]).split())
    if named[-1].type == "asterisk":
        return [Import(f"{path}.*", "", "", line, start)]
    return [Import(path, path.rpartition(".")[2], path, line, start)]


def _namespace(source: SourceText, captures: Captures) -> str:
    for node in captures.get("package", ()):
        return node_text(source, node)
    return ""


def _type_names(text: str) -> tuple[str, ...]:
    return names_in(text, _WORDS)


JAVA = replace(
    class_language(
        *("java", QUERY, _describe),
        (_imports, _name_of, _type_names, _namespace),
        _BUILTINS,
    ),
    held=_held,
    value_type=value_type,
)
