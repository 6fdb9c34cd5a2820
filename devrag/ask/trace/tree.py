"""The calls that begin with one definition, as a tree with its lines.

A function that is passed on is called back by whoever takes it, so it stands in the
tree, too; so does an object that passes itself, as `http.createServer(this)` does.
Calls that leave the product are leaves, where the definition's own parts make them.
What is near the root is followed before what is far.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext

from devrag.ask.trace.citations import CALL_LINES, HEAD_LINES, Citations
from devrag.ask.trace.endpoints import Named, symbols_at
from devrag.ask.trace.wording import code
from devrag.ask.types import Answer
from devrag.navigation.call_paths import CallGraph
from devrag.navigation.symbols import ResolvedUse, callees
from devrag.parsing.path_roles import is_aside, is_test
from devrag.sources.models import GitRef, Symbol

_FUNCTIONS = ("function", "method")
_DEEPEST, _MOST_CHILDREN, _MOST_LINES, _MOST_READ = 4, 25, 40, 30
_SELF = re.compile(r"[(,]\s*(?:this|self)\s*[,)]")
_OWN_PART = re.compile(r"(?:this|self)\.\w+\.\w")
# Of functions and of containers of any language: they lead nowhere.
_PLUMBING = frozenset(
    [
        "add",
        "append",
        "apply",
        "bind",
        "call",
        "concat",
        "copy",
        "extend",
        "filter",
        "forEach",
        "get",
        "has",
        "items",
        "join",
        "keys",
        "map",
        "pop",
        "push",
        "remove",
        "set",
        "slice",
        "sort",
        "split",
        "strip",
        "update",
        "values",
    ]
)


@dataclass(frozen=True, slots=True)
class _Step:
    """A line of a definition. said: what it does. symbol: what runs then, if known."""

    line: int
    said: str
    symbol: Symbol | None = None


def tree_answer(named: Named) -> Answer | None:
    """Return the calls that a definition makes, None for one that makes none."""
    symbol = named.body
    tree = _Tree(symbol)
    lines = list(tree.lines(symbol))
    if not lines:
        return None
    head = gettext("What `%(name)s` calls, in the order of its lines:") % {
        "name": code(symbol.qualified_name)
    }
    root = f"- {tree.place(symbol)}"
    passages = tuple(tree.citations.passages)
    markdown = f"{head}\n\n" + "\n".join([root, *lines]) + "\n"
    return Answer(markdown, passages, passages, "answered")


class _Tree:
    """Follows calls, each definition once."""

    def __init__(self, root: Symbol) -> None:
        self.citations = Citations()
        self._ref = GitRef.objects.get(source=root.file.source_id, is_current=True)
        self._graph = CallGraph(self._ref)
        self._steps_of = self._follow(root)
        self._told_of: set[int] = set()

    def lines(self, symbol: Symbol, depth: int = 0) -> Iterator[str]:
        """Yield a definition's steps as items of a list below its own, each once."""
        self._told_of.add(symbol.pk)
        indent = "  " * (depth + 1)
        steps = self._steps_of.get(symbol.pk, [])
        for step in steps[:_MOST_CHILDREN]:
            yield f"{indent}- {self._told(step, symbol)}"
            if step.symbol is not None and step.symbol.pk not in self._told_of:
                yield from self.lines(step.symbol, depth + 1)
        if len(steps) > _MOST_CHILDREN:
            more = len(steps) - _MOST_CHILDREN
            yield f"{indent}- {gettext('And %(count)s more.') % {'count': more}}"

    def _follow(self, root: Symbol) -> dict[int, list[_Step]]:
        """Return the steps of definitions, nearest first, as long as they fit."""
        found: dict[int, list[_Step]] = {}
        level, count = [root], 0
        for _ in range(_DEEPEST):
            following = []
            for symbol in level:
                if symbol.pk in found or count > _MOST_LINES:
                    continue
                steps = sorted(self._steps(symbol), key=lambda step: step.line)
                found[symbol.pk] = steps
                count += len(steps)
                following += [step.symbol for step in steps if step.symbol]
            level = following
        return found

    def place(self, symbol: Symbol) -> str:
        """Return where a definition is, with its first lines."""
        said = gettext("`%(name)s` in `%(path)s`, line %(line)s") % {
            "name": code(symbol.qualified_name),
            "path": code(symbol.file.path),
            "line": symbol.start_line,
        }
        end = min(symbol.end_line, symbol.start_line + HEAD_LINES - 1)
        return said + self.citations.cite(
            symbol.file_id,
            (symbol.start_line, end),
            "definition",
            title=symbol.qualified_name,
            why=gettext("definition"),
            uuid=symbol.uuid,
        )

    def _steps(self, symbol: Symbol) -> Iterator[_Step]:
        calls = list(self._calls(symbol))
        yield from calls
        called = {(step.line, step.symbol.name) for step in calls if step.symbol}
        seen = {step.symbol.pk for step in calls if step.symbol} | {symbol.pk}
        self.citations.load({symbol.file_id})
        uses = callees(self._ref, symbol)
        functions = self._functions_of(uses)
        for use in uses:
            name = use.use.usage.name
            if (use.use.line, name.rpartition(".")[2]) in called:
                continue
            if use.use.kind == "call":
                yield from self._leaving(use, symbol)
            elif (passed := _passed(use, functions)) and passed.pk not in seen:
                seen.add(passed.pk)
                said = gettext("passes `%(name)s` on, to be called back")
                name = code(passed.qualified_name)
                yield _Step(use.use.line, said % {"name": name}, passed)

    def _calls(self, symbol: Symbol) -> Iterator[_Step]:
        """Yield the calls of other definitions, each once."""
        self._graph.load([symbol.pk])
        edges = {
            each.callee: each for each in reversed(self._graph.calls_from([symbol.pk]))
        }
        for found in self._symbols(edges.keys()):
            edge = edges[found.pk]
            said = gettext("calls `%(name)s`") % {"name": code(found.qualified_name)}
            possible = f" ({gettext('possible')})" if edge.is_possible else ""
            yield _Step(edge.line, f"{said}{possible}", found)

    def _symbols(self, keys: Iterable[int]) -> list[Symbol]:
        rows = symbols_at([self._ref.source_id]).filter(pk__in=list(keys))
        return [each for each in rows if not is_test(each.file.path)]

    def _leaving(self, use: ResolvedUse, symbol: Symbol) -> Iterator[_Step]:
        """Yield a call of what is defined elsewhere, by a part or with the object."""
        name, line = use.use.usage.name, use.use.line
        if name.rpartition(".")[2] in _PLUMBING:
            return
        back = None
        if _SELF.search(self.citations.line(symbol.file_id, line)):
            back = self._called_as(symbol)
        if back is not None:
            said = gettext(
                "passes itself to `%(name)s`, which may call `%(back)s` back"
            )
            words = {"name": code(name), "back": code(back.qualified_name)}
            yield _Step(line, said % words, back)
        elif _OWN_PART.match(name):
            said = gettext("calls `%(name)s`, which is not in this product")
            yield _Step(line, said % {"name": code(name)})

    def _called_as(self, symbol: Symbol) -> Symbol | None:
        """Return the function that the object around a method is, None for none."""
        owner = symbol.qualified_name.rpartition(".")[0].rpartition(".")[2]
        rows = symbols_at([self._ref.source_id]).filter(name=owner, kind__in=_FUNCTIONS)
        own = [e for e in rows[:_MOST_READ] if not _is_aside(e)] if owner else []
        return own[0] if len(own) == 1 else None

    def _functions_of(self, uses: Iterable[ResolvedUse]) -> dict[int, Symbol]:
        """Return the functions that values are. Queries: 1."""
        keys = {u.meaning.symbol.key for u in uses if _is_value(u) and u.meaning.symbol}
        found = self._symbols(keys) if keys else []
        return {each.pk: each for each in found if each.kind in _FUNCTIONS}

    def _told(self, step: _Step, caller: Symbol) -> str:
        said = gettext("line %(line)s: %(code)s") % {
            "line": step.line,
            "code": step.said,
        }
        end = min(max(caller.end_line, step.line), step.line + CALL_LINES - 1)
        return said + self.citations.cite(
            caller.file_id,
            (step.line, end),
            "caller",
            title=caller.qualified_name,
            uuid=caller.uuid,
        )


def _is_value(use: ResolvedUse) -> bool:
    return use.use.kind == "value"


def _passed(use: ResolvedUse, functions: Mapping[int, Symbol]) -> Symbol | None:
    """Return the function that a value is, None for other values."""
    meant = use.meaning.symbol
    return functions.get(meant.key) if meant and _is_value(use) else None


def _is_aside(symbol: Symbol) -> bool:
    return is_test(symbol.file.path) or is_aside(symbol.file.path)
