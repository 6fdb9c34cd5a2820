"""Settings of shell scripts: variables with a default that the script never sets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.text import node_text
from devrag.parsing.types import FactFacts

_QUERY = """
(expansion . (variable_name) @read)
(variable_assignment name: (variable_name) @set)
(for_statement variable: (variable_name) @set)
(declaration_command (variable_name) @set)
(command name: (command_name) @_command argument: (word) @set
  (#any-of? @_command "read" "mapfile" "readarray" "getopts"))
"""
_READ = re.compile(r"\$\{([A-Z][A-Z0-9_]*):?([-=?])(.*)\}", re.DOTALL)
# What the shell itself sets.
_OWN = re.compile(r"BASH\w*|IFS|OPT\w+|RANDOM|SECONDS|E?UID|PPID|LINENO|REPLY|FUNCNAME")
_SHOWN = 200


def shell_settings(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a setting per variable that only the environment can give."""
    if "${" not in analysis.source.text:
        return
    found = analysis.find(_QUERY)
    is_set = {
        node_text(analysis.source, node)
        for node in found.get("set", ())
        if not _keeps_its_own(analysis, node)
    }
    for node in found.get("read", ()):
        expansion = node.parent
        if expansion is None:
            continue
        match = _READ.fullmatch(node_text(analysis.source, expansion))
        if match and match[1] not in is_set and not _OWN.fullmatch(match[1]):
            is_set.add(match[1])
            line = node.start_point.row + 1
            default = match[3] if match[2] != "?" else ""
            data = {"type": "str", "default": default.strip("\"'")[:_SHOWN]}
            yield FactFacts("setting", match[1], line, line, data)


def _keeps_its_own(analysis: CodeAnalysis, name: Node) -> bool:
    """Return whether it is `X=${X:-default}`, which reads what it sets."""
    assignment = name.parent
    value = assignment.child_by_field_name("value") if assignment is not None else None
    if value is None:
        return False
    start = node_text(analysis.source, value).lstrip('"')
    opened = f"${{{node_text(analysis.source, name)}"
    return start.startswith((f"{opened}:", f"{opened}-"))
