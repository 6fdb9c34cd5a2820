"""Functions inside of a function, and when they run: later, or at once.

A function may return one, pass it on, or answer with it when a property is read. One
that is only a name for a piece of the course is called by the function itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.conditions import around, depth_of, opens_function

RETURNED, READ, PASSED, CALLED = "returned", "read", "passed", "called"
_NAMED = re.compile(
    r"^(?:(?:var|let|const|def|function|async\s+(?:def|function))\s+)?(?P<name>[\w$]+)"
    r"\s*(?::?=\s*(?:[\w$.]+\s*\|\|\s*)?(?:async\s+)?(?:function\b|func\b|\()|\()"
)
_RETURNS = re.compile(r"^return\s+(?:async\s+)?(?:function\b|func\s*\(|\()")
_GETTER = re.compile(r"^get\b\s*(?::|\()")
_PROPERTY = re.compile(r"defineProperty\([^,]+,\s*['\"](?P<name>[\w$]+)['\"]")
_PASSED = re.compile(
    r"(?P<name>[\w$]+(?:\.[\w$]+)*)\((?:[^()]|\([^()]*\))*"
    r"(?:\bfunction\b|\bfunc\s*\(|=>)"
)
_RUNS = re.compile(r"^\}\)?\s*\(")  # `}()`: it is called where it stands
_AT_ONCE = re.compile(
    r"\.(?:each|every|filter|find\w*|flatMap|forEach|map|reduce|some|sort)$"
)
_DEFERS = re.compile(
    r"(?<![\w.$])(?P<name>process\.nextTick|queueMicrotask|set(?:Immediate|Timeout)"
    r"|requestAnimationFrame|loop\.call_soon)\("
)
_KEYWORDS = {"def", "for", "func", "function", "if", "return", "switch", "while"}
_PROPERTY_LINES = 4
_LONGEST_LINE = 500


@dataclass(frozen=True, slots=True)
class InnerFunction:
    """A function inside of another. line: the one that opens it.

    how: RETURNED, READ, PASSED, CALLED by the function itself, '' where it is not
    known. name: its own; of one that is READ the property's, of one that is PASSED that
    of the function which gets it. parameters: as they are written, one by one.
    """

    line: int
    how: str = ""
    name: str = ""
    parameters: tuple[str, ...] = ()


def inner_function(
    lines: Sequence[str], line: int, top: int, last: int
) -> InnerFunction | None:
    """Return the outermost function around a line that begins below the top one.

    last: the last line of the function itself.
    """
    opened = [n for n in around(lines, line, top) if opens_function(lines[n - 1])]
    return _read(lines, opened[-1], top, last) if opened else None


def deferring_call(lines: Sequence[str], line: int, top: int) -> str:
    """Return what lets the innermost function around a line run later, else ''."""
    opened = (n for n in around(lines, line, top) if opens_function(lines[n - 1]))
    number = next(opened, None)
    match = _DEFERS.search(lines[number - 1][:_LONGEST_LINE]) if number else None
    return match["name"] if match else ""


def _read(lines: Sequence[str], number: int, top: int, last: int) -> InnerFunction:
    text = lines[number - 1].strip()[:_LONGEST_LINE]
    parameters = _parameters(text)
    if _RUNS.match(_closing(lines, number, last)):
        return InnerFunction(number, CALLED, "", parameters)
    if _RETURNS.match(text):
        return InnerFunction(number, RETURNED, "", parameters)
    if _GETTER.match(text):
        above = "\n".join(lines[max(top, number - 1 - _PROPERTY_LINES) : number])
        found = _PROPERTY.search(above)
        return InnerFunction(number, READ, found["name"] if found else "", parameters)
    named = _NAMED.match(text)
    if named is not None and named["name"] not in _KEYWORDS:
        rest = _rest(lines, number, top, last)
        how, name = _use(named["name"], rest)
        return InnerFunction(number, how, name, parameters)
    passed = _PASSED.search(text)
    if passed is None or passed["name"] in _KEYWORDS:
        return InnerFunction(number, "", "", parameters)
    if _AT_ONCE.search(passed["name"]):
        return InnerFunction(number, CALLED, passed["name"], parameters)
    return InnerFunction(number, PASSED, passed["name"], parameters)


def _closing(lines: Sequence[str], number: int, last: int) -> str:
    """Return the line that ends a function: the first that stands as far left."""
    left = depth_of(lines[number - 1])
    below = (lines[at - 1] for at in range(number + 1, min(last, len(lines)) + 1))
    return next((t.strip() for t in below if t.strip() and depth_of(t) <= left), "")


def _rest(lines: Sequence[str], number: int, top: int, last: int) -> Iterator[str]:
    """Yield the lines of a function outside of the one that opens at a line."""
    left, is_inside = depth_of(lines[number - 1]), False
    for at in range(top + 1, min(last, len(lines)) + 1):
        text = lines[at - 1]
        is_inside = at == number or (
            is_inside and (not text.strip() or depth_of(text) > left)
        )
        if text.strip() and not is_inside:
            yield text.strip()[:_LONGEST_LINE]


def _use(name: str, rest: Iterator[str]) -> tuple[str, str]:
    """Return when a function runs by what is done with its name, and its name."""
    bare = re.escape(name)
    called = re.compile(rf"(?<![\w.$]){bare}\(")
    passed = re.compile(rf"(?P<to>[\w$]+(?:\.[\w$]+)*)\([^()]*(?<![\w.$]){bare}\s*[,)]")
    given = ("", name)
    for text in rest:
        if re.match(rf"return\s+{bare}\s*(?:[;,}}]|$)", text):
            return RETURNED, name
        if called.search(text):
            given = (CALLED, name)
        elif (match := passed.search(text)) and not given[0]:
            given = (PASSED, match["to"])
    return given


def _parameters(text: str) -> tuple[str, ...]:
    found = re.search(r"\(([^()]*)\)\s*(?:=>|\{|:|->)", text)
    names = found[1].split(",") if found else []
    return tuple(name.strip() for name in names if name.strip())
