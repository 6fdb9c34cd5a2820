"""Go: the query and the rules that a query cannot say."""

from __future__ import annotations

from tree_sitter import Node

from devrag.parsing.code.spec import Description, LanguageSpec, Named
from devrag.parsing.code.text import (
    doc_comment,
    first_named,
    node_text,
    one_line,
    short_line,
    signature_until,
)
from devrag.parsing.languages.go_names import (
    BUILTIN_TYPES,
    imports,
    name_of,
    package_name,
    receiver_of,
    type_names,
    without_directives,
)
from devrag.parsing.languages.go_values import held, value_type
from devrag.parsing.source import SourceText
from devrag.parsing.types import Parameter

# `f[x](y)` calls a generic function, or a function kept in f: where x is no certain
# type, neither is said.
_IS_TYPE = (
    f'(#match? @_type "^({"|".join(sorted(BUILTIN_TYPES))}|[a-z0-9]+[.][A-Z]\\\\w*)$")'
)
QUERY = """
(function_declaration) @definition.function
(method_declaration) @definition.function
(method_elem) @definition.function
(type_spec) @definition.type
(type_alias) @definition.type
(source_file (const_declaration
  (const_spec (identifier) @definition.constant)))
(source_file (var_declaration (var_spec (identifier) @definition.variable)))
(source_file (var_declaration (var_spec_list
  (var_spec (identifier) @definition.variable))))
(package_clause (package_identifier) @package)
(import_spec) @import
(call_expression function: [(identifier) (selector_expression)] @call
  !type_arguments)
(type_conversion_expression type: (generic_type type: (_) @type.own
  type_arguments: (type_arguments (type_elem (_) @type.own))))
(type_conversion_expression type: (generic_type type: (_) @call
  type_arguments: (type_arguments . (type_elem . (_) @_type))) IS_TYPE)
(call_expression function: (_) @call
  type_arguments: (type_arguments . (type_elem . (_) @_type)) IS_TYPE)
(call_expression type_arguments: (type_arguments (type_elem (_) @type.own)))
(call_expression function:
  (index_expression operand: (_) @call index: (_) @_type) IS_TYPE)
(selector_expression operand: (identifier) @use)
(short_var_declaration left: (expression_list (identifier) @local))
(range_clause left: (expression_list (identifier) @local))
(statement_list (var_declaration (var_spec (identifier) @local)))
(type_switch_statement alias: (expression_list (identifier) @local))
(receive_statement left: (expression_list (identifier) @local))
(func_literal (parameter_list (parameter_declaration (identifier) @local)))
(function_declaration result:
  (parameter_list (parameter_declaration (identifier) @local)))
(method_declaration result:
  (parameter_list (parameter_declaration (identifier) @local)))
[(type_identifier) (qualified_type)] @type
(qualified_type name: (_) @type.own)
(type_spec name: (_) @type.own)
(type_alias name: (_) @type.own)
(field_declaration !name type: (_) @type.own)
(interface_type
  (type_elem . [(type_identifier) (qualified_type)] @type.own .))
(type_parameter_declaration name: (identifier) @type.parameter)
[(field_declaration) (var_spec) (short_var_declaration)] @hold
(func_literal parameters: (parameter_list (parameter_declaration) @hold))
(function_declaration result: (parameter_list (parameter_declaration) @hold))
(method_declaration result: (parameter_list (parameter_declaration) @hold))
(range_clause left: (expression_list (identifier) @rebound))
(type_switch_statement alias: (expression_list (identifier) @rebound))
(receive_statement left: (expression_list (identifier) @rebound))
[
  (if_statement) (for_statement) (expression_case) (type_case)
  (communication_case)
] @branch
(binary_expression operator: ["&&" "||"] @branch)
(comment) @comment
(ERROR) @error
(MISSING) @error
""".replace("IS_TYPE", _IS_TYPE)

_COMMENTS = frozenset({"comment"})
_KINDS = {"struct_type": "class", "interface_type": "interface"}
_PARAMETERS = {"parameter_declaration": "", "variadic_parameter_declaration": "..."}


def _describe(source: SourceText, node: Node, kind: str) -> Description | None:
    if kind == "function":
        return _describe_function(source, node)
    if kind == "type":
        return _describe_type(source, node)
    return _describe_name(source, node, kind)


def _describe_function(source: SourceText, node: Node) -> Description | None:
    name = node.child_by_field_name("name")
    parameters = node.child_by_field_name("parameters")
    if name is None or parameters is None:
        return None
    result = node.child_by_field_name("result")
    body = node.child_by_field_name("body")
    receiver = node.child_by_field_name("receiver")
    word, owner = receiver_of(source, receiver) if receiver else ("", "")
    text = node_text(source, name)
    return Description(
        kind="function",
        name=text,
        outer=node,
        signature=signature_until(source, node, body),
        signature_lines=(
            node.start_point.row + 1,
            (result or parameters).end_point.row + 1,
        ),
        body=body,
        parameters=_parameters(source, parameters),
        return_type=one_line(node_text(source, result)) if result else "",
        docstring=_doc(source, node),
        modifiers=_modifiers(text),
        owner=owner,
        receiver=word,
    )


def _describe_type(source: SourceText, node: Node) -> Description | None:
    name = node.child_by_field_name("name")
    meaning = node.child_by_field_name("type")
    if name is None or meaning is None:
        return None
    kind = _KINDS.get(meaning.type, "type")
    outer = _declaration(node)
    text = node_text(source, name)
    signature = short_line(source, node)
    if kind != "type":
        word = meaning.type.removesuffix("_type")
        signature = f"{signature_until(source, node, meaning)} {word}"
    return Description(
        kind=kind,
        name=text,
        outer=outer,
        signature=f"type {signature}",
        signature_lines=(outer.start_point.row + 1, meaning.start_point.row + 1),
        body=meaning if kind != "type" else None,
        docstring=_doc(source, outer),
        modifiers=_modifiers(text),
        bases=_embedded(source, meaning) if kind != "type" else (),
    )


def _describe_name(source: SourceText, node: Node, kind: str) -> Description | None:
    specification = node.parent
    text = node_text(source, node)
    if specification is None or text == "_":
        return None
    outer = _declaration(specification)
    declared = specification.child_by_field_name("type")
    word = "const" if kind == "constant" else "var"
    row = outer.start_point.row + 1
    return Description(
        kind=kind,
        name=text,
        outer=outer,
        signature=f"{word} {short_line(source, specification)}",
        signature_lines=(row, row),
        return_type=one_line(node_text(source, declared)) if declared else "",
        docstring=_doc(source, outer),
        modifiers=_modifiers(text),
    )


def _declaration(specification: Node) -> Node:
    """Return the whole declaration, unless it groups several in parentheses."""
    above = specification.parent
    if above is not None and above.type.endswith("_declaration"):
        first = above.child(1)
        if first is not None and first.start_byte == specification.start_byte:
            return above
    return specification


def _doc(source: SourceText, outer: Node) -> str:
    return without_directives(doc_comment(source, outer, _COMMENTS))


def _modifiers(name: str) -> tuple[str, ...]:
    return ("public" if name[:1].isupper() else "private",)


def _parameters(source: SourceText, node: Node) -> tuple[Parameter, ...]:
    """Return one parameter for each name; one without a name for a bare type."""
    found = []
    for child in node.named_children:
        dots = _PARAMETERS.get(child.type)
        declared = child.child_by_field_name("type")
        if dots is None or declared is None:
            continue
        written = dots + one_line(node_text(source, declared))
        names = child.children_by_field_name("name")
        found += [Parameter(node_text(source, name), written) for name in names]
        if not names:
            found.append(Parameter("", written))
    return tuple(found)


def _embedded(source: SourceText, meaning: Node) -> tuple[Named, ...]:
    """Return what a struct or an interface embeds: its methods are theirs."""
    found = []
    fields = first_named(meaning) if meaning.type == "struct_type" else meaning
    for child in fields.named_children if fields is not None else ():
        if child.type == "field_declaration":
            is_embedded = child.child_by_field_name("name") is None
            target = child.child_by_field_name("type") if is_embedded else None
        else:
            is_embedded = child.type == "type_elem" and child.named_child_count == 1
            target = first_named(child) if is_embedded else None
        names = type_names(node_text(source, target)) if target is not None else ()
        if target is not None and len(names) == 1:
            found.append((names[0], target.start_point.row + 1))
    return tuple(found)


GO = LanguageSpec(
    name="go",
    grammar="go",
    query=QUERY,
    describe=_describe,
    imports=imports,
    name_of=name_of,
    type_names=type_names,
    namespace=package_name,
    held=held,
    value_type=value_type,
)
