"""How a call travels: what starts the product, then what happens on each call of it.

Where starting a product makes something that is called later, as a server calls an
application for each request, the two are told apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from devrag.wiki.analysis.exported_objects import ExportedObject, exported_object
from devrag.wiki.analysis.exports import exports_of, public_members
from devrag.wiki.analysis.hooks import hook_lines, owner_of
from devrag.wiki.analysis.inner_functions import RETURNED, InnerFunction
from devrag.wiki.analysis.passed_on import (
    PassedOn,
    passes_itself_on,
)
from devrag.wiki.analysis.product_form import mentions_in_code
from devrag.wiki.analysis.prose import cited
from devrag.wiki.analysis.steps import Step
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.call_tree import call_items, calls_made
from devrag.wiki.writing.structural.called_names import cite_package
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.inside import function_around
from devrag.wiki.writing.structural.run_outside import told_outside
from devrag.wiki.writing.structural.topic_page.walked_functions import main_function

_FEWEST, _MOST = 4, 36  # items
_MOST_PASSED = 2
_CALLED_LATER = {"__call__", "ServeHTTP"}
_MAKES = phrase("{name} in {path} makes these calls; those below one are its own:")
_MAKES_CALLED = phrase(
    "{caller} calls {name} in {path}, which makes these calls; those below one are its "
    "own:"
)
_MAKES_LATER = phrase(
    "The function {name} that {maker} returns makes these calls; those below one are "
    "its own:"
)


@dataclass(frozen=True, slots=True)
class _Later:
    """What is called after the start: a function that another returned, or a method."""

    symbol: SurveySymbol
    inner: InnerFunction | None
    steps: tuple[Step, ...]


def run_path(ctx: PageContext) -> list[str]:
    """Return the calls below the function that users call first, as nested items.

    Return [] where no function is at the front of the product, or it calls little.
    """
    start = main_function(ctx)
    made = calls_made(ctx, start) if start else []
    passed = _passed_on(ctx, start)
    returned = _returned(ctx, start, made) if start else None
    later = returned or _called_later(ctx, passed)
    if later is not None:
        return _in_two_parts(ctx, start, made, later, passed)
    seen = {start.id} if start else set[int]()
    items = list(call_items(ctx, start, made, seen)) if start else []
    if start is None or len(items) < _FEWEST:
        return []
    return [*_tree(ctx, start, items), *_supplied(ctx, items, seen)]


def _in_two_parts(
    ctx: PageContext,
    start: SurveySymbol | None,
    made: Sequence[Step],
    later: _Later,
    passed: Sequence[PassedOn],
) -> list[str]:
    """Return what the start does, and what each call of what it made does."""
    seen = {later.symbol.id}
    blocks: list[str] = []
    if start is not None and later.inner is not None:
        own = [step for step in made if step not in later.steps]
        items = list(call_items(ctx, start, own, seen))
        blocks = [*(_tree(ctx, start, items) if items else []), _returns(ctx, later)]
    blocks += [_passes(ctx, each) for each in passed]
    objects = list(_objects(ctx, start)) if start else []
    return [
        ctx.say("### At the start"),
        *blocks,
        ctx.say("### On each call"),
        *_on_each_call(ctx, later, objects, seen),
    ]


def _tree(ctx: PageContext, start: SurveySymbol, items: Sequence[str]) -> list[str]:
    path = ctx.path(ctx.analysis.files[start.file])
    name = ctx.symbol_name(start) + ctx.cite_symbol(start)
    caller = _caller(ctx, start)
    told = _MAKES_CALLED if caller else _MAKES
    said = ctx.say(told, name=name, path=path, caller=caller)
    return [said, "\n".join(items[:_MOST])]


def _supplied(ctx: PageContext, items: Sequence[str], told: set[int]) -> list[str]:
    """Return which of the called functions the users of the product set themselves."""
    text = "\n".join(items)
    lines: dict[str, int] = {}
    owner = None
    for symbol in sorted(told):
        for name, line in hook_lines(ctx.analysis, symbol).items():
            if f".{name}()`" in text or f".{name}`" in text:
                owner = owner or owner_of(ctx.analysis, ctx.analysis.symbols[symbol])
                lines[name] = line
    if owner is None:
        return []
    names = [f"`{n}`" + ctx.book.cite(owner.file, at, at) for n, at in lines.items()]
    told_of = phrase("Users of {type} supply these functions: {names}.")
    return [ctx.say(told_of, type=ctx.symbol_name(owner), names=ctx.listed(names))]


def _caller(ctx: PageContext, start: SurveySymbol) -> str:
    """Return the function that examples show and that calls the first, cited."""
    shown = mentions_in_code(ctx.analysis)
    found = [
        (shown[caller.name], -use.line, use, caller)
        for use in ctx.analysis.uses
        if use.target == start.id and use.kind == "call" and use.source
        for caller in [ctx.analysis.symbols[use.source]]
        if caller.file == start.file
        and (shown[caller.name] > shown[start.name] or caller.name in _CALLED_LATER)
    ]
    if not found:
        return ""
    *_, use, caller = max(found, key=lambda each: each[:2])
    marker = ctx.book.cite(use.file, use.line, use.line)
    return ctx.symbol_name(caller) + marker + ctx.cite_member(caller)


def _returned(
    ctx: PageContext, start: SurveySymbol, made: Sequence[Step]
) -> _Later | None:
    """Return the function that the first one returns, with its calls."""
    for step in made:
        inner = function_around(ctx, start, step.line) if step.is_nested else None
        if inner is None or inner.how != RETURNED:
            continue
        inside = tuple(
            each
            for each in made
            if each.is_nested and function_around(ctx, start, each.line) == inner
        )
        return _Later(start, inner, inside)
    return None


def _called_later(ctx: PageContext, passed: Sequence[PassedOn]) -> _Later | None:
    """Return the method by which a package calls the object that it got."""
    for each in passed:
        owner = each.symbol.qualified_name.rpartition(".")[0]
        for name in sorted(_CALLED_LATER):
            for symbol in ctx.analysis.symbols_named.get(name, ()):
                is_own = symbol.qualified_name == f"{owner}.{name}"
                if is_own and symbol.file in _around(ctx, each.symbol.file):
                    return _Later(symbol, None, tuple(calls_made(ctx, symbol)))
    return None


def _around(ctx: PageContext, file: int) -> set[int]:
    """Return the files in which the methods of a type may stand: of its directory."""
    at = ctx.analysis.files[file]
    return {
        f.id
        for f in ctx.analysis.with_role("code")
        if f.source == at.source and f.directory == at.directory
    }


def _passed_on(ctx: PageContext, start: SurveySymbol | None) -> list[PassedOn]:
    """Return the calls by which public methods give their object to a package.

    Of objects of functions those count that the first function completes.
    """
    analysis = ctx.analysis
    exported = [e.symbol for e in exports_of(analysis)]
    members = list(public_members(analysis, exports_of(analysis)))
    held = [
        symbol
        for each in (_objects(ctx, start) if start else ())
        for symbol in analysis.symbols_of.get(each.file, ())
    ]
    known = {s.id: s for s in (*members, *held) if s not in exported}
    found = [
        passed
        for symbol in known.values()
        if symbol.is_public and (passed := passes_itself_on(analysis, symbol))
    ]
    return found[:_MOST_PASSED]


def _objects(ctx: PageContext, start: SurveySymbol) -> Iterator[ExportedObject]:
    """Yield the objects of functions that a function completes or inherits from."""
    for file in ctx.analysis.with_role("code"):
        found = exported_object(ctx.analysis, file.id)
        if found is not None and found.user and found.user.symbol.id == start.id:
            yield found


def _returns(ctx: PageContext, later: _Later) -> str:
    maker, line = later.symbol, later.inner.line if later.inner else 0
    told = phrase("{name} returns the function {function}.")
    said = ctx.say(
        told, name=ctx.symbol_name(maker), function=_function_name(later.inner)
    )
    return cited(said, ctx.book.cite(maker.file, line, line))


def _function_name(inner: InnerFunction | None) -> str:
    shown = ", ".join(inner.parameters) if inner else ""
    return f"`{inner.name if inner and inner.name else 'function'}({shown})`"


def _passes(ctx: PageContext, passed: PassedOn) -> str:
    """Return that a function gives its object to a package, cited."""
    marker = ctx.book.cite(passed.symbol.file, passed.line, passed.line)
    said = ctx.say(
        "{name} passes its own object (`{passed}`) to `{called}()` of `{package}`.",
        name=ctx.symbol_name(passed.symbol) + ctx.cite_member(passed.symbol),
        passed=passed.passed,
        called=passed.called,
        package=passed.package,
    )
    return cited(said, marker + cite_package(ctx, passed.symbol.file, passed.package))


def _on_each_call(
    ctx: PageContext,
    later: _Later,
    objects: Sequence[ExportedObject],
    seen: set[int],
) -> list[str]:
    steps = [replace(step, is_nested=False) for step in later.steps]
    items = list(call_items(ctx, later.symbol, steps, seen))
    if later.inner is None:
        return [*_tree(ctx, later.symbol, items), *told_outside(ctx, steps, objects)]
    line = later.inner.line
    told = ctx.say(
        _MAKES_LATER,
        name=_function_name(later.inner) + ctx.book.cite(later.symbol.file, line, line),
        maker=ctx.symbol_name(later.symbol),
    )
    return [told, "\n".join(items[:_MOST]), *told_outside(ctx, steps, objects)]
