"""Sentences on what happens under conditions, read from the code of these.

A comparison that must not hold is told by its contrary, a bare value by "is true".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from devrag.wiki.analysis.conditions import (
    CASE,
    FAILS,
    LOOP,
    OTHERWISE,
    UNLESS,
    Condition,
)
from devrag.wiki.analysis.returned_values import split_outermost
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext

_EITHER = re.compile(r"\s*[,|]\s*")
_TRUTHY = {"javascript", "jsx", "php", "python", "ruby", "tsx", "typescript", "vue"}
_PREDICATE = re.compile(
    r"(?:^|\.)_*(?:is|has|can|should|starts|ends|contains|includes|callable|exists"
    r"|any\b|all\b|every\b|some\b|test\b)"
)
_BARE = re.compile(r"^[\w$.?\[\]'\"-]+(?:\(.*\))?$")
_NOT = re.compile(r"^(?:!(?!=)|not\s+)\s*(?P<what>.+)$")
_COMPARED = re.compile(
    r"^(?P<what>[^<>=!]+?)\s*"
    r"(?P<mark>===|!==|==|!=|<=|>=|(?<!-)>|<|\bis not\b|\bis\b)\s*"
    r"(?P<value>[^<>=!]+)$"
)
_IS, _IS_NOT = phrase("{what} is {value}"), phrase("{what} is not {value}")
_CONTRARY = {
    **dict.fromkeys(("==", "===", "is"), _IS_NOT),
    **dict.fromkeys(("!=", "!==", "is not"), _IS),
    "<": phrase("{what} is at least {value}"),
    ">": phrase("{what} is at most {value}"),
    "<=": phrase("{what} is greater than {value}"),
    ">=": phrase("{what} is less than {value}"),
}
_VALUES = {
    (True, False): phrase("{what} is true"),
    (True, True): phrase("{what} is truthy"),
    (False, False): phrase("{what} is false"),
    (False, True): phrase("{what} is falsy"),
}
_EACH = (
    re.compile(r"^(?P<item>.+?)\s+in\s+(?P<whole>.+)$"),
    re.compile(r"^(?:const|let|var)?\s*(?P<item>.+?)\s+of\s+(?P<whole>.+)$"),
    re.compile(r"^(?:_,\s*)?(?P<item>[\w, ]+?)\s*:=\s*range\s+(?P<whole>.+)$"),
    re.compile(r"^(?:[\w<>\[\]]+\s+)?(?P<item>\w+)\s*:\s*(?P<whole>[^;]+)$"),
)
_DECLARED = re.compile(r"^(?:const|let|var)\s+")


def under_conditions(
    ctx: PageContext, conditions: Sequence[Condition], what: str, language: str
) -> str:
    """Return a sentence on what happens under conditions, the outermost first."""
    told = [c for c in conditions if c.text or c.kind in {FAILS, LOOP, OTHERWISE}]
    if not told:
        return what
    count = next((n for n, c in enumerate(told) if _is_around(c)), len(told))
    if count:
        inner = under_conditions(ctx, told[count:], what, language)
        clauses = conditions_said(ctx, told[:count], language)
        what = ctx.wording.continued(inner)
        return ctx.say("If {condition}, {what}", condition=clauses, what=what)
    if told[0].kind == OTHERWISE and len(told) > 1 and is_plain(told[1]):
        inner = under_conditions(ctx, told[2:], what, language)
        clause = conditions_said(ctx, told[1:2], language)
        what = ctx.wording.continued(inner)
        return ctx.say("Otherwise, if {condition}, {what}", condition=clause, what=what)
    inner = under_conditions(ctx, told[1:], what, language)
    return _around(ctx, told[0], ctx.wording.continued(inner), is_last=len(told) == 1)


def conditions_said(
    ctx: PageContext, conditions: Sequence[Condition], language: str
) -> str:
    """Return conditions of which all must hold, as a part of a sentence."""
    return _joined(ctx, [_clause(ctx, c, language) for c in conditions], is_all=True)


def is_plain(condition: Condition) -> bool:
    """Return whether a condition can be told, and as a part of a sentence."""
    return bool(condition.text) and not _is_around(condition)


def is_uncertain(conditions: Sequence[Condition]) -> bool:
    """Return whether one of the conditions cannot be told."""
    around = {FAILS, LOOP, OTHERWISE}
    return any(not c.text and c.kind not in around for c in conditions)


def _is_around(condition: Condition) -> bool:
    return condition.kind in {FAILS, LOOP, OTHERWISE}


def _around(ctx: PageContext, condition: Condition, what: str, *, is_last: bool) -> str:
    """Return a sentence on what an error, a loop or an `else` leads to."""
    if condition.kind == OTHERWISE:
        return ctx.say("Otherwise, {what}", what=what)
    if condition.kind == LOOP:
        return _in_loop(ctx, condition.text, what)
    if not condition.text:
        return ctx.say("If an error is raised, {what}", what=what)
    told = phrase("If {condition} is raised, {what}")
    if not is_last:
        told = phrase("On {condition}, {what}")
    caught = caught_errors(ctx, condition)
    if condition.subject and re.search(rf"`{re.escape(condition.subject)}\.", what):
        caught += ctx.wording.aside(f"`{condition.subject}`")
    return ctx.say(told, condition=caught, what=what)


def before_all(ctx: PageContext, conditions: Sequence[Condition], language: str) -> str:
    """Return what stands before the sentences that are all under some conditions.

    conditions: plain ones, or a single loop.
    """
    first = conditions[0]
    if first.kind != LOOP:
        clauses = conditions_said(ctx, conditions, language)
        return ctx.say("If {condition}:", condition=clauses)
    if not first.text:
        return ctx.say("In a loop:")
    if (places := _each(first.text)) is None:
        return ctx.say("In the loop {condition}:", condition=f"`{first.text}`")
    item, whole = places
    return ctx.say("For each {item} of {whole}:", item=item, whole=whole)


def behind_colon(before: str, said: str) -> str:
    """Return a sentence behind what ends with a colon."""
    return f"{before}{said}" if before.endswith("：") else f"{before} {said}"


def _in_loop(ctx: PageContext, head: str, what: str) -> str:
    if not head:
        return ctx.say("In a loop, {what}", what=what)
    if (places := _each(head)) is None:
        told = phrase("In the loop {condition}, {what}")
        return ctx.say(told, condition=f"`{head}`", what=what)
    told = phrase("For each {item} of {whole}, {what}")
    return ctx.say(told, item=places[0], whole=places[1], what=what)


def _each(head: str) -> tuple[str, str] | None:
    """Return what a loop takes one by one, and of what, None of other loops."""
    found = next((m for form in _EACH if (m := form.match(head))), None)
    if found is None or head.startswith(("while ", "until ")):
        return None
    return f"`{_DECLARED.sub('', found['item'])}`", f"`{found['whole']}`"


def caught_errors(ctx: PageContext, condition: Condition) -> str:
    """Return the errors that a clause catches, joined by "or"."""
    return _joined(ctx, [f"`{name}`" for name in _EITHER.split(condition.text)])


def _clause(ctx: PageContext, condition: Condition, language: str) -> str:
    """Return a condition as a part of a sentence."""
    if condition.kind == UNLESS:
        return _contrary(ctx, condition.text, language)
    if condition.kind == CASE and condition.subject:
        values = [f"`{v}`" for v in split_outermost(condition.text, ", ")]
        value = _joined(ctx, values)
        return ctx.say(_IS, what=f"`{condition.subject}`", value=value)
    return _holds(ctx, condition.text, language)


def _holds(ctx: PageContext, text: str, language: str) -> str:
    text = _bare(text)
    match = _NOT.match(text)
    if match is not None and _BARE.match(_bare(match["what"])):
        return _value(ctx, _bare(match["what"]), language, holds=False)
    if _BARE.match(text):
        return _value(ctx, text, language, holds=True)
    return f"`{text}`"


def _contrary(ctx: PageContext, text: str, language: str) -> str:
    """Return what holds where a condition does not."""
    text = _bare(text)
    for marks, is_all in (((" || ", " or "), True), ((" && ", " and "), False)):
        for mark in marks:
            parts = split_outermost(text, mark)
            if len(parts) > 1 and not any(map(_is_compound, parts)):
                told = [_contrary(ctx, part, language) for part in parts]
                return _joined(ctx, told, is_all=is_all)
    match = _NOT.match(text)
    if match is not None and not _is_compound(match["what"]):
        return _holds(ctx, _bare(match["what"]), language)
    match = _COMPARED.match(text)
    if match is not None and not _is_compound(text):
        what, value = f"`{match['what']}`", f"`{match['value']}`"
        return ctx.say(_CONTRARY[match["mark"]], what=what, value=value)
    return _value(ctx, text, language, holds=False)


def _is_compound(text: str) -> bool:
    marks = (" || ", " or ", " && ", " and ")
    return any(len(split_outermost(text, mark)) > 1 for mark in marks)


def _value(ctx: PageContext, text: str, language: str, *, holds: bool) -> str:
    name = text.partition("(")[0].partition(" ")[0]
    is_loose = language in _TRUTHY and bool(_BARE.match(text))
    is_loose = is_loose and not _PREDICATE.search(name)
    return ctx.say(_VALUES[holds, is_loose], what=f"`{text}`")


def _bare(text: str) -> str:
    """Return an expression without brackets around all of it."""
    inner = text[1:-1]
    depth = 0
    for character in inner:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return text
    is_within = text.startswith("(") and text.endswith(")")
    return inner.strip() if is_within else text


def _joined(ctx: PageContext, found: Sequence[str], *, is_all: bool = False) -> str:
    """Return parts joined by "and" if all must hold, else by "or"."""
    *first, last = found
    if not first:
        return last
    if is_all:
        told = phrase("{conditions} and {last}")
        return ctx.say(told, conditions=", ".join(first), last=last)
    return ctx.say("{names} or {last}", names=", ".join(first), last=last)
