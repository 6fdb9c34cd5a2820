"""Comments as steps of a function, where they say more than the code beside them."""

from __future__ import annotations

import re
from dataclasses import replace

from devrag.parsing.tokens import count_cjk
from devrag.wiki.analysis.inner_comments import is_of_arguments
from devrag.wiki.analysis.prose import cited, clean, full_stop, upper_first
from devrag.wiki.analysis.statement_lines import statement_below
from devrag.wiki.analysis.steps import Step
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.shown_conditions import (
    behind_colon,
    conditions_said,
    is_plain,
)

_ENDS = re.compile(
    r"^\s*return(?:\s+(?:nil|null|None|undefined))?\s*;?\s*(?://.*|#.*)?$"
)
_BRIEF = 9  # words of a comment that the code below it explains
_LABEL = 1  # words of a comment that says no more than the calls below it
_FRAGMENT = 3  # words of a comment that may name no action
_NO_ACTION = re.compile(r"^(?:non-?\w+|\w+ed|an?|the)\b", re.IGNORECASE)
_CALL = re.compile(r"^(?:await )?[\w$.]+\(.*\)$")
_ALONE = 6  # words of one that tells something without code
_PLAIN_VALUE = re.compile(
    r"^(?:(?:var|let|const)\s+[\w$]+\s*=|[\w$]+\s*:=)\s*"
    r"(?:(?:new\s+)?(?:Array|Object|Map|Set)\(|(?:this|self|arguments)\b|\[|\{"
    r"|[\w$.'\"-]+$|encodeURI|slice\b)"
)


def is_label(comment: Step, words: int = _LABEL) -> bool:
    """Return whether a comment says no more than a title, or is on arguments.

    A few words that name no action are such a title: `non-express app`.
    """
    if is_of_arguments(comment.text):
        return True
    if _is_fragment(comment):
        return True
    is_short = len(comment.text.split()) <= words and not count_cjk(comment.text)
    return is_short and comment.condition is None


def _is_fragment(comment: Step) -> bool:
    """Return whether a comment is a few words that name no action."""
    is_short = len(comment.text.split()) <= _FRAGMENT
    return is_short and bool(_NO_ACTION.match(comment.text))


def _is_telling(comment: Step) -> bool:
    """Return whether a comment alone says what happens."""
    words = len(comment.text.split())
    if count_cjk(comment.text):
        return True
    return words >= _ALONE


def comment_with_code(ctx: PageContext, symbol: SurveySymbol, step: Step) -> str:
    """Return a comment with the statement below it; '' where neither tells."""
    if is_of_arguments(step.text):
        return ""
    lines = ctx.book.lines(symbol.file)
    language = ctx.analysis.files[symbol.file].language
    code = statement_below(lines, step.end_line - 1, symbol.start_line, language)
    is_brief = len(step.text.split()) <= _BRIEF and not count_cjk(step.text)
    if code is not None and _PLAIN_VALUE.match(code.text):
        code = None
    if step.condition is not None or not is_brief or code is None:
        return _comment_or_end(ctx, symbol, step) if _is_telling(step) else ""
    said = clean(step.text, ctx.analysis.names).strip(" .:-=*")
    told, what = phrase("{said}: {what}"), f"`{code.text}`"
    if _is_fragment(step) and code.condition is None and _CALL.match(code.text):
        text = upper_first(ctx.say("it calls {names}", names=what))
        return cited(full_stop(text), ctx.book.cite(symbol.file, code.line, code.line))
    if code.condition is not None:
        told = phrase("{said}, if {condition}: {what}")
    said_when = [replace(code.condition, around=())] if code.condition else []
    condition = conditions_said(ctx, said_when, language) if said_when else ""
    text = ctx.say(told, said=upper_first(said), condition=condition, what=what)
    return cited(full_stop(text), ctx.book.cite(symbol.file, step.line, code.line))


def _comment_or_end(ctx: PageContext, symbol: SurveySymbol, step: Step) -> str:
    """Return a comment, of a branch that does nothing that the function ends there."""
    near = ctx.book.lines(symbol.file)[step.end_line - 1 : step.end_line + 1]
    is_shown = step.condition is None or all(map(is_plain, step.condition.whole))
    if is_shown or not any(map(_ENDS.match, near)) or step.condition is None:
        return comment_alone(ctx, symbol, step)
    said = clean(step.text, ctx.analysis.names).strip(" .:-=*")
    marker = ctx.book.cite(symbol.file, step.condition.line, step.end_line + 1)
    text = ctx.say(phrase("It ends early: {said}"), said=upper_first(said))
    return cited(full_stop(text), marker)


def comment_alone(ctx: PageContext, symbol: SurveySymbol, step: Step) -> str:
    said = clean(step.text, ctx.analysis.names).strip(" .:-=*")
    marker = ctx.book.cite(symbol.file, step.line, step.end_line)
    whole = step.condition.whole if step.condition is not None else ()
    if whole and all(map(is_plain, whole)):
        language = ctx.analysis.files[symbol.file].language
        clauses = conditions_said(ctx, whole, language)
        before = ctx.say("If {condition}:", condition=clauses)
        lines = (ctx.book.cite(symbol.file, c.line, c.end_line) for c in whole)
        marker = "".join(lines) + marker
        return cited(
            full_stop(behind_colon(before, ctx.wording.continued(said))), marker
        )
    return cited(full_stop(upper_first(said)), marker)
