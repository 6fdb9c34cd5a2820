"""Comments as steps of a function, where they say more than the code beside them."""

from __future__ import annotations

import re

from devrag.parsing.tokens import count_cjk
from devrag.wiki.analysis.conditions import IF, UNLESS
from devrag.wiki.analysis.inner_comments import is_of_arguments
from devrag.wiki.analysis.prose import cited, clean, full_stop, upper_first
from devrag.wiki.analysis.statement_lines import statement_below
from devrag.wiki.analysis.steps import Step
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext

_BRIEF = 9  # words of a comment that the code below it explains
_LABEL = 1  # words of a comment that says no more than the calls below it
_ALONE = 6  # words of one that tells something without code
_PLAIN_VALUE = re.compile(
    r"^(?:(?:var|let|const)\s+[\w$]+\s*=|[\w$]+\s*:=)\s*"
    r"(?:(?:new\s+)?(?:Array|Object|Map|Set)\(|(?:this|self|arguments)\b|\[|\{"
    r"|[\w$.'\"-]+$|encodeURI|slice\b)"
)
_BEFORE = {
    IF: phrase("If {condition}:"),
    UNLESS: phrase("Unless {condition}:"),
}


def is_label(comment: Step, words: int = _LABEL) -> bool:
    """Return whether a comment says no more than a title, or is on arguments."""
    if is_of_arguments(comment.text):
        return True
    is_short = len(comment.text.split()) <= words and not count_cjk(comment.text)
    return is_short and comment.condition is None


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
        return comment_alone(ctx, symbol, step) if _is_telling(step) else ""
    said = clean(step.text, ctx.analysis.names).strip(" .:-=*")
    told, what = phrase("{said}: {what}"), f"`{code.text}`"
    if code.condition is not None:
        told = phrase("{said}, if {condition}: {what}")
    condition = f"`{code.condition.text}`" if code.condition else ""
    text = ctx.say(told, said=upper_first(said), condition=condition, what=what)
    return cited(full_stop(text), ctx.book.cite(symbol.file, step.line, code.line))


def comment_alone(ctx: PageContext, symbol: SurveySymbol, step: Step) -> str:
    said = clean(step.text, ctx.analysis.names).strip(" .:-=*")
    condition = step.condition
    marker = ctx.book.cite(symbol.file, step.line, step.end_line)
    if condition is not None and condition.text and condition.kind in _BEFORE:
        before = ctx.say(_BEFORE[condition.kind], condition=f"`{condition.text}`")
        marker = ctx.book.cite(symbol.file, condition.line, condition.end_line) + marker
        return cited(full_stop(f"{before} {ctx.wording.continued(said)}"), marker)
    return cited(full_stop(upper_first(said)), marker)
