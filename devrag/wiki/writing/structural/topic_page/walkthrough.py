"""The main functions of a topic step by step: what each does, when, with what result.

The steps are read from the code: comments at its left, calls, errors, results, and the
conditions around them. Each cites its lines.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from devrag.wiki.analysis.conditions import CASE, FAILS, IF, UNLESS
from devrag.wiki.analysis.exports import exports_of
from devrag.wiki.analysis.prose import cited, clean, full_stop
from devrag.wiki.analysis.steps import (
    CALL,
    COMMENT,
    OUTSIDE,
    RAISE,
    RETURN,
    Step,
    joined_steps,
    steps_of,
)
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.analysis.visibility import is_exposed
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.topic_page.errors import collect_errors
from devrag.wiki.writing.structural.topic_page.implemented import told_docstring
from devrag.wiki.writing.structural.topic_page.told import Told
from devrag.wiki.writing.structural.topic_summary import purpose_in_brief

_CALLED = {"function", "method"}
_FUNCTIONS = 3
_FEWEST_ITEMS, _MOST_ITEMS = 3, 12
_FEWEST_CALLS = 2
_MOST_PER_TYPE = 2
_LONGEST_PURPOSE = 110
_NAMES, _CALLERS = 5, 2
_ENTRY_BONUS, _EXPORT_BONUS, _HIDDEN_SHARE = 2.0, 1.5, 0.7
_DEPTH, _CALLED_BONUS = 6, 1.6
_LEAST_RANK = 0.5
_COURSE_BONUS = 1.5
_COURSE = re.compile(
    r"(main|run|execute\w?|start|serve|handle|dispatch|invoke|process)$", re.IGNORECASE
)
_FRONTS = {"__init__", "index", "main", "mod", "lib"}
_RAISES = {"python", "ruby"}
_RETURNS_ERRORS = {"go", "rust"}
_CONDITIONS = {
    IF: phrase("If {condition}, {what}"),
    UNLESS: phrase("Unless {condition}, {what}"),
    CASE: phrase("In the case {condition}, {what}"),
    FAILS: phrase("If {condition} is raised, {what}"),
}
_BEFORE = {  # a comment
    IF: phrase("If {condition}:"),
    UNLESS: phrase("Unless {condition}:"),
}


def walkthroughs(ctx: PageContext, index: int, told: Told) -> list[str]:
    """Return a section for each of the functions that show best how a topic works."""
    blocks: list[str] = []
    for symbol in _in_order(ctx, _chosen(ctx, index)):
        told.walked.add(symbol.id)
        told.symbols.add(symbol.id)
        section = _told(ctx, symbol, told)
        told.words += sum(len(block.split()) for block in section)
        collect_errors(ctx, [symbol], told)
        blocks += section
    return blocks


def _chosen(ctx: PageContext, index: int) -> list[SurveySymbol]:
    """Return the functions with most of the course in them, few of each type.

    What the ones before call is preferred: together they show one course.
    """
    own = [
        symbol
        for file in ctx.analysis.topics[index].files
        if ctx.analysis.roles[file.id] == "code"
        for symbol in ctx.analysis.symbols_of.get(file.id, ())
        if symbol.kind in _CALLED and not symbol.name.startswith("_")
        if not _is_inner(ctx, symbol)
    ]
    highest = max((ctx.analysis.symbol_rank[s.id] for s in own), default=1.0)
    score = {s.id: _score(ctx, s, highest) for s in own}
    left = {s.id: s for s in own if score[s.id]}
    chosen: list[SurveySymbol] = []
    called = set[int]()
    while left and len(chosen) < _FUNCTIONS:
        best = max(
            left.values(),
            key=lambda s: (
                score[s.id] * (_CALLED_BONUS if s.id in called else 1),
                -s.id,
            ),
        )
        chosen.append(best)
        called |= set(_called_by(ctx, best.id))
        of_type = [s for s in chosen if best.parent and s.parent == best.parent]
        is_full = len(of_type) == _MOST_PER_TYPE
        left = {
            n: s
            for n, s in left.items()
            if s.qualified_name != best.qualified_name
            and not (is_full and s.parent == best.parent)
        }
    return chosen


def _score(ctx: PageContext, symbol: SurveySymbol, highest: float) -> float:
    """Return how much a function shows of the course, 0 where it shows too little."""
    steps = steps_of(ctx.analysis, symbol.id)
    calls = [s for s in steps if s.kind in {CALL, OUTSIDE}]
    others = [s for s in steps if s.kind in {COMMENT, RAISE}]
    is_told = len(joined_steps(steps)) >= _FEWEST_ITEMS
    if not is_told or len(calls) < max(0, _FEWEST_CALLS - len(others)):
        return 0.0
    exported = {export.symbol.id for export in exports_of(ctx.analysis)}
    bonus = _ENTRY_BONUS if _is_entered(ctx, symbol) else 1.0
    bonus *= _COURSE_BONUS if _COURSE.match(symbol.name) else 1.0
    bonus *= _EXPORT_BONUS if {symbol.id, symbol.parent} & exported else 1.0
    bonus *= 1.0 if is_exposed(ctx.analysis, symbol) else _HIDDEN_SHARE
    rank = ctx.analysis.symbol_rank[symbol.id] / highest
    if bonus > _COURSE_BONUS:  # its users are outside of the product
        rank = max(rank, _LEAST_RANK)
    shown = min(len(calls), 8) + 0.5 * min(len(others), 6)
    return bonus * shown * (0.5 + rank) * (1 + math.sqrt(len(_reached(ctx, symbol.id))))


def _is_inner(ctx: PageContext, symbol: SurveySymbol) -> bool:
    """Return whether a function stands inside of another."""
    parent = ctx.analysis.symbols.get(symbol.parent or 0)
    return parent is not None and parent.kind in _CALLED


def _is_entered(ctx: PageContext, symbol: SurveySymbol) -> bool:
    """Return whether a function is a start: of the product, or of its main file."""
    if symbol.id in ctx.analysis.entry_symbols:
        return True
    stem = ctx.analysis.files[symbol.file].stem.lower()
    is_front = stem in {*_FRONTS, ctx.analysis.survey.product.lower()}
    is_free = symbol.kind == "function" and ctx.is_top_level(symbol)
    return is_front and is_free and is_exposed(ctx.analysis, symbol)


def _called_by(ctx: PageContext, symbol: int) -> list[int]:
    """Return what a function calls of the product."""
    steps = steps_of(ctx.analysis, symbol)
    return [step.callee for step in steps if step.callee is not None]


def _reached(ctx: PageContext, symbol: int) -> set[int]:
    """Return what is called from a function directly and in a few further steps."""
    found, last = {symbol}, {symbol}
    for _ in range(_DEPTH):
        last = {callee for s in last for callee in _called_by(ctx, s)} - found
        found |= last
    return found - {symbol}


def _in_order(ctx: PageContext, chosen: Sequence[SurveySymbol]) -> list[SurveySymbol]:
    """Return functions so that one from which others are reached comes before them."""
    reached = {s.id: _reached(ctx, s.id) for s in chosen}
    return sorted(chosen, key=lambda s: sum(s.id in r for r in reached.values()))


def _told(ctx: PageContext, symbol: SurveySymbol, told: Told) -> list[str]:
    name = ctx.symbol_name(symbol)
    groups = joined_steps(steps_of(ctx.analysis, symbol.id))
    items = [text for group in groups if (text := _item(ctx, symbol, group))]
    shown = [f"{n}. {text}" for n, text in enumerate(items[:_MOST_ITEMS], 1)]
    opening = told_docstring(ctx, symbol, told)
    called = _callers(ctx, symbol)
    rest = [ctx.say("The steps after these are left out here.")]
    return [
        ctx.say("### {name}, step by step", name=name),
        *opening,
        *([called] if called else []),
        "\n".join(shown),
        *(rest if len(items) > len(shown) else []),
    ]


def _callers(ctx: PageContext, symbol: SurveySymbol) -> str:
    """Return a sentence on what calls a function, if little does."""
    uses = [u for u in ctx.analysis.uses if u.target == symbol.id and u.kind == "call"]
    first = {
        use.source: use
        for use in reversed(uses)
        if use.source not in {None, symbol.id}
        and ctx.analysis.roles[use.file] == "code"
    }
    if not 0 < len(first) <= _CALLERS:
        return ""
    names = [
        ctx.symbol_name(ctx.analysis.symbols[source])
        + ctx.book.cite(use.file, use.line, use.line)
        + ctx.cite_member(ctx.analysis.symbols[source])
        for source, use in first.items()
        if source is not None
    ]
    told = phrase("It is called by {names}.")
    return ctx.say(told, names=ctx.listed(names))


def _item(ctx: PageContext, symbol: SurveySymbol, group: Sequence[Step]) -> str:
    """Return the sentences on steps that are told together."""
    found: list[str] = []
    steps = list(group)
    if len(steps) == 1 and steps[0].kind == COMMENT and " " not in steps[0].text:
        return ""  # a label of nothing that is told
    if steps[0].kind == COMMENT:
        found.append(_comment(ctx, symbol, steps.pop(0)))
    for _, same in groupby(steps, key=lambda s: (s.is_nested, s.condition)):
        found += _under_condition(ctx, symbol, list(same))
    return ctx.joined([sentence for sentence in found if sentence])


def _under_condition(
    ctx: PageContext, symbol: SurveySymbol, steps: Sequence[Step]
) -> list[str]:
    """Return sentences on steps of one condition: calls, and what is returned."""
    found: list[str] = []
    while steps:
        count = next(
            (n for n, s in enumerate(steps) if s.kind not in {CALL, OUTSIDE}),
            len(steps),
        )
        rest = steps[count:]
        if count and rest and rest[0].kind == RETURN:
            found.append(_calls(ctx, symbol, steps[:count], rest[0]))
            rest = rest[1:]
        elif count:
            found.append(_calls(ctx, symbol, steps[:count]))
        else:
            found.append(_single(ctx, symbol, rest[0]))
            rest = rest[1:]
        steps = rest
    return found


def _comment(ctx: PageContext, symbol: SurveySymbol, step: Step) -> str:
    said = clean(step.text, ctx.analysis.names).strip(" .:-=*")
    condition = step.condition
    marker = ctx.book.cite(symbol.file, step.line, step.end_line)
    if condition is not None and condition.text and condition.kind in _BEFORE:
        before = ctx.say(_BEFORE[condition.kind], condition=f"`{condition.text}`")
        marker = ctx.book.cite(symbol.file, condition.line, condition.end_line) + marker
        return cited(full_stop(f"{before} {ctx.wording.continued(said)}"), marker)
    said = said[:1].upper() + said[1:]
    return cited(full_stop(said), marker)


def _calls(
    ctx: PageContext,
    symbol: SurveySymbol,
    steps: Sequence[Step],
    returned: Step | None = None,
) -> str:
    """Return one sentence on calls under the same condition, and on the result."""
    names = list(dict.fromkeys(_called(ctx, step) for step in steps))
    if returned is not None:
        what = ctx.say(
            "it calls {names} and returns {what}",
            names=ctx.listed(names[:_NAMES]),
            what=f"`{returned.text}`",
        )
        return _when(ctx, symbol, [*steps[:_NAMES], returned], what)
    told = phrase("it calls {names}")
    if steps[0].is_nested:
        told = phrase("a function inside of it calls {names}")
    what = ctx.say(told, names=ctx.listed(names[:_NAMES]))
    return _when(ctx, symbol, steps[:_NAMES], what)


def _called(ctx: PageContext, step: Step) -> str:
    """Return the name of what is called, with what it does where that is short."""
    if step.callee is None:
        name = f"`{step.text}()`"
        is_told = step.name in {"", step.text.partition(".")[0]}
        said = phrase("{name} of the package `{package}`")
        return name if is_told else ctx.say(said, name=name, package=step.name)
    callee = ctx.analysis.symbols[step.callee]
    name = ctx.symbol_name(callee)
    said = purpose_in_brief(ctx, callee)
    purpose = f" ({said})" if len(said) <= _LONGEST_PURPOSE and said else ""
    return f"{name}{purpose}{ctx.cite_symbol(callee)}"


def _single(ctx: PageContext, symbol: SurveySymbol, step: Step) -> str:
    what = _raised(ctx, symbol, step) if step.kind == RAISE else ""
    if step.kind == RETURN:
        what = ctx.say("it returns {what}", what=f"`{step.text}`")
    return _when(ctx, symbol, [step], what) if what else ""


def _raised(ctx: PageContext, symbol: SurveySymbol, step: Step) -> str:
    language = ctx.analysis.files[symbol.file].language
    message = step.text.replace("`", "'")
    if language in _RETURNS_ERRORS or not step.name:
        told = phrase("it fails with the message {message}")
        return ctx.say(told, message=f"`{message}`") if message else ""
    verb = phrase("it raises {error}")
    if language not in _RAISES:
        verb = phrase("it throws {error}")
    error = f"`{step.name}`"
    if message:
        error = ctx.say(
            "{error} with the message {message}", error=error, message=f"`{message}`"
        )
    return ctx.say(verb, error=error)


def _when(
    ctx: PageContext, symbol: SurveySymbol, steps: Sequence[Step], what: str
) -> str:
    """Return a sentence with its condition, cited."""
    condition = steps[0].condition
    marker = "".join(_lines(ctx, symbol, steps))
    if condition is None:
        return cited(full_stop(what[:1].upper() + what[1:]), marker)
    if not condition.text:
        told = ctx.say("In some cases {what}", what=what)
    else:
        told = ctx.say(
            _CONDITIONS[condition.kind],
            condition=f"`{condition.text}`",
            what=what,
        )
    return cited(full_stop(told), marker)


def _lines(
    ctx: PageContext, symbol: SurveySymbol, steps: Sequence[Step]
) -> Iterator[str]:
    """Yield the markers of the condition and of each step."""
    condition = steps[0].condition
    if condition is not None:
        yield ctx.book.cite(symbol.file, condition.line, condition.end_line)
    for line, end in dict.fromkeys((step.line, step.end_line) for step in steps):
        yield ctx.book.cite(symbol.file, line, end)
