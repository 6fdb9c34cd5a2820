"""C: the query, and which of the family's rules it needs."""

from __future__ import annotations

from tree_sitter import Node

from devrag.parsing.code.spec import Description, LanguageSpec
from devrag.parsing.languages.c_family import (
    SHARED_QUERY,
    describe_enumerator,
    describe_function,
    describe_macro,
    describe_specifier,
    describe_typedef,
    describe_variable,
    includes,
    name_of,
    type_names,
)
from devrag.parsing.languages.c_macros import without_macros
from devrag.parsing.source import Source

QUERY = (
    SHARED_QUERY
    + """
(call_expression function: [(identifier) (field_expression)] @call)
(type_identifier) @type
"""
)


def _describe(source: Source, node: Node, kind: str) -> Description | None:
    if node.type.startswith("preproc_"):
        return describe_macro(source, node, kind)
    if kind == "function":
        return describe_function(source, node)
    if kind == "type":
        return describe_typedef(source, node)
    if kind == "constant":
        return describe_enumerator(source, node)
    if kind == "variable":
        return describe_variable(source, node)
    return describe_specifier(source, node, kind)


C = LanguageSpec(
    name="c",
    grammar="c",
    query=QUERY,
    describe=_describe,
    imports=includes,
    name_of=name_of,
    type_names=type_names,
    prepare=without_macros,
)
