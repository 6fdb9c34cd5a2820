"""The main functions of a topic step by step: what each does, when, with what result.

The steps are read from the code: comments at its left, calls, errors, results, and the
conditions around them. Each cites its lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from devrag.wiki.analysis.conditions import LOOP, OTHERWISE, Condition, is_other_branch
from devrag.wiki.analysis.prose import cited
from devrag.wiki.analysis.steps import (
    CALL,
    COMMENT,
    Step,
    joined_steps,
    steps_of,
    without_conditions,
)
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.called_names import called_with
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.shown_conditions import (
    before_all,
    behind_colon,
    is_plain,
)
from devrag.wiki.writing.structural.topic_page.errors import collect_errors
from devrag.wiki.writing.structural.topic_page.implemented import told_docstring
from devrag.wiki.writing.structural.topic_page.step_comments import (
    comment_alone,
    comment_with_code,
    is_label,
)
from devrag.wiki.writing.structural.topic_page.step_sentences import under_condition
from devrag.wiki.writing.structural.topic_page.told import Told
from devrag.wiki.writing.structural.topic_page.walked_functions import (
    walked_functions,
)
from devrag.wiki.writing.structural.topic_summary import purpose_in_brief

_FUNCTIONS, _FUNCTIONS_ALONE = 3, 5  # beside documents, without any
_MOST_ITEMS = 26
_CALLERS = 2
_FEWEST_TO_SHARE = 2  # different conditions of steps that are told together


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
    steps = without_conditions(ctx.analysis, steps_of(ctx.analysis, symbol.id))
    groups = joined_steps(steps)
    items = [text for group in groups if (text := _item(ctx, symbol, group))]
    items = _without_repeats(_said_once(ctx, steps, items))
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


def _said_once(
    ctx: PageContext, steps: Sequence[Step], items: Sequence[str]
) -> list[str]:
    """Return the items with what a called function does at its first mention only."""
    called = {step.callee for step in steps if step.callee is not None}
    asides = {purpose_in_brief(ctx, ctx.analysis.symbols[callee]) for callee in called}
    told = list(items)
    for aside in sorted(asides - {""}):
        first = next((n for n, text in enumerate(told) if aside in text), len(told))
        for n, text in enumerate(told[first:], first):
            head, found, rest = text.partition(aside) if n == first else ("", "", text)
            told[n] = head + found + rest.replace(aside, "")
    return told


def _without_repeats(items: Sequence[str]) -> list[str]:
    """Return the items, of those that say the same behind each other the first."""
    bare = [MARKER.sub("", item) for item in items]
    return [item for n, item in enumerate(items) if not n or bare[n] != bare[n - 1]]


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
        return comment_with_code(ctx, symbol, steps[0])
    comment = steps.pop(0) if steps[0].kind == COMMENT else None
    if comment is not None and not is_label(comment):
        is_same = steps[0].condition == comment.condition  # told with what follows
        bare = replace(comment, condition=None) if is_same else comment
        found.append(comment_alone(ctx, symbol, bare))
    shared, above = _shared(steps), len(found)
    for place, step in enumerate(steps):
        before = steps[place - 1] if place and not steps[place - 1].is_nested else None
        steps[place] = replace(step, condition=_told_condition(step, before, shared))
    for _, same in groupby(_of_both_branches(ctx, symbol, steps), key=_place_of):
        found += under_condition(ctx, symbol, list(same))
    above = len([sentence for sentence in found[:above] if sentence])
    told = [sentence for sentence in found if sentence]
    if len(told) > above and shared:
        told[above] = _under_shared(ctx, symbol, shared, told[above])
    return ctx.joined(told)


def _place_of(step: Step) -> tuple[bool, Condition | None]:
    return step.is_nested, step.condition


def _of_both_branches(
    ctx: PageContext, symbol: SurveySymbol, steps: Sequence[Step]
) -> list[Step]:
    """Return steps, of what both branches of a condition do alike the first, bare."""
    branches = [list(same) for _, same in groupby(steps, key=_place_of)]
    found: list[Step] = []
    for place, branch in enumerate(branches):
        before = branches[place - 1] if place else []
        told = [called_with(ctx, symbol, s) for s in (*before, *branch) if s.callee]
        if _is_alike_otherwise(before, branch) and len(set(told)) == 1:
            first = before[0].condition
            around = first.around if first is not None else ()
            bare = replace(around[-1], around=around[:-1]) if around else None
            found[-1] = replace(before[0], condition=bare)
        else:
            found += branch
    return found


def _is_alike_otherwise(branch: Sequence[Step], other: Sequence[Step]) -> bool:
    """Return whether a branch makes one call, and otherwise the same is called."""
    if len(branch) != 1 or len(other) != 1:
        return False
    one, two = branch[0], other[0]
    is_same = (one.kind, one.callee) == (two.kind, two.callee) and one.kind == CALL
    if not is_same or one.condition is None or two.condition is None:
        return False
    is_other = two.condition.kind == OTHERWISE != one.condition.kind
    return is_other and one.condition.around == two.condition.around


def _shared(steps: Sequence[Step]) -> tuple[Condition, ...]:
    """Return the conditions that all steps are under, () where they have no others."""
    wholes = [step.condition.whole if step.condition else () for step in steps]
    if len(set(wholes)) < _FEWEST_TO_SHARE:
        return ()
    shared: list[Condition] = []
    for each in zip(*wholes, strict=False):
        is_loop = each[0].kind == LOOP and not shared
        if len(set(each)) > 1 or not (is_loop or is_plain(each[0])):
            break
        shared.append(each[0])
        if is_loop:
            break
    return tuple(shared)


def _told_condition(
    step: Step, before: Step | None, shared: Sequence[Condition]
) -> Condition | None:
    """Return the condition of a step without what its item told before it.

    before: the step that was told before it, as it was told.
    """
    if step.condition is None:
        return None
    whole = list(step.condition.whole[len(shared) :])
    if before is not None and before.condition is not None:
        at = len(before.condition.whole) - 1
        is_below = len(whole) > at and tuple(whole[:at]) == before.condition.around
        if is_below and is_other_branch(before.condition, whole[at]):
            whole = [replace(whole[at], kind=OTHERWISE), *whole[at + 1 :]]
    return replace(whole[-1], around=tuple(whole[:-1])) if whole else None


def _under_shared(
    ctx: PageContext, symbol: SurveySymbol, shared: Sequence[Condition], told: str
) -> str:
    """Return the first sentence of an item behind the conditions of all of them."""
    language = ctx.analysis.files[symbol.file].language
    before = before_all(ctx, shared, language)
    places = [(c.line, c.end_line) for c in shared]
    places += [(c.subject_line, c.subject_line) for c in shared if c.subject_line]
    cites = "".join(ctx.book.cite(symbol.file, *place) for place in places)
    return behind_colon(before, ctx.wording.continued(cited(told, cites)))
