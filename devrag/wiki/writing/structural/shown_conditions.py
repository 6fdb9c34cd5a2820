"""A condition as a page shows it: code, or the errors of which one was caught."""

from __future__ import annotations

import re

from devrag.wiki.analysis.conditions import FAILS, Condition
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext

_EITHER = re.compile(r"\s*[,|]\s*")


def shown_condition(ctx: PageContext, condition: Condition) -> str:
    """Return the text of a condition as code, of several errors joined by "or"."""
    names = _EITHER.split(condition.text) if condition.kind == FAILS else []
    if len(names) < 2:
        return f"`{condition.text}`"
    *first, last = (f"`{name}`" for name in names)
    told = phrase("{names} or {last}")
    return ctx.say(told, names=", ".join(first), last=last)
