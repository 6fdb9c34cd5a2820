"""The arguments of a Python call, for the detectors."""

from __future__ import annotations

from dataclasses import dataclass, field

from tree_sitter import Node

from devrag.parsing.code.text import node_text
from devrag.parsing.code.uses import Use
from devrag.parsing.languages.python_text import flat, literal_text
from devrag.parsing.source import Source

_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Call:
    """A call's lines and arguments."""

    source: Source
    start_line: int
    end_line: int
    positional: list[Node] = field(default_factory=list)
    keywords: dict[str, Node] = field(default_factory=dict)

    def argument(self, position: int, keyword: str = "") -> Node | None:
        """Return the argument at a position, or else by its keyword."""
        if position < len(self.positional):
            return self.positional[position]
        return self.keywords.get(keyword)

    def text(self, position: int, keyword: str = "") -> str | None:
        """Return an argument that is a plain string; None when it is not one."""
        return literal_text(self.source, self.argument(position, keyword))

    def shown(self, position: int, keyword: str = "") -> str:
        """Return an argument as written, on one line; '' when it is missing."""
        node = self.argument(position, keyword)
        return flat(node_text(self.source, node))[:_SHOWN] if node else ""


def read_call(source: Source, use: Use) -> Call:
    """Return the call around a called name; without arguments for a bare decorator."""
    node = use.node.parent
    called = node.child_by_field_name("function") if node is not None else None
    if node is None or called is None or called != use.node:
        return Call(source, use.line, use.line)
    call = Call(source, node.start_point.row + 1, node.end_point.row + 1)
    arguments = node.child_by_field_name("arguments")
    for child in arguments.named_children if arguments is not None else ():
        if child.type == "keyword_argument":
            name = child.child_by_field_name("name")
            value = child.child_by_field_name("value")
            if name is not None and value is not None:
                call.keywords[node_text(source, name)] = value
        elif child.type != "comment":
            call.positional.append(child)
    return call
