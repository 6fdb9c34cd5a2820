"""State machines of Ruby: AASM and state_machines."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.text import node_text
from devrag.parsing.facts.calls import listed_texts, read_arguments, symbol_text
from devrag.parsing.facts.states import ANY, Machine, pairs_of
from devrag.parsing.source import SourceText
from devrag.parsing.types import FactFacts

_BLOCKS = {"do_block", "block"}
_OPTIONS = {"from", "to", "on", "if", "unless", "except_from", "except_to"}


def ruby_states(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a fact per `aasm` or `state_machine` block of a class."""
    source = analysis.source
    for definition in analysis.definitions:
        body = definition.about.body
        if definition.kind != "class" or body is None:
            continue
        for call, word in _calls(source, body):
            if word not in {"aasm", "state_machine"}:
                continue
            machine = _machine(source, call, word)
            lines = call.start_point.row + 1, call.end_point.row + 1
            yield from machine.fact(definition.qualified_name, *lines)


def _calls(source: SourceText, body: Node) -> Iterator[tuple[Node, str]]:
    for child in body.named_children:
        method = child.child_by_field_name("method") if child.type == "call" else None
        if method is not None and child.child_by_field_name("receiver") is None:
            yield child, node_text(source, method)


def _inside(source: SourceText, call: Node) -> Iterator[tuple[Node, str]]:
    for block in call.named_children:
        body = block.child_by_field_name("body") if block.type in _BLOCKS else None
        if body is not None:
            yield from _calls(source, body)


def _machine(source: SourceText, node: Node, word: str) -> Machine:
    machine = Machine("aasm" if word == "aasm" else "state_machines")
    machine.initial = _plain(
        source, read_arguments(source, node).keywords.get("initial")
    )
    for call, name in _inside(source, node):
        given = read_arguments(source, call)
        names = [t for n in given.positional if (t := symbol_text(source, n))]
        if name == "state":
            machine.states += names
            if "initial" in given.keywords and names:
                machine.initial = names[0]
        elif name == "event":
            _event(source, call, " / ".join(names), machine)
    return machine


def _event(source: SourceText, event: Node, name: str, machine: Machine) -> None:
    for call, word in _inside(source, event):
        if word not in {"transitions", "transition"}:
            continue
        keywords = read_arguments(source, call).keywords
        target = _plain(source, keywords.get("to"))
        if "from" in keywords or word == "transitions":
            start = keywords.get("from")
            sources = listed_texts(source, start) if start is not None else [ANY]
            machine.add(sources, target, name)
        listed = (c for c in call.named_children if c.type == "argument_list")
        for arguments in listed if word == "transition" else ():
            for key, value in pairs_of(source, arguments):
                starts = _keys(source, key)
                if not _OPTIONS & set(starts):
                    machine.add(starts, _plain(source, value), name)


def _keys(source: SourceText, key: Node) -> list[str]:
    is_bare = key.type == "hash_key_symbol"
    return [node_text(source, key)] if is_bare else list(listed_texts(source, key))


def _plain(source: SourceText, node: Node | None) -> str:
    return symbol_text(source, node) or ""
