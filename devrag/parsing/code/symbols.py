"""Definitions and their uses become SymbolFacts."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from devrag.parsing.code.definitions import CALLABLE, TYPES, Definition, Owners
from devrag.parsing.code.text import column_of, last_row, stands_alone
from devrag.parsing.code.tree import Captures
from devrag.parsing.code.uses import Uses
from devrag.parsing.code.value_types import ValueTypes
from devrag.parsing.source import SourceText
from devrag.parsing.types import SymbolFacts

_SIGNATURE_LIMIT = 1000
_HIERARCHY_LIMIT = 30


@dataclass
class Notes:
    """Comments by owner, the lines they stand on, and branch counts by owner.

    alone: the lines that hold nothing but a comment, or what leads to a definition.
    """

    comments: defaultdict[int, list[str]]
    comment_lines: list[int]
    alone: set[int]
    branches: Counter[int]


def collect_notes(
    source: SourceText, captures: Captures, definitions: list[Definition]
) -> Notes:
    """Attach comments and branches to the definitions around or below them."""
    owners = Owners(definitions)
    notes = Notes(defaultdict(list), [], set(), Counter())
    comments = captures.get("comment", [])
    for node in comments:
        rows = range(node.start_point.row + 1, last_row(node) + 2)
        notes.comment_lines.extend(rows)
        if stands_alone(source, node):
            notes.alone.update(rows)
    for node in captures.get("lead", ()):
        notes.alone.update(range(node.start_point.row + 1, last_row(node) + 2))
    leads = _take_leading_comments(definitions, notes.alone)
    for node in comments:
        owner = leads.get(node.start_point.row + 1) or owners.at(node.start_byte)
        if owner is not None:
            text = source.data[node.start_byte : node.end_byte]
            notes.comments[owner.ordinal].append(text.decode("utf-8", "replace"))
    for node in captures.get("branch", ()):
        owner = owners.at(node.start_byte)
        if owner is not None:
            notes.branches[owner.ordinal] += 1
    return notes


def _take_leading_comments(
    definitions: list[Definition], alone: set[int]
) -> dict[int, Definition]:
    """Move each definition's first line above its comments; return line → owner."""
    leads: dict[int, Definition] = {}
    for definition in definitions:
        if not definition.is_container:
            continue
        line = definition.start_line
        while line - 1 in alone:
            line -= 1
            leads[line] = definition
        definition.first_line = line
    return leads


def symbol_facts(
    source: SourceText,
    definitions: list[Definition],
    found: Uses,
    notes: Notes,
    value_types: Mapping[int, ValueTypes],
) -> list[SymbolFacts]:
    """Return one SymbolFacts per definition; value_types: by ordinal."""
    calls: dict[int, dict[str, None]] = defaultdict(dict)
    types: dict[int, dict[str, None]] = defaultdict(dict)
    kinds = {"call": calls, "type": types}
    for use in found.uses:
        if use.owner is not None and use.kind in kinds:
            kinds[use.kind][use.owner.ordinal][use.name] = None
    hierarchies = _hierarchies(definitions)
    names = (found.touched, calls, types)
    return [
        _symbol(source, d, hierarchies, notes, names, value_types.get(d.ordinal, ()))
        for d in definitions
    ]


def _symbol(
    source: SourceText,
    definition: Definition,
    hierarchies: dict[str, tuple[str, ...]],
    notes: Notes,
    names: tuple[dict[int, dict[str, None]], ...],
    value_types: ValueTypes,
) -> SymbolFacts:
    about, ordinal = definition.about, definition.ordinal
    imports, calls, types = (tuple(found.get(ordinal, ())) for found in names)
    owner_class = definition.type_name
    is_callable = definition.kind in CALLABLE
    lines = notes.comment_lines
    return SymbolFacts(
        ordinal=ordinal,
        kind=definition.kind,
        name=about.name,
        qualified_name=definition.qualified_name,
        signature=about.signature[:_SIGNATURE_LIMIT],
        start_line=definition.start_line,
        end_line=definition.end_line,
        start_column=column_of(source, about.begin.start_point),
        end_column=column_of(source, about.outer.end_point),
        parameters=about.parameters,
        return_type=about.return_type,
        class_name=owner_class.rpartition(".")[2],
        class_hierarchy=hierarchies.get(owner_class, ()),
        imports=imports,
        called_functions=calls,
        docstring=about.docstring,
        comments=tuple(notes.comments.get(ordinal, ())),
        scope=_scope(definition),
        modifiers=about.modifiers,
        used_types=types,
        complexity=1 + notes.branches[ordinal] if is_callable else None,
        loc=definition.end_line - definition.start_line + 1,
        comment_lines=bisect_right(lines, definition.end_line)
        - bisect_left(lines, definition.first_line),
        decorators=about.decorators,
        annotations=about.annotations,
        attributes=about.attributes,
        parent=definition.parent.ordinal if definition.parent else None,
        value_types=value_types,
    )


def _hierarchies(definitions: list[Definition]) -> dict[str, tuple[str, ...]]:
    """Return each type's known ancestors by qualified name, base first, itself last.

    A base counts as known when it is defined above in the same file.
    """
    by_name: dict[str, tuple[str, ...]] = {}
    found: dict[str, tuple[str, ...]] = {}
    for definition in definitions:
        if definition.kind in TYPES:
            about = definition.about
            # An extension adds to what is known of its type.
            known = found.get(definition.qualified_name, ())[:-1]
            names = dict.fromkeys(known)
            for base, _ in (*about.bases, *about.interfaces):
                names.update(dict.fromkeys(by_name.get(base, (base,))))
            names.pop(about.name, None)
            kept = tuple(names)[-_HIERARCHY_LIMIT:]
            whole = (*kept, about.name)
            by_name[about.name] = found[definition.qualified_name] = whole
    return found


def _scope(definition: Definition) -> str:
    if definition.kind == "method":
        return "class"
    above = definition.parent
    if above is None or above.kind == "namespace":
        return "global"
    return "local" if above.kind in CALLABLE else "class"
