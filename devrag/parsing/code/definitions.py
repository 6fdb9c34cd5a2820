"""The definitions of a file as a tree, and who encloses an offset."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from tree_sitter import Node

from devrag.parsing.code.spec import Description, LanguageSpec
from devrag.parsing.code.text import node_text
from devrag.parsing.code.tree import Captures
from devrag.parsing.source import SourceText, TooMuch
from devrag.parsing.types import CONSTRUCTOR

CALLABLE = frozenset({"function", "method"})
# What methods belong to, and whose name they carry.
TYPES = frozenset({"class", "interface", "enum", "extension"})
_CONTAINERS = CALLABLE | TYPES | {"namespace", "section"}
# Some 4 KB each until the file is stored; who has more was generated.
_MOST_DEFINITIONS = 60_000
_PREFIX = "definition."


@dataclass(eq=False, slots=True)
class Definition:
    """A described node in its place; lines are 1-based and inclusive."""

    ordinal: int
    kind: str
    about: Description
    start: int
    end: int
    start_line: int
    end_line: int
    qualified_name: str
    parent: Definition | None = None
    members: list[Definition] = field(default_factory=list)
    # First of the comment lines that stand directly above, else start_line.
    first_line: int = 0

    @property
    def is_container(self) -> bool:
        return self.kind in _CONTAINERS

    @property
    def is_declared_only(self) -> bool:
        """A method that its interface names, without a body."""
        return self.kind == "method" and not (self.about.body or self.about.owner)

    @property
    def type_name(self) -> str:
        """The qualified name of the type that it is, or that it is a member of."""
        if self.kind in TYPES:
            return self.qualified_name
        if self.kind == "method":
            return self.qualified_name.rpartition(".")[0]
        return ""


def find_definitions(
    spec: LanguageSpec, source: SourceText, captures: Captures, first_ordinal: int
) -> list[Definition]:
    """Describe the captured definitions, and nest them."""
    check_count(captures)
    constructors = {node_text(source, n) for n in captures.get("constructor", ())}
    described = []
    for capture, nodes in captures.items():
        if capture.startswith(_PREFIX):
            kind = capture.removeprefix(_PREFIX)
            for node in nodes:
                about = spec.describe(source, node, kind)
                if about is not None:
                    described.append(_as_constructor(about, constructors))
    return nest_definitions(described, first_ordinal)


def _as_constructor(about: Description, names: Collection[str]) -> Description:
    """Mark a function that objects are made by, as its prototype tells."""
    if about.kind != "function" or about.owner or about.name not in names:
        return about
    return replace(about, modifiers=(*about.modifiers, CONSTRUCTOR))


def check_count(captures: Captures) -> None:
    """Raise TooMuch for more definitions than memory should hold at once."""
    count = sum(len(n) for name, n in captures.items() if name.startswith(_PREFIX))
    if count > _MOST_DEFINITIONS:
        raise TooMuch(f"it has {count:,} definitions")


def nest_definitions(
    descriptions: list[Description], first_ordinal: int = 0
) -> list[Definition]:
    """Give each description its place, outermost first."""
    placed = [(d.begin.start_byte, -d.outer.end_byte, d) for d in descriptions]
    placed.sort(key=lambda item: item[:2])
    return _nest([about for _, _, about in placed], first_ordinal)


def _nest(descriptions: list[Description], first_ordinal: int) -> list[Definition]:
    found: list[Definition] = []
    names: set[tuple[Definition | None, str]] = set()
    open_definitions: list[Definition] = []
    for about in descriptions:
        start = about.begin.start_byte
        while open_definitions and open_definitions[-1].end <= start:
            open_definitions.pop()
        parent = open_definitions[-1] if open_definitions else None
        if about.kind not in _CONTAINERS:
            # A variable is its first assignment; those of a function are nobody's.
            key = (parent, about.name)
            if key in names or (parent and parent.kind in CALLABLE):
                continue
            names.add(key)
        definition = _place(about, len(found) + first_ordinal, parent)
        found.append(definition)
        if definition.is_container:
            open_definitions.append(definition)
    return found


def _place(about: Description, ordinal: int, parent: Definition | None) -> Definition:
    kind = about.kind
    is_member = about.owner or (parent and parent.kind in TYPES)
    if kind == "function" and is_member:
        kind = "method"
    outer = about.outer
    definition = Definition(
        ordinal=ordinal,
        kind=kind,
        about=about,
        start=about.begin.start_byte,
        end=outer.end_byte,
        start_line=about.begin.start_point.row + 1,
        end_line=_end_line(outer),
        qualified_name=_qualified_name(about, parent),
        parent=parent,
    )
    definition.first_line = definition.start_line
    if parent:
        parent.members.append(definition)
    return definition


def _qualified_name(about: Description, parent: Definition | None) -> str:
    above = (parent.qualified_name if parent else "", about.owner, about.name)
    return ".".join(part for part in above if part)


def _end_line(node: Node) -> int:
    row, column = node.end_point
    return max(row if column == 0 else row + 1, node.start_point.row + 1)


class Owners:
    """Says which function or class encloses an offset."""

    def __init__(self, definitions: list[Definition]) -> None:
        self._offsets: list[int] = [0]
        self._owners: list[Definition | None] = [None]
        stack: list[Definition] = []
        for definition in definitions:
            if definition.is_container:
                self._close(stack, definition.start)
                stack.append(definition)
                self._add(definition.start, definition)
        self._close(stack, None)

    def _close(self, stack: list[Definition], until: int | None) -> None:
        while stack and (until is None or stack[-1].end <= until):
            closed = stack.pop()
            self._add(closed.end, closed.parent)

    def _add(self, offset: int, owner: Definition | None) -> None:
        self._offsets.append(offset)
        self._owners.append(owner)

    def at(self, offset: int) -> Definition | None:
        """Return the innermost function or class around the offset."""
        return self._owners[bisect_right(self._offsets, offset) - 1]
