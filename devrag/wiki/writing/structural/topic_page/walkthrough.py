"""The main functions of a topic step by step: what each does, when, with what result.

The steps are read from the code: comments at its left, calls, errors, results, and the
conditions around them. Each cites its lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from devrag.parsing.tokens import count_cjk
from devrag.wiki.analysis.conditions import CASE, FAILS, IF, UNLESS
from devrag.wiki.analysis.prose import cited, clean, full_stop, upper_first
from devrag.wiki.analysis.statement_lines import statement_below
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
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.called_names import called_name, called_purpose
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.topic_page.errors import collect_errors
from devrag.wiki.writing.structural.topic_page.implemented import told_docstring
from devrag.wiki.writing.structural.topic_page.told import Told
from devrag.wiki.writing.structural.topic_page.walked_functions import (
    walked_functions,
)

_FUNCTIONS, _FUNCTIONS_ALONE = 3, 5  # beside documents, without any
_MOST_ITEMS = 26
_NAMES, _CALLERS = 5, 2
_BRIEF = 9  # words of a comment that the code below it explains
_LABEL = 1  # words of a comment that says no more than the calls below it
_ALONE = 3  # words of one that says too little without code
_RAISES = {"python", "ruby"}
_ONE_CALL = re.compile(r"^(?:await |\*)?[\w$.]+\([^()]*\)$")
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
    count = _FUNCTIONS if told.has_documents else _FUNCTIONS_ALONE
    for symbol in walked_functions(ctx, index, count):
        told.walked.add(symbol.id)
        told.symbols.add(symbol.id)
        section = _told(ctx, symbol, told)
        told.words += sum(len(block.split()) for block in section)
        collect_errors(ctx, [symbol], told)
        blocks += section
    return blocks


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
    if len(steps) == 1 and steps[0].kind == COMMENT:
        return _comment_with_code(ctx, symbol, steps[0])
    comment = steps.pop(0) if steps[0].kind == COMMENT else None
    if comment is not None and not _is_label(comment):
        is_same = steps[0].condition == comment.condition  # told with what follows
        bare = replace(comment, condition=None) if is_same else comment
        found.append(_comment(ctx, symbol, bare))
    for _, same in groupby(steps, key=lambda s: (s.is_nested, s.condition)):
        found += _under_condition(ctx, symbol, list(same))
    return ctx.joined([sentence for sentence in found if sentence])


def _is_label(comment: Step, words: int = _LABEL) -> bool:
    """Return whether a comment says no more than a title: "Render"."""
    is_short = len(comment.text.split()) <= words and not count_cjk(comment.text)
    return is_short and comment.condition is None


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


def _comment_with_code(ctx: PageContext, symbol: SurveySymbol, step: Step) -> str:
    """Return a comment with the statement below it; '' for a label of neither."""
    lines = ctx.book.lines(symbol.file)
    language = ctx.analysis.files[symbol.file].language
    code = statement_below(lines, step.end_line - 1, symbol.start_line, language)
    is_brief = len(step.text.split()) <= _BRIEF and not count_cjk(step.text)
    if step.condition is not None or not is_brief or code is None:
        return _comment(ctx, symbol, step) if not _is_label(step, _ALONE) else ""
    said = clean(step.text, ctx.analysis.names).strip(" .:-=*")
    told, what = phrase("{said}: {what}"), f"`{code.text}`"
    if code.condition is not None:
        told = phrase("{said}, if {condition}: {what}")
    condition = f"`{code.condition.text}`" if code.condition else ""
    text = ctx.say(told, said=upper_first(said), condition=condition, what=what)
    return cited(full_stop(text), ctx.book.cite(symbol.file, step.line, code.line))


def _comment(ctx: PageContext, symbol: SurveySymbol, step: Step) -> str:
    said = clean(step.text, ctx.analysis.names).strip(" .:-=*")
    condition = step.condition
    marker = ctx.book.cite(symbol.file, step.line, step.end_line)
    if condition is not None and condition.text and condition.kind in _BEFORE:
        before = ctx.say(_BEFORE[condition.kind], condition=f"`{condition.text}`")
        marker = ctx.book.cite(symbol.file, condition.line, condition.end_line) + marker
        return cited(full_stop(f"{before} {ctx.wording.continued(said)}"), marker)
    return cited(full_stop(upper_first(said)), marker)


def _calls(
    ctx: PageContext,
    symbol: SurveySymbol,
    steps: Sequence[Step],
    returned: Step | None = None,
) -> str:
    """Return one sentence on calls under the same condition, and on the result."""
    if returned is not None and returned.test:
        return ctx.joined([_calls(ctx, symbol, steps), _single(ctx, symbol, returned)])
    names = list(dict.fromkeys(called_name(ctx, symbol.file, step) for step in steps))
    if returned is not None:
        value = f"`{returned.text}`"
        told = phrase("it calls {names} and returns {what}")
        if len(names) == 1 and _is_result(steps[-1], returned):
            told = phrase("it returns {what}")
            value += called_purpose(ctx, steps[-1])
        what = ctx.say(told, names=ctx.listed(names[:_NAMES]), what=value)
        return _when(ctx, symbol, [*steps[:_NAMES], returned], what)
    told = phrase("it calls {names}")
    if steps[0].is_nested:
        told = phrase("a function inside of it calls {names}")
    if steps[0].is_deferred:
        told = phrase("at the end it calls {names}")
    what = ctx.say(told, names=ctx.listed(names[:_NAMES]))
    return _when(ctx, symbol, steps[:_NAMES], what)


def _single(ctx: PageContext, symbol: SurveySymbol, step: Step) -> str:
    what = _raised(ctx, symbol, step) if step.kind == RAISE else ""
    if step.kind == RETURN:
        what = _returned(ctx, step)
    return _when(ctx, symbol, [step], what) if what else ""


def _is_result(call: Step, returned: Step) -> bool:
    """Return whether nothing but what a call gives is returned."""
    return call.line == returned.line and bool(_ONE_CALL.match(returned.text))


def _returned(ctx: PageContext, step: Step) -> str:
    if not step.test:
        return ctx.say("it returns {what}", what=f"`{step.text}`")
    return ctx.say(
        "if {condition}, it returns {what}; otherwise {other}",
        condition=f"`{step.test}`",
        what=f"`{step.text}`",
        other=f"`{step.otherwise}`",
    )


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
        return cited(full_stop(upper_first(what)), marker)
    if not condition.text:
        told = ctx.say("In some cases {what}", what=what)
    else:
        told = ctx.say(
            _CONDITIONS[condition.kind],
            condition=f"`{condition.text}`",
            what=what,
        )
    if condition.case is not None:
        told = ctx.say(
            "In the case {condition}: {what}",
            condition=f"`{condition.case.text}`",
            what=ctx.wording.continued(told),
        )
    return cited(full_stop(told), marker)


def _lines(
    ctx: PageContext, symbol: SurveySymbol, steps: Sequence[Step]
) -> Iterator[str]:
    """Yield the markers of the condition and of each step."""
    condition = steps[0].condition
    if condition is not None and condition.case is not None:
        case = condition.case
        yield ctx.book.cite(symbol.file, case.line, case.end_line)
    if condition is not None:
        yield ctx.book.cite(symbol.file, condition.line, condition.end_line)
    for line, end in dict.fromkeys((step.line, step.end_line) for step in steps):
        yield ctx.book.cite(symbol.file, line, end)
