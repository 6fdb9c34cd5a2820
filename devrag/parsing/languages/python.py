"""Python: the query and the rules that a query cannot say."""

from __future__ import annotations

import re

from tree_sitter import Node

from devrag.parsing.code.spec import Description, LanguageSpec, ModuleSymbol
from devrag.parsing.code.text import first_named, node_text
from devrag.parsing.languages.python_names import (
    BUILTIN_TYPES,
    import_items,
    module_name,
    name_of,
    type_names,
)
from devrag.parsing.languages.python_text import docstring_of, flat
from devrag.parsing.languages.python_values import held, value_type
from devrag.parsing.source import SourceText
from devrag.parsing.types import Parameter

QUERY = """
(function_definition) @definition.function
(class_definition) @definition.class
(module (assignment left: (identifier)) @definition.variable)
(module (type_alias_statement) @definition.type)
(call function: [(identifier) (attribute)] @call)
[(import_statement) (import_from_statement)] @import
(decorator) @decorator
(typed_parameter type: (type) @type)
(typed_default_parameter type: (type) @type)
(function_definition return_type: (type) @type)
(assignment type: (type) @type)
(attribute object: (identifier) @use)
(subscript value: [(identifier) (attribute)] @environ
  (#match? @environ "environ$"))
(module (if_statement condition: (comparison_operator) @main))
[
  (if_statement) (elif_clause) (for_statement) (while_statement) (except_clause)
  (case_clause) (boolean_operator) (conditional_expression) (if_clause)
] @branch
[(assignment) (named_expression) (return_statement)] @hold
(as_pattern alias: (_)) @hold
(pattern_list (identifier) @rebound)
(for_statement left: (identifier) @rebound)
(comment) @comment
(ERROR) @error
(MISSING) @error
"""

_CONSTANT = re.compile(r"_*[A-Z][A-Z0-9_]*$")
_MARKS = {
    "staticmethod": "static",
    "classmethod": "classmethod",
    "property": "property",
    "cached_property": "property",
    "setter": "property",
    "deleter": "property",
    "abstractmethod": "abstract",
    "abstractproperty": "abstract",
}
_SPLATS = {"list_splat_pattern", "dictionary_splat_pattern"}
_SUMMARY_LIMIT = 200


def _module(source: SourceText, root: Node) -> ModuleSymbol:
    return ModuleSymbol(module_name(source.path), docstring_of(source, root))


def _describe(source: SourceText, node: Node, kind: str) -> Description | None:
    if kind == "function":
        return _describe_function(source, node)
    if kind == "class":
        return _describe_class(source, node)
    return _describe_name(source, node, kind)


def _describe_function(source: SourceText, node: Node) -> Description | None:
    name = node.child_by_field_name("name")
    parameters = node.child_by_field_name("parameters")
    if name is None or parameters is None:
        return None
    returned = node.child_by_field_name("return_type")
    body = node.child_by_field_name("body")
    end = returned or parameters
    outer, decorators = _decorated(source, node)
    signature = flat(source.data[node.start_byte : end.end_byte].decode())
    text = node_text(source, name)
    modifiers = _modifiers(text, decorators)
    if signature.startswith("async"):
        modifiers = ("async", *modifiers)
    return Description(
        kind="function",
        name=text,
        outer=outer,
        signature=signature,
        signature_lines=(node.start_point.row + 1, end.end_point.row + 1),
        body=body,
        parameters=_parameters(source, parameters),
        return_type=flat(node_text(source, returned)) if returned else "",
        docstring=docstring_of(source, body),
        decorators=decorators,
        modifiers=modifiers,
    )


def _describe_class(source: SourceText, node: Node) -> Description | None:
    name = node.child_by_field_name("name")
    if name is None:
        return None
    bases = node.child_by_field_name("superclasses")
    body = node.child_by_field_name("body")
    end = bases or node.child_by_field_name("type_parameters") or name
    outer, decorators = _decorated(source, node)
    text = node_text(source, name)
    return Description(
        kind="class",
        name=text,
        outer=outer,
        signature=flat(source.data[node.start_byte : end.end_byte].decode()),
        signature_lines=(node.start_point.row + 1, end.end_point.row + 1),
        body=body,
        docstring=docstring_of(source, body),
        decorators=decorators,
        modifiers=_modifiers(text, decorators),
        bases=_bases(source, bases) if bases else (),
    )


def _describe_name(source: SourceText, node: Node, kind: str) -> Description | None:
    name = node.child_by_field_name("left")
    if name is None:
        return None
    text = node_text(source, name).partition("[")[0].strip()
    is_constant = kind == "variable" and _CONSTANT.match(text)
    head = source.data[node.start_byte : node.start_byte + 4 * _SUMMARY_LIMIT]
    whole = source.data[node.start_byte : node.end_byte]
    head = head if len(head) < len(whole) else whole
    declared = node.child_by_field_name("type")
    return Description(
        kind="constant" if is_constant else kind,
        name=text,
        outer=node,
        signature=flat(head.decode("utf-8", "ignore"))[:_SUMMARY_LIMIT],
        signature_lines=(node.start_point.row + 1, node.start_point.row + 1),
        return_type=flat(node_text(source, declared)) if declared else "",
        modifiers=_modifiers(text, ()),
    )


def _decorated(source: SourceText, node: Node) -> tuple[Node, tuple[str, ...]]:
    """Return the node that includes the decorators, and their text with the @."""
    outer = node.parent
    if outer is None or outer.type != "decorated_definition":
        return node, ()
    texts = [
        flat(node_text(source, child))
        for child in outer.named_children
        if child.type == "decorator"
    ]
    return outer, tuple(texts)


def _modifiers(name: str, decorators: tuple[str, ...]) -> tuple[str, ...]:
    is_private = name.startswith("_") and not name.endswith("__")
    found = {"private" if is_private else "public": None}
    for decorator in decorators:
        last = decorator.partition("(")[0].rpartition(".")[2].lstrip("@")
        if last in _MARKS:
            found[_MARKS[last]] = None
    return tuple(found)


def _parameters(source: SourceText, node: Node) -> tuple[Parameter, ...]:
    """Return the parameters as a caller sees them: without self and cls."""
    found = []
    for child in node.named_children:
        kind = child.type
        if kind == "identifier" or kind in _SPLATS:
            found.append(Parameter(node_text(source, child)))
        elif kind in {
            "typed_parameter",
            "typed_default_parameter",
            "default_parameter",
        }:
            name = child.child_by_field_name("name") or first_named(child)
            declared = child.child_by_field_name("type")
            if name is not None:
                typed = flat(node_text(source, declared)) if declared else ""
                found.append(Parameter(node_text(source, name), typed))
    if found and found[0].name in {"self", "cls"}:
        del found[0]
    return tuple(found)


def _bases(source: SourceText, node: Node) -> tuple[tuple[str, int], ...]:
    found = []
    for child in node.named_children:
        target = (
            child.child_by_field_name("value") if child.type == "subscript" else child
        )
        if target is not None and target.type in {"identifier", "attribute"}:
            found.append((name_of(source, target), target.start_point.row + 1))
    return tuple(pair for pair in found if pair[0])


PYTHON = LanguageSpec(
    name="python",
    grammar="python",
    query=QUERY,
    describe=_describe,
    imports=import_items,
    name_of=name_of,
    type_names=type_names,
    namespace=lambda source, _captures: module_name(source.path),
    module=_module,
    builtins=BUILTIN_TYPES,
    receivers=frozenset({"self", "cls"}),
    held=held,
    value_type=value_type,
    supers=frozenset({"super()"}),
)
