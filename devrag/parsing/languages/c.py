"""C: the query, and which of the family's rules it needs."""

from __future__ import annotations

from dataclasses import replace

from tree_sitter import Node

from devrag.parsing.code.spec import Description, LanguageSpec
from devrag.parsing.languages.c_family import (
    SHARED_QUERY,
    describe,
    includes,
    name_of,
    type_names,
)
from devrag.parsing.languages.c_macros import without_macros
from devrag.parsing.languages.c_tables import fields_of, held, slots
from devrag.parsing.source import SourceText

QUERY = (
    SHARED_QUERY
    + """
(call_expression function: [(identifier) (field_expression)] @call)
(call_expression function: (parenthesized_expression [
  (cast_expression value: (field_expression) @call)
  (pointer_expression argument: (field_expression) @call)
]))
[(field_declaration) (declaration)] @hold
(initializer_list) @table
(type_identifier) @type
"""
)


def _describe(source: SourceText, node: Node, kind: str) -> Description | None:
    found = describe(source, node, kind)
    if found is None or kind not in {"class", "type"} or found.body is None:
        return found
    return replace(found, fields=fields_of(source, found.body))


C = LanguageSpec(
    name="c",
    grammar="c",
    query=QUERY,
    describe=_describe,
    imports=includes,
    name_of=name_of,
    type_names=type_names,
    held=held,
    slots=slots,
    prepare=without_macros,
)
