"""What a step of a function calls, by name, with what it does."""

from __future__ import annotations

import re

from devrag.wiki.analysis.steps import Step
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.topic_summary import purpose_in_brief

_LONGEST_PURPOSE, _LONGEST_VALUES = 110, 40
_LITERAL = re.compile(r"""^(?:-?\d[\d.]*|'[^'\\]*'|"[^"\\]*")$""")
_VALUE = re.compile(rf"{_LITERAL.pattern}|^[A-Za-z_$][\w$.]*$")


def called_name(ctx: PageContext, file: int, step: Step) -> str:
    """Return the name of what is called in a file, cited; what it does if short."""
    if step.callee is None:
        name = f"`{step.text}()`"
        if step.is_given:
            return ctx.say("the given function {name}", name=name)
        if step.name in {"", step.text.partition(".")[0]}:
            return name
        said = phrase("{name} of the package `{package}`")
        return ctx.say(said, name=name, package=step.name) + cite_package(
            ctx, file, step.name
        )
    callee = ctx.analysis.symbols[step.callee]
    return ctx.symbol_name(callee) + called_purpose(ctx, step)


def called_with(ctx: PageContext, symbol: SurveySymbol, step: Step) -> str:
    """Return the name of what a function calls, with the values that say what it does.

    `res.status(304)`: a value as it is, or all where the function calls it repeatedly.
    """
    name = called_name(ctx, symbol.file, step)
    bare = step.text
    if step.callee is not None and not bare:
        bare = ctx.analysis.symbols[step.callee].name
    values = _values(ctx, symbol, step, bare.rpartition(".")[2])
    return name.replace("()`", f"({values})`", 1) if values else name


def _values(ctx: PageContext, symbol: SurveySymbol, step: Step, name: str) -> str:
    lines = ctx.book.lines(symbol.file)[symbol.start_line - 1 : symbol.end_line]
    called = re.compile(rf"(?<![\w$]){re.escape(name)}\(")
    is_repeated = sum(len(called.findall(line)) for line in lines) > 1
    line = ctx.book.lines(symbol.file)[step.line - 1]
    if len(called.findall(line)) != 1:
        return ""
    match = re.search(
        rf"{called.pattern}(?P<said>[^()`]{{1,{_LONGEST_VALUES}}})\)", line
    )
    said = match["said"] if match else ""
    pieces = [piece.strip() for piece in said.split(",")]
    is_plain = all(_VALUE.match(piece) for piece in pieces)
    is_told = is_repeated or any(map(_LITERAL.match, pieces))
    return said if is_plain and is_told else ""


def called_purpose(ctx: PageContext, step: Step) -> str:
    """Return what a called function of the product does, cited; '' of one outside."""
    if step.callee is None:
        return ""
    callee = ctx.analysis.symbols[step.callee]
    purpose = purpose_in_brief(ctx, callee)
    shown = purpose if len(purpose) <= _LONGEST_PURPOSE else ""
    return shown + ctx.cite_symbol(callee)


def cite_package(ctx: PageContext, file: int, package: str) -> str:
    """Cite the line of a file that takes something of a package."""
    form = re.compile(rf"['\"]{re.escape(package)}['\"]")
    lines = ctx.book.lines(file)
    line = next((n for n, text in enumerate(lines, 1) if form.search(text)), 0)
    return ctx.book.cite(file, line, line) if line else ""
