"""What a model may look for: each tool reads, and returns passages or lines.

They work on the database, so that they are called in threads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from devrag.ask.agent.lookups import (
    candidate_of,
    candidate_of_lines,
    cut_lines,
    find_definitions,
    search_hits,
)
from devrag.ask.agent.reach import Reach
from devrag.ask.agent.tool_arguments import (
    Arguments,
    FactsArguments,
    LinesArguments,
    SearchArguments,
    SymbolArguments,
    schema_of,
)
from devrag.ask.evidence.candidates import PassageCandidate, candidates_of_hits
from devrag.ask.evidence.passages import read_passages
from devrag.ask.types import Passage
from devrag.core.errors import NotFound
from devrag.core.text import one_line, shorten
from devrag.llm.chat import ToolSpec
from devrag.navigation.symbol_search import FoundSymbol, get_current_symbol
from devrag.navigation.symbols import members_of
from devrag.navigation.usages import list_uses
from devrag.parsing.path_roles import is_test
from devrag.sources.models import Fact, Symbol

_HITS, _SHOWN_HITS, _HIT_LINES = 20, 5, 40
_MOST_LINES, _MOST_DEFINITIONS = 120, 3
_MOST_USES, _MOST_FACTS, _READ_FACTS, _MOST_MEMBERS = 20, 40, 1_000, 40
_SHOWN_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool found. lines: text that is no evidence, such as a list of places.

    is_read: the passages were asked for by name or lines.
    """

    passages: tuple[Passage, ...] = ()
    lines: tuple[str, ...] = ()
    is_read: bool = False


def _search(reach: Reach, wanted: SearchArguments) -> ToolResult:
    hits = search_hits(reach, wanted.query, wanted.path, limit=_HITS)
    if not hits:
        raise NotFound("Nothing was found. Try other words, or no path.")
    best = candidates_of_hits(hits)[:_SHOWN_HITS]
    others = [
        f"{reach.place(hit.source_name, hit.path, hit.start_line)} {hit.symbol_name}"
        for hit in hits[_SHOWN_HITS : 2 * _SHOWN_HITS]
    ]
    return ToolResult(
        _read(reach, [cut_lines(each, _HIT_LINES) for each in best]),
        ("Further results:", *others) if others else (),
    )


def _read_symbol(reach: Reach, wanted: SymbolArguments) -> ToolResult:
    rows = _find(reach, wanted)
    shown = rows[:_MOST_DEFINITIONS]
    lines = [_place_of(reach, row.symbol) for row in rows[len(shown) :]]
    if lines:
        lines.insert(0, "Others of that name; give path for one:")
    for row in shown:
        if row.symbol.end_line - row.symbol.start_line >= _MOST_LINES:
            lines += _members(row.symbol)
    candidates = [candidate_of(row.symbol) for row in shown]
    passages = _read(reach, [cut_lines(each, _MOST_LINES) for each in candidates])
    return ToolResult(passages, tuple(lines), is_read=True)


def _read_lines(reach: Reach, wanted: LinesArguments) -> ToolResult:
    file, candidate = candidate_of_lines(
        reach, wanted.path, wanted.start_line, wanted.end_line, wanted.source
    )
    passages = _read(reach, [cut_lines(candidate, _MOST_LINES)])
    return ToolResult(passages, (f"The file has {file.lines} lines.",), is_read=True)


def _list_callers(reach: Reach, wanted: SymbolArguments) -> ToolResult:
    rows = _find(reach, wanted)
    if len(rows) > 1:
        places = (_place_of(reach, row.symbol) for row in rows)
        return ToolResult(lines=("Which one? Give its path:", *places))
    ref, symbol = get_current_symbol(reach.source_ids, rows[0].symbol.uuid)
    uses, total, notes = list_uses(ref, symbol, _MOST_USES)
    source = symbol.file.source.name
    lines = [
        f"{reach.place(source, use.path, use.line)} {use.kind}"
        f"{' (possible)' if use.is_possible else ''}"
        f"{f' in {use.inside}' if use.inside else ''}: {use.text.strip()}"
        for use in uses
        if use.path.startswith(reach.path)
    ]
    head = f"{total} uses of {symbol.qualified_name}:"
    return ToolResult(lines=(head, *lines, *notes))


def _list_facts(reach: Reach, wanted: FactsArguments) -> ToolResult:
    rows = Fact.objects.filter(
        kind=wanted.kind,
        file__source__in=reach.source_ids,
        file__path__startswith=reach.path,
        file__manifests__until=None,
        file__manifests__ref__is_current=True,
    )
    if wanted.name:
        rows = rows.filter(name__icontains=wanted.name) | rows.filter(
            file__path__icontains=wanted.name
        )
    columns = ("name", "file__source__name", "file__path", "start_line")
    ordered = rows.order_by("file__path", "start_line").values_list(*columns)
    found = list(ordered[:_READ_FACTS])
    found.sort(key=lambda row: is_test(row[2]))
    lines = [
        f"{name} {reach.place(source, path, line)}"
        for name, source, path, line in found[:_MOST_FACTS]
    ]
    if len(found) > _MOST_FACTS:
        lines.append(f"{len(found) - _MOST_FACTS} more; narrow them down by name.")
    if not lines:
        raise NotFound(f"No {wanted.kind} of that name is known.")
    return ToolResult(lines=tuple(lines))


# -- what they share ----------------------------------------------------------------


def _find(reach: Reach, wanted: SymbolArguments) -> list[FoundSymbol]:
    return find_definitions(
        reach, wanted.name, path=wanted.path, source_name=wanted.source
    )


def _read(reach: Reach, chosen: Sequence[PassageCandidate]) -> tuple[Passage, ...]:
    return tuple(read_passages(chosen, reach.principal))


def _members(symbol: Symbol) -> list[str]:
    rows = members_of(symbol)[:_MOST_MEMBERS]
    named = [f"{row.start_line} {row.kind} {row.qualified_name}" for row in rows]
    head = f"{symbol.qualified_name} goes on to line {symbol.end_line}; it has:"
    return [head, *named]


def _place_of(reach: Reach, symbol: Symbol) -> str:
    place = reach.place(symbol.file.source.name, symbol.file.path, symbol.start_line)
    return f"{symbol.kind} {symbol.qualified_name} {place}"


# -- the tools ----------------------------------------------------------------------

_FACTS: dict[str, Promise | str] = {
    "route": gettext_lazy("Listing routes"),
    "command": gettext_lazy("Listing commands"),
    "setting": gettext_lazy("Listing settings"),
    "model": gettext_lazy("Listing data models"),
    "task": gettext_lazy("Listing tasks"),
    "entry_point": gettext_lazy("Listing entry points"),
    "dependency": gettext_lazy("Listing dependencies"),
}


def _shown(text: str) -> str:
    return shorten(one_line(text), _SHOWN_CHARACTERS)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. step: returns what a call of it does, as a sentence for the reader."""

    spec: ToolSpec
    arguments: type[Arguments]
    run: Callable[[Reach, Any], ToolResult]
    step: Callable[[Any], str]


def _tool(
    name: str,
    description: str,
    arguments: type[Arguments],
    run: Callable[[Reach, Any], ToolResult],
    step: Callable[[Any], str],
) -> tuple[str, Tool]:
    spec = ToolSpec(name, description, schema_of(arguments))
    return name, Tool(spec, arguments, run, step)


TOOLS: dict[str, Tool] = dict(
    [
        _tool(
            "search",
            "Find passages of code and documentation by words or meaning.",
            SearchArguments,
            _search,
            lambda a: gettext("Searching for “%(query)s”") % {"query": _shown(a.query)},
        ),
        _tool(
            "read_symbol",
            "Read the definition of a function, method, class or constant by name.",
            SymbolArguments,
            _read_symbol,
            lambda a: gettext("Reading %(name)s") % {"name": _shown(a.name)},
        ),
        _tool(
            "read_lines",
            "Read lines of a file.",
            LinesArguments,
            _read_lines,
            lambda a: (
                gettext("Reading %(path)s, lines %(first)s–%(last)s")
                % {"path": _shown(a.path), "first": a.start_line, "last": a.end_line}
            ),
        ),
        _tool(
            "list_callers",
            "List the places that call, import or inherit a definition.",
            SymbolArguments,
            _list_callers,
            lambda a: (
                gettext("Looking for uses of %(name)s") % {"name": _shown(a.name)}
            ),
        ),
        _tool(
            "list_facts",
            "List what the sources declare: routes, commands, settings, data models, "
            "tasks, entry points or dependencies.",
            FactsArguments,
            _list_facts,
            lambda a: str(_FACTS[a.kind]),
        ),
    ]
)
