"""What a step of a function calls, by name, with what it does."""

from __future__ import annotations

import re

from devrag.wiki.analysis.steps import Step
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.topic_summary import purpose_in_brief

_LONGEST_PURPOSE = 110


def called_name(ctx: PageContext, file: int, step: Step) -> str:
    """Return the name of what is called in a file, cited; what it does if short."""
    if step.callee is None:
        name = f"`{step.text}()`"
        if step.name in {"", step.text.partition(".")[0]}:
            return name
        said = phrase("{name} of the package `{package}`")
        return ctx.say(said, name=name, package=step.name) + cite_package(
            ctx, file, step.name
        )
    callee = ctx.analysis.symbols[step.callee]
    return ctx.symbol_name(callee) + called_purpose(ctx, step)


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
