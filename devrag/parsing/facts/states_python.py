"""State machines of Python: django-fsm, transitions, and tables of one enumeration."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from devrag.parsing.code.definitions import Definition
from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.text import node_text
from devrag.parsing.facts.calls import Call, literal_text, read_arguments, read_call
from devrag.parsing.facts.states import Machine, pairs_of
from devrag.parsing.facts.states_table import TABLE, tables
from devrag.parsing.source import SourceText
from devrag.parsing.types import FactFacts

_LISTS = {"list", "tuple", "set"}
_FIELD = re.compile(r"FSM\w*Field")
_PACKAGES = ("django_fsm", "django_fsm_2")
_ASSIGNED = "(assignment left: (identifier) right: (list)) @assigned"


def python_states(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield the machines of a file."""
    if analysis.uses.imports_from(*_PACKAGES):
        yield from _django(analysis)
    if analysis.uses.imports_from("transitions"):
        yield from _transitions(analysis)
    if re.search(r"\{\s*[A-Z]\w*\.\w+\s*:", analysis.source.text):
        yield from tables(analysis, TABLE["python"])


def _django(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Read the `@transition` marks of each class, field by field."""
    found: dict[tuple[int, str], tuple[Definition, Machine, list[int]]] = {}
    for use in analysis.uses.ending("decorator", "transition"):
        owner = use.owner.parent if use.owner is not None else None
        package = analysis.uses.resolve(use.name).partition(".")[0]
        if use.owner is None or owner is None or package not in _PACKAGES:
            continue
        given = read_call(analysis.source, use)
        field = given.named(0, "field") or given.text(0, "field") or ""
        machine = Machine("django-fsm")
        place = found.setdefault((owner.ordinal, field), (owner, machine, []))
        states = _states(analysis.source, given.argument(1, "source"))
        target = next(iter(_states(analysis.source, given.argument(2, "target"))), "")
        place[1].add(states, target, use.owner.about.name)
        place[2].extend([use.line, use.owner.end_line])
    for (_, field), (owner, machine, lines) in found.items():
        machine.initial = _default(analysis.source, owner, field)
        name = f"{owner.qualified_name}.{field}" if field else owner.qualified_name
        yield from machine.fact(name, min(lines), max(lines))


def _default(source: SourceText, owner: Definition, field: str) -> str:
    """Return the default of the field that keeps the state."""
    body = owner.about.body
    for child in body.named_children if body is not None else ():
        left, right = (child.child_by_field_name(n) for n in ("left", "right"))
        if left is None or right is None or node_text(source, left) != field:
            continue
        if _FIELD.search(node_text(source, right)):
            given = read_arguments(source, right)
            return next(iter(_states(source, given.argument(99, "default"))), "")
    return ""


def _states(source: SourceText, node: Node | None) -> list[str]:
    """Return the states that a node names: strings, members, or a list of them."""
    if node is None:
        return []
    if node.type in _LISTS:
        return [
            name for child in node.named_children for name in _states(source, child)
        ]
    if node.type == "attribute":
        parts = node_text(source, node).split(".")
        return [parts[-2] if parts[-1] == "value" else parts[-1]]
    text = literal_text(source, node)
    return [text] if text else []


def _transitions(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Read `Machine(states=…, transitions=…)`: lists, or names of the file's lists."""
    named: dict[str, Node] = {}
    for node in analysis.find(_ASSIGNED).get("assigned", ()):
        left, right = (node.child_by_field_name(n) for n in ("left", "right"))
        if left is not None and right is not None:
            named[node_text(analysis.source, left)] = right
    for use in analysis.uses.uses:
        last = use.name.rpartition(".")[2]
        origin = analysis.uses.resolve(use.name).partition(".")[0]
        if (
            use.kind != "call"
            or not last.endswith("Machine")
            or origin != "transitions"
        ):
            continue
        call = read_call(analysis.source, use)
        machine = Machine("transitions", initial=call.text(99, "initial") or "")
        machine.states = _states(analysis.source, _list(call, "states", named))
        _steps(call, named, machine)
        owner = use.owner
        while owner is not None and owner.kind != "class" and owner.parent is not None:
            owner = owner.parent
        name = owner.qualified_name if owner is not None else last
        yield from machine.fact(name, call.start_line, call.end_line)


def _list(call: Call, keyword: str, named: dict[str, Node]) -> Node | None:
    node = call.keywords.get(keyword)
    if node is None or node.type in _LISTS:
        return node
    return named.get(node_text(call.source, node).rpartition(".")[2])


def _steps(call: Call, named: dict[str, Node], machine: Machine) -> None:
    source, table = call.source, _list(call, "transitions", named)
    for row in table.named_children if table is not None else ():
        if row.type == "dictionary":
            cells = {literal_text(source, key): v for key, v in pairs_of(source, row)}
            trigger, start, end = (cells.get(k) for k in ("trigger", "source", "dest"))
        elif row.type in _LISTS and len(row.named_children) > 2:
            trigger, start, end = row.named_children[:3]
        else:
            continue
        event = literal_text(source, trigger) or ""
        machine.add(_states(source, start), "".join(_states(source, end)[:1]), event)
