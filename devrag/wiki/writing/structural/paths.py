"""Call paths from entry points: how a request or command reaches a part."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.graph import walk_back
from devrag.wiki.analysis.prose import cited
from devrag.wiki.analysis.survey import SurveyFact, SurveySymbol
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.diagrams import sequence

_PATHS_SHOWN = 3
_SHORTEST = 3
_LONGEST = 7
_CALL_LINES = 2  # beyond the first: a call chained over lines
_KINDS = {
    "entry_point": phrase("the entry point"),
    "command": phrase("the command"),
    "route": phrase("the route"),
    "task": phrase("the task"),
}


@dataclass(frozen=True, slots=True)
class CallPath:
    """Symbols from an entry point inwards; each calls the next."""

    entry: SurveyFact
    steps: tuple[SurveySymbol, ...]


def best_path(analysis: Analysis, topic: int | None, skip: set[int]) -> CallPath | None:
    """Return the path that crosses most parts, into `part` when one is given.

    skip: symbols that earlier paths ended at.
    """
    best: tuple[tuple[int, int, float, int], list[int]] | None = None
    symbols = analysis.symbols
    for node in analysis.entry_paths:
        symbol = analysis.symbols[node]
        home = analysis.topic_of.get(symbol.file)
        if home is None or node in skip or topic not in (None, home):
            continue
        if node in analysis.exceptions or not _is_worth_reaching(symbol):
            continue
        path = walk_back(node, analysis.entry_paths)
        crossed = {analysis.topic_of.get(analysis.symbols[n].file) for n in path}
        if not _SHORTEST <= len(path) <= _LONGEST or len(crossed) < 2:
            continue
        told = sum(1 for n in path if symbols[n].docstring)
        score = (len(crossed), told - len(path), analysis.symbol_rank[node], -node)
        if best is None or score > best[0]:
            best = (score, path)
    if best is None:
        return None
    steps = tuple(analysis.symbols[node] for node in best[1])
    return CallPath(analysis.entry_symbols[best[1][0]], steps)


def main_paths(analysis: Analysis) -> list[CallPath]:
    """Return the paths that show most of the product, from an entry point each."""
    found: list[CallPath] = []
    seen: set[int] = set()
    for _ in range(_PATHS_SHOWN):
        path = best_path(analysis, None, seen)
        if path is None:
            break
        found.append(path)
        seen |= _same_entry(analysis, path)
    return found


def _same_entry(analysis: Analysis, path: CallPath) -> set[int]:
    """Return every symbol first reached from the path's entry point."""
    reached = {path.steps[0].id}
    # Breadth first: predecessors come earlier.
    for node, previous in analysis.entry_paths.items():
        if previous in reached:
            reached.add(node)
    return reached


def _is_worth_reaching(symbol: SurveySymbol) -> bool:
    is_code = symbol.kind in {"function", "method", "class"}
    return is_code and symbol.is_public


def tell(ctx: PageContext, path: CallPath) -> list[str]:
    """Return the path as an introduction, numbered steps and a sequence diagram."""
    first, last = path.steps[0], path.steps[-1]
    intro = ctx.say(
        "From {kind} {entry} a call reaches {last} in {count} calls.",
        kind=ctx.say(_KINDS.get(path.entry.kind, _KINDS["entry_point"])),
        entry=ctx.code(path.entry.name),
        last=ctx.symbol_name(last),
        count=len(path.steps) - 1,
    )
    entry = path.entry
    begun = ctx.book.cite(entry.file, entry.start_line, entry.end_line)
    intro = cited(intro, begun + ctx.cite_symbol(last))
    items = [f"1. {_step(ctx, first, None)}"]
    for number, (caller, callee) in enumerate(pairwise(path.steps), 2):
        items.append(f"{number}. {_step(ctx, callee, caller)}")
    return [intro, "\n".join(items), *_drawn(ctx, path)]


def tell_briefly(ctx: PageContext, path: CallPath) -> list[str]:
    """Return the path as one sentence, its calls cited, and the diagram."""
    steps = [ctx.symbol_name(path.steps[0]) + ctx.cite_symbol(path.steps[0])]
    for caller, callee in pairwise(path.steps):
        line = ctx.analysis.call_lines[caller.id, callee.id]
        call = ctx.book.cite(caller.file, line, line + _CALL_LINES)
        steps.append(ctx.symbol_name(callee) + call)
    entry = path.entry
    begun = ctx.book.cite(entry.file, entry.start_line, entry.end_line)
    told = ctx.say(
        "From {kind} {entry} the way is {steps}.",
        kind=ctx.say(_KINDS.get(entry.kind, _KINDS["entry_point"])),
        entry=ctx.code(entry.name) + begun,
        steps=" → ".join(steps),
    )
    return [told, *_drawn(ctx, path)]


def _step(ctx: PageContext, symbol: SurveySymbol, caller: SurveySymbol | None) -> str:
    name, path = ctx.symbol_name(symbol), ctx.path(ctx.analysis.files[symbol.file])
    head = ctx.cite_symbol(symbol)
    if caller is None:
        told = cited(ctx.say("{name} in {path}.", name=name, path=path), head)
    else:
        line = ctx.analysis.call_lines[caller.id, symbol.id]
        call = ctx.book.cite(caller.file, line, line + _CALL_LINES)
        told = ctx.say("This calls {name} in {path}.", name=name, path=path)
        told = cited(told, call + head)
    return f"{told} {ctx.symbol_purpose(symbol)}".rstrip()


def _drawn(ctx: PageContext, path: CallPath) -> list[str]:
    files = [ctx.analysis.files[s.file] for s in path.steps]
    steps = [
        (files[i].name, files[i + 1].name, f"{path.steps[i + 1].name}()")
        for i in range(len(files) - 1)
    ]
    return [sequence(steps)] if len({f.id for f in files}) > 2 else []
