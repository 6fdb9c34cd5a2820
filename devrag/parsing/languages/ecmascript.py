"""JavaScript, TypeScript and both with JSX: one family, three grammars."""

from __future__ import annotations

from dataclasses import replace

from tree_sitter import Node

from devrag.parsing.code.spec import LanguageSpec, ModuleSymbol
from devrag.parsing.code.text import clean_comment, node_text
from devrag.parsing.languages.blanking import without
from devrag.parsing.languages.ecmascript_names import (
    BUILTIN_TYPES,
    import_items,
    module_name,
    name_of,
    type_names,
)
from devrag.parsing.languages.ecmascript_scopes import is_parameter
from devrag.parsing.languages.ecmascript_symbols import describe
from devrag.parsing.languages.ecmascript_values import held, value_type
from devrag.parsing.source import SourceText

_COMMON = """
[
  (function_declaration)
  (generator_function_declaration)
  (method_definition)
  (variable_declarator value: [(arrow_function) (function_expression)
    (generator_function)])
  (variable_declarator value: (call_expression arguments: (arguments .
    [(arrow_function) (function_expression)])))
  (pair value: [(arrow_function) (function_expression) (generator_function)])
  (assignment_expression right: [(arrow_function) (function_expression)
    (generator_function)])
  (export_statement value: [(arrow_function) (function_expression)])
] @definition.function
[
  (class_declaration)
  (variable_declarator value: (class))
  (assignment_expression right: (class))
  (export_statement value: (class))
] @definition.class
(program [(lexical_declaration (variable_declarator name: (identifier))
    @definition.variable)
  (variable_declaration (variable_declarator name: (identifier))
    @definition.variable)])
(program (export_statement declaration: [
  (lexical_declaration (variable_declarator name: (identifier)) @definition.variable)
  (variable_declaration (variable_declarator name: (identifier)) @definition.variable)
]))
(program (expression_statement (assignment_expression left: (member_expression)
  right: [(array) (binary_expression) (call_expression) (new_expression) (number)
    (object) (regex) (string) (template_string)]) @definition.variable))
(call_expression function: [(identifier) (member_expression)] @call)
(new_expression constructor: [(identifier) (member_expression)] @call)
(decorator) @decorator
(import_statement) @import
(export_statement source: (string)) @import
(call_expression function: (import) arguments: (arguments . (string))) @import
(call_expression function: (identifier) @require arguments: (arguments . (string))
  (#eq? @require "require")) @import
(member_expression object: (identifier) @use @object)
(member_expression object: (identifier) @constructor
  property: (property_identifier) @prototype (#eq? @prototype "prototype"))
[
  (arguments (identifier) @value) (array (identifier) @value)
  (pair value: (identifier) @value) (object (shorthand_property_identifier) @value)
  (assignment_expression right: (identifier) @value)
  (variable_declarator value: (identifier) @value)
  (return_statement (identifier) @value) (spread_element (identifier) @value)
  (export_statement value: (identifier) @value)
  (export_statement !source (export_clause
    (export_specifier name: (identifier) @value)))
  (binary_expression (identifier) @value) (ternary_expression (identifier) @value)
  (subscript_expression (identifier) @value) (arrow_function body: (identifier) @value)
  (template_substitution (identifier) @value)
]
[
  (variable_declarator name: (identifier)) (return_statement) (assignment_expression)
] @hold
(for_in_statement left: (identifier) @rebound)
(catch_clause parameter: (identifier) @rebound)
[
  (if_statement) (for_statement) (for_in_statement) (while_statement) (do_statement)
  (switch_case) (catch_clause) (ternary_expression)
  "&&" "||" "??"
] @branch
(comment) @comment
(ERROR) @error
(MISSING) @error
"""
# Where a name that the file exports is used as `exports.name`.
_READ = (
    "arguments",
    "array",
    "pair value:",
    "assignment_expression right:",
    "variable_declarator value:",
    "return_statement",
    "binary_expression",
    "ternary_expression",
)
_EXPORTED = "\n".join(
    f"({place} (member_expression object: (identifier) @exported "
    'property: (property_identifier) @value (#eq? @exported "exports")))'
    for place in _READ
)
_JAVASCRIPT = """
(field_definition value: [(arrow_function) (function_expression)]) @definition.function
(field_definition) @hold
"""
_JSX = """
((jsx_opening_element name: (identifier) @call) (#match? @call "^[A-Z]"))
((jsx_self_closing_element name: (identifier) @call) (#match? @call "^[A-Z]"))
(jsx_opening_element name: (member_expression) @call)
(jsx_self_closing_element name: (member_expression) @call)
(jsx_expression (identifier) @value)
"""
_TYPESCRIPT = """
[
  (public_field_definition value: [(arrow_function) (function_expression)])
  (function_signature) (method_signature) (abstract_method_signature)
] @definition.function
(abstract_class_declaration) @definition.class
(interface_declaration) @definition.interface
(enum_declaration) @definition.enum
(enum_body [(enum_assignment) (property_identifier)] @definition.constant)
(type_alias_declaration) @definition.type
[(internal_module) (module)] @definition.namespace
[(public_field_definition) (property_signature)] @hold
(required_parameter type: (_)) @hold
"""
# What a name of a type stands in when it is a use of that type.
_TYPE_PARENTS = (
    "type_annotation type_arguments union_type intersection_type array_type "
    "readonly_type tuple_type optional_type rest_type parenthesized_type "
    "conditional_type constraint default_type function_type constructor_type "
    "as_expression satisfies_expression lookup_type index_type_query type_predicate"
)
_TYPE_FIELDS = ("type_alias_declaration value:", "mapped_type_clause type:")
_TYPE_USES = "\n".join(
    f"({parent} [(type_identifier) @type (nested_type_identifier) @type "
    "(generic_type name: (_) @type)])"
    for parent in (*_TYPE_PARENTS.split(), *_TYPE_FIELDS)
)
_FILE_TAGS = ("@file", "@module", "@overview", "@packageDocumentation")


def _module(source: SourceText, root: Node) -> ModuleSymbol:
    """A comment at the top speaks of the file when it says so; else of a licence."""
    first = next(iter(root.named_children), None)
    text = ""
    if first is not None and first.type == "comment":
        text = node_text(source, first)
    is_about_file = any(tag in text for tag in _FILE_TAGS)
    docstring = clean_comment(text) if is_about_file else ""
    return ModuleSymbol(module_name(source.path), docstring)


JAVASCRIPT = LanguageSpec(
    name="javascript",
    grammar="javascript",
    query=_COMMON + _EXPORTED + _JAVASCRIPT + _JSX,
    describe=describe,
    imports=import_items,
    name_of=name_of,
    type_names=type_names,
    namespace=lambda source, _captures: module_name(source.path),
    module=_module,
    builtins=BUILTIN_TYPES,
    receivers=frozenset({"this"}),
    exported=frozenset({"exports"}),
    held=held,
    value_type=value_type,
    is_parameter=is_parameter,
)
TYPESCRIPT = replace(
    JAVASCRIPT,
    name="typescript",
    grammar="typescript",
    query=_COMMON + _TYPESCRIPT + _TYPE_USES,
    # `export type * from "./a"` is younger than the grammar.
    prepare=without(rb"(?<=^export )type(?= \*)"),
)
TSX = replace(TYPESCRIPT, name="tsx", grammar="tsx", query=TYPESCRIPT.query + _JSX)
