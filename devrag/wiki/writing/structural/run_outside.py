"""Where a call leaves the product for a package, and what comes back from there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.exported_objects import INHERITED, ExportedObject
from devrag.wiki.analysis.passed_on import HeldOf, arguments_at, held_of
from devrag.wiki.analysis.product_form import mentions_in_code
from devrag.wiki.analysis.prose import cited
from devrag.wiki.analysis.steps import OUTSIDE, Step
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.analysis.visibility import is_exposed
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.call_tree import call_items, calls_made
from devrag.wiki.writing.structural.called_names import called_purpose, cite_package
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.topic_page.walked_functions import reached_from

_DEEPEST = 4  # calls from the first to where the product is left
_HELD = re.compile(r"^(?:this\.|self\.)?(?P<name>[\w$]+)\.(?P<method>[\w$]+)$")
_USERS_SHOWN, _METHODS_SHOWN = 4, 6
_LONGEST_LINE, _LONGEST_VALUE = 500, 60
_LEAVES = phrase(
    "There the call leaves the product: `{name}` is made by `{made}()` of the package "
    "`{package}`."
)


@dataclass(frozen=True, slots=True)
class _Exit:
    """A call of what an object holds of a package. symbol: the function with it."""

    symbol: SurveySymbol
    step: Step
    held: HeldOf


def told_outside(
    ctx: PageContext, steps: Sequence[Step], objects: Sequence[ExportedObject]
) -> list[str]:
    """Return where the last of the calls leaves the product, and what may follow.

    objects: those whose functions what comes back can call.
    """
    left = _exit(ctx, steps)
    if left is None:
        return []
    given = list(
        arguments_at(
            ctx.analysis.lines.of(left.symbol.file), left.step.line, left.step.text
        )
    )
    blocks = [ctx.joined([_leaves(ctx, left), _gets(ctx, left, given)])]
    users = _users(ctx, left)
    link = ctx.link_to("examples")
    shown = (
        [ctx.say("For functions that programs register, see {link}.", link=link)]
        if link.startswith("[")
        else []
    )
    more = [users] if users else []
    return [*blocks, *shown, *more, *_at_hand(ctx, left, given, objects)]


def _exit(ctx: PageContext, steps: Sequence[Step]) -> _Exit | None:
    """Return the last call of a held package in the first function that has one."""
    level = [s.callee for s in steps if s.callee is not None]
    seen = set(level)
    for _ in range(_DEEPEST):
        below: list[int] = []
        for callee in level:
            symbol = ctx.analysis.symbols[callee]
            made = calls_made(ctx, symbol)
            found = [each for step in made if (each := _held(ctx, symbol, step))]
            if found:
                return found[-1]
            below += [s.callee for s in made if s.callee is not None]
        level = [s for s in dict.fromkeys(below) if s not in seen]
        seen |= set(level)
    return None


def _held(ctx: PageContext, symbol: SurveySymbol, step: Step) -> _Exit | None:
    match = _HELD.match(step.text) if step.kind == OUTSIDE else None
    if match is None or step.name or step.is_nested:
        return None
    held = held_of(ctx.analysis, symbol.file, match["name"])
    return _Exit(symbol, step, held) if held else None


def _leaves(ctx: PageContext, left: _Exit) -> str:
    """Return which package goes on, with the lines that import and declare it."""
    file, held = left.symbol.file, left.held
    said = ctx.say(_LEAVES, name=held.name, made=held.made, package=held.package)
    marker = ctx.book.cite(file, left.step.line, left.step.end_line)
    marker += ctx.book.cite(file, held.line, held.line)
    marker += cite_package(ctx, file, held.package)
    for fact in ctx.analysis.facts("dependency"):
        if fact.name == held.package:
            marker += ctx.book.cite(fact.file, fact.start_line, fact.end_line)
            break
    return cited(said, marker)


def _gets(ctx: PageContext, left: _Exit, given: Sequence[str]) -> str:
    """Return what the call passes on, and how a value of the function's own is made."""
    if not given:
        return ""
    names = ctx.listed([f"`{name}`" for name in given])
    told = phrase("`{called}()` gets {names}.")
    marker = ctx.book.cite(left.symbol.file, left.step.line, left.step.end_line)
    said = cited(ctx.say(told, called=left.step.text, names=names), marker)
    return ctx.joined([said, *_values(ctx, left, given)])


def _values(ctx: PageContext, left: _Exit, given: Sequence[str]) -> Iterator[str]:
    lines = ctx.analysis.lines.of(left.symbol.file)
    for name in given:
        form = re.compile(
            rf"^\s*(?:(?:var|let|const)\s+)?{re.escape(name)}\s*:?=\s*(?P<value>.+)$"
        )
        for number in range(left.symbol.start_line + 1, left.step.line):
            match = form.match(lines[number - 1][:_LONGEST_LINE])
            value = _shown_value(match["value"]) if match else ""
            if value:
                marker = ctx.book.cite(left.symbol.file, number, number)
                told = phrase("{name} is {value}.")
                said = ctx.say(told, name=f"`{name}`", value=f"`{value}`")
                yield cited(said, marker)
                break


def _shown_value(value: str) -> str:
    """Return a value as it is shown: what a call gets is left out if it goes on."""
    text = value.strip().rstrip(";")
    if text.count("(") > text.count(")"):
        text = f"{text[: text.index('(')]}(…)"
    is_fit = len(text) <= _LONGEST_VALUE and "`" not in text
    return text if is_fit and text.count("(") == text.count(")") else ""


def _users(ctx: PageContext, left: _Exit) -> str:
    """Return the public functions of the same object that work with the same value."""
    form = re.compile(
        rf"(?<![\w$])(?:this\.|self\.)?{re.escape(left.held.name)}\.([A-Za-z_]\w*)\("
    )
    lines = ctx.analysis.lines.of(left.symbol.file)
    owner = left.symbol.qualified_name.rpartition(".")[0]
    found: list[str] = []
    for symbol in ctx.analysis.symbols_of.get(left.symbol.file, ()):
        is_of_it = symbol.qualified_name.rpartition(".")[0] == owner
        is_other = symbol.id != left.symbol.id and symbol.kind == "method"
        if not (is_of_it and is_other and is_exposed(ctx.analysis, symbol)):
            continue
        for number in range(symbol.start_line + 1, symbol.end_line + 1):
            if form.search(lines[number - 1][:_LONGEST_LINE]):
                purpose = called_purpose(ctx, Step("", 0, 0, callee=symbol.id))
                line = ctx.book.cite(symbol.file, number, number)
                found.append(ctx.symbol_name(symbol) + purpose + line)
                break
    if not found:
        return ""
    told = phrase("Other public functions that call methods of `{name}`: {functions}.")
    names = ctx.listed(found[:_USERS_SHOWN], max(0, len(found) - _USERS_SHOWN))
    return ctx.say(told, name=left.held.name, functions=names)


def _at_hand(
    ctx: PageContext,
    left: _Exit,
    given: Sequence[str],
    objects: Sequence[ExportedObject],
) -> list[str]:
    """Return the methods of what is passed on, where the function gives it a prototype.

    Of those that do most, their own calls are told.
    """
    blocks: list[str] = []
    lines = ctx.analysis.lines.of(left.symbol.file)
    for each in objects:
        user = each.user
        line = _prototype_line(left, lines, each.name)
        if user is None or user.how != INHERITED or each.name not in given or not line:
            continue
        members = _members(ctx, each)
        if members:
            blocks += _methods(ctx, left, each, line, members)
    return blocks


def _prototype_line(left: _Exit, lines: Sequence[str], name: str) -> int:
    form = re.compile(rf"setPrototypeOf\(\s*{re.escape(name)}\s*,")
    numbers = range(left.symbol.start_line, min(left.symbol.end_line, len(lines)) + 1)
    return next((n for n in numbers if form.search(lines[n - 1])), 0)


def _members(ctx: PageContext, held: ExportedObject) -> list[SurveySymbol]:
    """Return the public methods of an object, those that examples show first."""
    shown = mentions_in_code(ctx.analysis)
    rank = ctx.analysis.symbol_rank
    found = [
        symbol
        for symbol in ctx.analysis.symbols_of.get(held.file, ())
        if symbol.qualified_name.rpartition(".")[0] == held.name
        and is_exposed(ctx.analysis, symbol)
    ]
    return sorted(found, key=lambda s: (-shown[s.name], -rank[s.id], s.id))


def _methods(
    ctx: PageContext,
    left: _Exit,
    held: ExportedObject,
    line: int,
    members: Sequence[SurveySymbol],
) -> list[str]:
    shown = members[:_METHODS_SHOWN]
    names = [ctx.symbol_name(s) + ctx.cite_symbol(s) for s in shown]
    marker = ctx.book.cite(left.symbol.file, line, line)
    if held.user is not None:
        at = held.user
        marker += ctx.book.cite(at.symbol.file, at.line, at.line)
    told = phrase(
        "{maker} gives `{name}` its methods{marker}, which the functions that get it "
        "can call: {names}."
    )
    maker = ctx.symbol_name(left.symbol)
    said = ctx.say(
        told,
        maker=maker,
        name=held.name,
        marker=marker,
        names=ctx.listed(names, len(members) - len(shown)),
    )
    seen = set[int]()
    opened = (_opened(ctx, each, seen) for each in _to_open(ctx, members))
    items = [item for each in opened for item in each]
    return [said, *(["\n".join(items)] if items else [])]


def _to_open(ctx: PageContext, members: Sequence[SurveySymbol]) -> list[SurveySymbol]:
    """Return the method that examples show most and the one that leads to most."""
    reached = {s.id: len(reached_from(ctx, s.id)) for s in members}
    able = [s for s in members if reached[s.id] > 1]
    most = max(able, key=lambda s: (reached[s.id], -s.id), default=None)
    return list(dict.fromkeys([*able[:1], *([most] if most else [])]))


def _opened(ctx: PageContext, symbol: SurveySymbol, seen: set[int]) -> Iterator[str]:
    """Yield a method as an item, with its calls below it."""
    name = ctx.symbol_name(symbol) + called_purpose(
        ctx, Step("", 0, 0, callee=symbol.id)
    )
    yield f"- {name}"
    seen.add(symbol.id)
    yield from call_items(ctx, symbol, calls_made(ctx, symbol), seen, 2)
