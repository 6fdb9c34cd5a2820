"""State machines that the syntax decides: their states, and what leads where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tree_sitter import Node

from devrag.parsing.code.text import node_text
from devrag.parsing.source import SourceText
from devrag.parsing.types import FactFacts

ANY = "*"


@dataclass(slots=True)
class Machine:
    """What is known of a machine; a step is (from, to, event), from may be ANY.

    enum: the enumeration that the states are members of, where they are.
    """

    framework: str
    initial: str = ""
    enum: str = ""
    states: list[str] = field(default_factory=list)
    steps: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, sources: Iterable[str], target: str | None, event: str) -> None:
        """Add a step from each of the sources; none without a target."""
        if target:
            self.steps += [(source, target, event) for source in sources]

    def fact(self, name: str, start_line: int, end_line: int) -> Iterator[FactFacts]:
        """Yield the machine as a fact, if anything leads anywhere."""
        if not self.steps:
            return
        used = [state for a, b, _ in self.steps for state in (a, b) if state != ANY]
        data: dict[str, Any] = {
            "framework": self.framework,
            "initial": self.initial,
            "enum": self.enum,
            "states": list(dict.fromkeys([*self.states, *used])),
            "transitions": [
                {"from": a, "to": b, "event": event}
                for a, b, event in dict.fromkeys(self.steps)
            ],
        }
        yield FactFacts("states", name, start_line, end_line, data)


def pairs_of(source: SourceText, node: Node) -> Iterator[tuple[Node, Node]]:
    """Yield key and value of each pair that stands directly in a node."""
    for child in node.named_children:
        if child.type == "pair" and len(child.named_children) > 1:
            yield child.named_children[0], child.named_children[-1]


def member(source: SourceText, node: Node) -> tuple[str, str]:
    """Return (`State`, `OPEN`) of `State.OPEN`; empty texts for anything else."""
    if node.type == "computed_property_name" and node.named_children:
        node = node.named_children[0]
    parts = node.named_children
    is_member = node.type in {"attribute", "member_expression"} and len(parts) == 2
    if not is_member or parts[0].type != "identifier":
        return "", ""
    enum = node_text(source, parts[0])
    return (enum, node_text(source, parts[1])) if enum[:1].isupper() else ("", "")
