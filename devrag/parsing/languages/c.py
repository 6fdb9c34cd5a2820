"""C: the query, and which of the family's rules it needs."""

from __future__ import annotations

from devrag.parsing.code.spec import LanguageSpec
from devrag.parsing.languages.c_family import (
    SHARED_QUERY,
    describe,
    includes,
    name_of,
    type_names,
)
from devrag.parsing.languages.c_macros import without_macros

QUERY = (
    SHARED_QUERY
    + """
(call_expression function: [(identifier) (field_expression)] @call)
(type_identifier) @type
"""
)


C = LanguageSpec(
    name="c",
    grammar="c",
    query=QUERY,
    describe=describe,
    imports=includes,
    name_of=name_of,
    type_names=type_names,
    prepare=without_macros,
)
