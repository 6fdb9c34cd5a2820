"""What a function does, in order: its comments, calls, errors and what it returns."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.conditions import (
    IF,
    UNLESS,
    Condition,
    condition_of,
    depth_of,
    is_nested,
    is_other_branch,
)
from devrag.wiki.analysis.declarations import declaration_of
from devrag.wiki.analysis.flow_calls import calls_of, lines_of_calls
from devrag.wiki.analysis.inner_comments import InnerComment, inner_comments
from devrag.wiki.analysis.outside_calls import outside_calls
from devrag.wiki.analysis.raised_errors import raised_errors
from devrag.wiki.analysis.returned_values import returned_value
from devrag.wiki.analysis.survey import SurveySymbol

COMMENT, CALL, OUTSIDE, RAISE, RETURN = "comment", "call", "outside", "raise", "return"
_MOST_JOINED = 6
_HUB = 40  # callers; what everybody calls tells nothing
_FEWEST_COMMENTS = 2
_LEAST_WORDS, _MOST_WORDS = 1, 24  # of a comment
_RAISED = re.compile(r"\b(?:raise|throw)\s+(?:new\s+)?(?P<name>[A-Z]\w*(?:\.\w+)*)")
_FAILED = re.compile(r"^err(?:or)?\s*!=\s*nil$")
_PASSED = re.compile(r"(?:^|,\s*)err(?:or)?$")
_IS_TEST = re.compile(r"^(?:\}?\s*else\s+)?(?:if|elif|while|unless|assert|switch)\b")
_HAS_LITERAL = re.compile(r"['\"]|(?<![\w.])\d")
_ALONE = re.compile(r"^\s*(?:await\s+)?(?:[\w$]+\.)*$")
_STRING = re.compile(r"(['\"`])(?:\\.|(?!\1).)*\1")
_FAILS = re.compile(
    r"^(?:raise|throw)\b|^(?:return\s+)?(?:\w+\.)?(?:fail|error|Errorf|New)\("
)
_LONGEST_RAISE = 12  # lines
_VALUE_OF = re.compile(
    r"(?:=|\breturn|\()\s*(?P<said>[\w$.]+(?:\([\w$., ]*\))?)\s*"
    r"(?P<mark>\|\||&&|\?\?|\bor\b|\band\b)\s*(?:await\s+|new\s+)?$"
)
_BRACED_IF = re.compile(r"^if\s*\(")
_INLINE_IF = re.compile(r"^if\b.*\b(?:return|throw|raise)\b")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a function does.

    text: a comment's words, the name of what is called outside of the product, an
    error's message, or what is returned: where a test decides, if it holds, else what
    is returned otherwise. name: of an error's class, or of the package that is called.
    condition: what has to hold; None where it always happens. callee: what is called of
    the product. is_nested: a function inside of the function calls it. paragraph: its
    number in the function; blank lines divide them. is_deferred: the end calls it.
    is_given: what is called is a parameter of the function.
    """

    kind: str
    line: int
    end_line: int
    text: str = ""
    name: str = ""
    condition: Condition | None = None
    callee: int | None = None
    is_nested: bool = False
    is_deferred: bool = False
    is_given: bool = False
    paragraph: int = 0
    test: str = ""
    otherwise: str = ""


@cached_by_analysis
def steps_of(analysis: Analysis, symbol: int) -> tuple[Step, ...]:
    """Return the steps of a function or method in the order of its lines."""
    found = analysis.symbols[symbol]
    lines = analysis.lines.of(found.file)
    last = min(found.end_line, len(lines))
    top = _top(found, lines)
    inside = _inside(analysis, found)
    steps = [
        *_comments(lines, top, last, inside),
        *_calls(analysis, found, lines, top),
        *_outside(analysis, found, lines, top),
        *_raised(lines, top, last, inside),
        *_returned(analysis, found, lines, top),
    ]
    order = {COMMENT: 0, RAISE: 1, CALL: 2, OUTSIDE: 2, RETURN: 3}
    raised = {step.line for step in steps if step.kind == RAISE}
    steps = [s for s in steps if s.kind != RETURN or s.line not in raised]
    steps = _without_messages(lines, steps)
    steps.sort(key=lambda s: (s.line, order[s.kind]))
    told = [(s.line, s.end_line) for s in steps if s.kind == RETURN and s.test]
    # What both values of a condition call stands in them.
    steps = [s for s in steps if s.kind == RETURN or not _is_within(s.line, told)]
    starts = _paragraphs(lines, top, last)
    found_steps = [
        replace(
            s,
            paragraph=bisect_right(starts, s.line),
            is_deferred=_is_deferred(lines, s),
        )
        for s in steps
    ]
    return tuple(sorted(found_steps, key=lambda s: s.is_deferred))


def without_conditions(analysis: Analysis, steps: Sequence[Step]) -> list[Step]:
    """Return steps without the calls that a condition of others shows."""
    shown: dict[int, str] = {}
    for step in steps:
        for condition in step.condition.whole if step.condition else ():
            for line in range(condition.line, condition.end_line + 1):
                shown[line] = f"{shown.get(line, '')} {condition.text}"
    return [step for step in steps if not _is_shown(analysis, step, shown)]


def _is_shown(analysis: Analysis, step: Step, shown: Mapping[int, str]) -> bool:
    """Return whether a call stands in a condition. shown: line → condition there."""
    if step.kind not in {CALL, OUTSIDE} or step.line not in shown:
        return False
    callee = analysis.symbols.get(step.callee or 0)
    name = callee.name if callee is not None else step.text
    return f"{name}(" in shown[step.line]


def _is_deferred(lines: Sequence[str], step: Step) -> bool:
    """Return whether a call is made when the function ends, as `defer` of Go does."""
    is_call = step.kind in {CALL, OUTSIDE}
    return is_call and lines[step.line - 1].lstrip().startswith("defer ")


def _paragraphs(lines: Sequence[str], top: int, last: int) -> list[int]:
    """Return the lines below blank ones that stand as far left as the first."""
    written = [n for n in range(top + 1, last) if lines[n - 1].strip()]
    left = min((depth_of(lines[n - 1]) for n in written), default=0)
    return [
        number
        for number in written
        if not lines[number - 2].strip() and depth_of(lines[number - 1]) <= left
    ]


def _top(symbol: SurveySymbol, lines: Sequence[str]) -> int:
    """Return the last line of the signature and of a docstring below it."""
    declared = declaration_of(symbol, lines)
    end = declared.signature[1] if symbol.docstring else declared.named
    below = declared.description
    if below is not None and below[0] >= symbol.start_line:
        end = max(end, below[1])
    return min(end, symbol.end_line)


def _inside(analysis: Analysis, symbol: SurveySymbol) -> list[tuple[int, int]]:
    """Return the lines of definitions inside of a function."""
    return [
        (s.start_line, s.end_line)
        for s in analysis.symbols_of.get(symbol.file, ())
        if s.parent == symbol.id
    ]


def _is_within(line: int, inside: Sequence[tuple[int, int]]) -> bool:
    return any(start <= line <= end for start, end in inside)


def _comments(
    lines: Sequence[str], top: int, last: int, inside: Sequence[tuple[int, int]]
) -> list[Step]:
    """Return the comments at the left of a function, which tell its course.

    Where these are few, those in its branches are told with their conditions.
    """
    found = inner_comments(lines, top, last, inside, least_words=_LEAST_WORDS)
    found = [c for c in found if len(c.text.split()) <= _MOST_WORDS]
    depths = [depth_of(lines[c.start_line - 1]) for c in found]
    outer = [c for c, d in zip(found, depths, strict=True) if d == min(depths)]
    told = outer if len(outer) >= _FEWEST_COMMENTS else found
    if len(told) < _FEWEST_COMMENTS:
        return []
    return [_comment(lines, top, each) for each in told]


def _comment(lines: Sequence[str], top: int, comment: InnerComment) -> Step:
    condition = condition_of(lines, comment.start_line, top)
    place = comment.start_line, comment.end_line + 1
    return Step(COMMENT, *place, comment.text, condition=condition)


def _calls(
    analysis: Analysis, symbol: SurveySymbol, lines: Sequence[str], top: int
) -> Iterator[Step]:
    callers = _callers(analysis)
    for call in calls_of(analysis).get(symbol.id, ()):
        is_usual = callers.get(call.callee, 0) > _HUB or call.is_possible
        if is_usual or call.callee == symbol.id:
            continue
        name = analysis.symbols[call.callee].name
        made = lines_of_calls(analysis).get((symbol.id, call.callee), ())
        yield from _once(
            lines,
            name,
            [
                Step(
                    CALL,
                    line,
                    line,
                    condition=_condition(lines, line, top, name),
                    callee=call.callee,
                    is_nested=is_nested(lines, line, top),
                )
                for line in (made or (call.line,))
                if line > top
            ],
        )


def _once(lines: Sequence[str], name: str, steps: Sequence[Step]) -> Iterator[Step]:
    """Yield the calls of a function without those that tell nothing new.

    One that is made anyhow is told once for each literal that it is given, and one
    that is a whole statement for each list of arguments.
    """
    called = re.compile(rf"(?<![\w$]){re.escape(name)}\((?P<said>[^()]*)\)")
    told: set[tuple[str, Condition | None]] = set()
    for step in steps:
        line = lines[step.line - 1]
        match = called.search(line)
        said = match["said"] if match else ""
        if match and not _HAS_LITERAL.search(said) and not _is_alone(line, match):
            said = ""
        if (said, None) in told or (said, step.condition) in told:
            continue
        told.add((said, step.condition))
        yield step


def _is_alone(line: str, call: re.Match[str]) -> bool:
    """Return whether a call is a whole statement of its line."""
    is_first = bool(_ALONE.match(line[: call.start()]))
    return is_first and line[call.end() :].strip() in {"", ";"}


@cached_by_analysis
def _callers(analysis: Analysis) -> dict[int, int]:
    """Return called symbol → the number of those that call it."""
    found: dict[int, int] = {}
    for calls in calls_of(analysis).values():
        for call in calls:
            found[call.callee] = found.get(call.callee, 0) + 1
    return found


def _outside(
    analysis: Analysis, symbol: SurveySymbol, lines: Sequence[str], top: int
) -> Iterator[Step]:
    """Yield the calls of packages, of what objects hold, and of known functions.

    Each once for each condition and for each literal that it is given.
    """
    resolved = {call.callee for call in calls_of(analysis).get(symbol.id, ())}
    inside = _inside(analysis, symbol)
    steps: dict[str, list[Step]] = {}
    for call in outside_calls(analysis, symbol, top):
        is_inner = _is_within(call.line, inside)
        if call.callee in resolved or (call.callee is None and is_inner):
            continue
        step = Step(
            OUTSIDE if call.callee is None else CALL,
            call.line,
            call.line,
            call.name,
            call.package,
            _condition(lines, call.line, top, call.name),
            call.callee,
            is_inner or is_nested(lines, call.line, top),
            is_given=call.is_given,
        )
        steps.setdefault(call.name, []).append(step)
    for name, found in steps.items():
        yield from _once(lines, name, found)


def _raised(
    lines: Sequence[str], top: int, last: int, inside: Sequence[tuple[int, int]]
) -> Iterator[Step]:
    """Yield the errors, with the messages of those that have one."""
    told = {e.line: e for e in raised_errors(lines, top + 1, last)}
    for number in range(top + 1, last + 1):
        match = _RAISED.search(lines[number - 1])
        error = told.get(number)
        if (match is None and error is None) or _is_within(number, inside):
            continue
        if is_nested(lines, number, top):
            continue
        name = match["name"] if match else error.name if error else ""
        end = error.end_line if error else number
        message = error.message if error else ""
        condition = _condition(lines, number, top)
        yield Step(RAISE, number, end, message, name, condition)


def _without_messages(lines: Sequence[str], steps: Sequence[Step]) -> list[Step]:
    """Return steps without the calls that only make the message of an error."""
    raised = [(s.line, _end_of_raise(lines, s.line)) for s in steps if s.kind == RAISE]
    return [
        step
        for step in steps
        if step.kind not in {CALL, OUTSIDE} or not _is_within(step.line, raised)
    ]


def _end_of_raise(lines: Sequence[str], line: int) -> int:
    """Return the last line of the statement that raises, 0 if more begins it."""
    if not _FAILS.match(lines[line - 1].strip()):
        return 0
    depth = 0
    for number in range(line, min(line + _LONGEST_RAISE, len(lines) + 1)):
        text = _STRING.sub("", lines[number - 1])
        depth += sum(map(text.count, "([{")) - sum(map(text.count, ")]}"))
        if depth <= 0:
            return number
    return line


def _returned(
    analysis: Analysis, symbol: SurveySymbol, lines: Sequence[str], top: int
) -> Iterator[Step]:
    """Yield what is returned; a value that two conditions decide is not told."""
    language = analysis.files[symbol.file].language
    last = min(symbol.end_line, len(lines))
    inside = _inside(analysis, symbol)
    for number in range(top + 1, last + 1):
        found = returned_value(lines, number, last, language)
        if found is None or _is_within(number, inside):
            continue
        condition = _condition(lines, number, top)
        # That an error is passed on tells nothing.
        is_passed = condition is not None and _FAILED.match(condition.text)
        is_told = not (is_passed and _PASSED.search(found.text))
        if is_told and not (
            (condition and found.test) or is_nested(lines, number, top)
        ):
            yield Step(
                RETURN,
                number,
                found.end_line,
                found.text,
                condition=condition,
                test=found.test,
                otherwise=found.otherwise,
            )


def _condition(
    lines: Sequence[str], number: int, top: int, name: str = ""
) -> Condition | None:
    """Return the condition of a line, also one that stands on the line itself.

    name: of what is called there; without one the line returns or raises.
    """
    text = lines[number - 1].strip()
    if name and (value := _value_condition(text, name)):
        kind, said = value
        outer = condition_of(lines, number, top)
        whole = outer.whole if outer else ()
        return Condition(said, number, number, kind, around=whole)
    is_inline = bool(_INLINE_IF.match(text)) and not name
    if name and _BRACED_IF.match(text):
        is_inline = _is_behind_condition(text, name)
    if is_inline:
        probe = [*lines[:number], f"{' ' * (depth_of(lines[number - 1]) + 1)}x"]
        return condition_of(probe, number + 1, top)
    return condition_of(lines, number, top)


def _value_condition(text: str, name: str) -> tuple[str, str] | None:
    """Return how a value decides whether what stands behind it is called.

    `done = callback || final()`: the kind of condition, and the value.
    """
    if _IS_TEST.match(text):
        return None
    before = text.partition(f"{name}(")[0]
    match = _VALUE_OF.search(before)
    if match is None:
        return None
    return (IF if match["mark"] in {"&&", "and"} else UNLESS), match["said"]


def _is_behind_condition(text: str, name: str) -> bool:
    """Return whether a call stands behind the brackets of an `if` on its line."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == ")" and depth == 0:
            return f"{name}(" in text[place:]
    return False


def joined_steps(steps: Sequence[Step]) -> list[list[Step]]:
    """Return steps that are told together: a comment with its paragraph below it.

    Without one, what is in the same condition or its other branch, and a call with what
    is returned of it on the same line.
    """
    groups: list[list[Step]] = []
    has_comments = any(step.kind == COMMENT for step in steps)
    for step in steps:
        last = groups[-1][-1] if groups else None
        is_same = last is not None and last.line == step.line and step.kind == RETURN
        is_of_comment = has_comments and groups and groups[-1][0].kind == COMMENT
        is_below = is_of_comment and groups[-1][0].paragraph == step.paragraph
        is_inside = last is not None and not is_of_comment and _is_beside(last, step)
        is_inside = is_inside and len(groups[-1]) < _MOST_JOINED
        is_joined = is_same or is_below or is_inside
        if step.kind != COMMENT and not step.is_deferred and is_joined:
            groups[-1].append(step)
        else:
            groups.append([step])
    return groups


def _is_beside(one: Step, other: Step) -> bool:
    """Return whether two steps are in the same condition, or in its two branches."""
    if one.condition is None or other.condition is None:
        return False
    first, second = one.condition.whole[0], other.condition.whole[0]
    return first == second or is_other_branch(first, second)
