"""What a model may look for: each tool reads, and returns passages or lines.

They work on the database, so that they are called in threads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

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
from devrag.ask.types import Passage, PassageKind
from devrag.core.errors import InvalidInput, NotFound
from devrag.core.text import one_line, shorten
from devrag.llm.chat import ToolSpec
from devrag.navigation.symbol_search import FoundSymbol, get_current_symbol
from devrag.navigation.symbols import members_of
from devrag.navigation.usages import list_uses
from devrag.parsing.path_roles import is_test
from devrag.search.api import search
from devrag.search.types import Hit, SearchQuery
from devrag.sources.models import Fact, File, Symbol

_HITS, _SHOWN_HITS, _HIT_LINES = 20, 5, 40
_MOST_LINES, _MOST_DEFINITIONS, _MOST_NAMED = 120, 3, 6
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
    path = reach.path
    if wanted.path:
        if not wanted.path.startswith(reach.path):
            raise NotFound(f"Only paths that begin with '{reach.path}' are searched.")
        path = wanted.path.strip("/")
    hits: list[Hit] = []
    shown = {source.name for source in reach.sources}
    for product in reach.products:
        query = SearchQuery(
            wanted.query,
            reach.principal,
            product=product,
            source=reach.sources[0].name if len(reach.sources) == 1 else "",
            path_prefix=path,
            limit=_HITS,
        )
        hits += (h for h in search(query).hits if h.source_name in shown)
    if not hits:
        raise NotFound("Nothing was found. Try other words, or no path.")
    hits.sort(key=lambda hit: -hit.score)
    best = candidates_of_hits(hits)[:_SHOWN_HITS]
    others = [
        f"{reach.place(hit.source_name, hit.path, hit.start_line)} {hit.symbol_name}"
        for hit in hits[_SHOWN_HITS : 2 * _SHOWN_HITS]
    ]
    return ToolResult(
        _read(reach, [_cut(each, _HIT_LINES) for each in best]),
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
    candidates = [_candidate_of(row.symbol) for row in shown]
    passages = _read(reach, [_cut(each, _MOST_LINES) for each in candidates])
    return ToolResult(passages, tuple(lines), is_read=True)


def _read_lines(reach: Reach, wanted: LinesArguments) -> ToolResult:
    file = reach.find_file(wanted.path, wanted.source)
    if wanted.start_line > file.lines or wanted.end_line < wanted.start_line:
        raise InvalidInput(
            f"Lines {wanted.start_line} to {wanted.end_line} are none: "
            f"{file.path} has {file.lines}."
        )
    candidate = PassageCandidate(
        source=file.source.name,
        path=file.path,
        start_line=wanted.start_line,
        end_line=min(wanted.end_line, file.lines),
        kind=_kind_of(file),
        weight=0.0,
        file_weight=0.0,
        title=_title_of(file, wanted.start_line, wanted.end_line),
    )
    passages = _read(reach, [_cut(candidate, _MOST_LINES)])
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
    """Return the definitions that a name means. Raises NotFound with similar ones."""
    rows = reach.find_symbols(
        wanted.name, path=wanted.path, source_name=wanted.source, limit=_MOST_NAMED
    )
    meant = [row for row in rows if not row.is_similar]
    exact = [row for row in meant if row.symbol.qualified_name == wanted.name]
    if not meant:
        similar = ", ".join(row.symbol.qualified_name for row in rows)
        hint = f"Similar: {similar}." if similar else "Search by meaning instead."
        raise NotFound(f"There is no definition '{shorten(wanted.name, 80)}'. {hint}")
    return exact or meant


def _read(reach: Reach, chosen: Sequence[PassageCandidate]) -> tuple[Passage, ...]:
    return tuple(read_passages(chosen, reach.principal))


def _cut(candidate: PassageCandidate, most_lines: int) -> PassageCandidate:
    end = min(candidate.end_line, candidate.start_line + most_lines - 1)
    return replace(candidate, end_line=end)


def _candidate_of(symbol: Symbol) -> PassageCandidate:
    return PassageCandidate(
        source=symbol.file.source.name,
        path=symbol.file.path,
        start_line=symbol.start_line,
        end_line=symbol.end_line,
        kind="test" if is_test(symbol.file.path) else "definition",
        weight=0.0,
        file_weight=0.0,
        title=symbol.qualified_name,
        symbol_uuid=symbol.uuid,
    )


def _kind_of(file: File) -> PassageKind:
    if is_test(file.path):
        return "test"
    kinds: dict[str, PassageKind] = {
        "code": "definition",
        "doc": "documentation",
        "config": "configuration",
    }
    return kinds.get(file.kind, "data")


def _title_of(file: File, first: int, last: int) -> str:
    """Return the name of the innermost definition that has all of these lines."""
    rows = Symbol.objects.filter(file=file, start_line__lte=first, end_line__gte=last)
    names = rows.order_by("-start_line").values_list("qualified_name", flat=True)
    return names.first() or ""


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
