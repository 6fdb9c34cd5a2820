"""The errors that code raises, or gives to callbacks, with a message for people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_LEAST_WORDS = 2
_LONGEST = 160
_CLASS = re.compile(r"^[A-Z]\w*$(?<!Errorf)(?<!New)")
_GOES_ON = re.compile(r"\s*(\+|<<)")
_VALUE = r"[\w$.]+(?:\([\w$.]*\)|\[[\w$.]*\])*"
_TEXT = (
    r"\(?\s*(?:_\(\s*)?[rfbuL@$]*(?P<quote>[\"'`])"
    r"(?P<text>(?:(?!(?P=quote))[^\\\n]|\\.)+)(?P=quote)"
)
_QUOTED = _TEXT[_TEXT.index("(?P<quote>") :]
_NEXT_TEXT = re.compile(r"\s+[rfbuRFBU]*" + _QUOTED)
_JOINED_TEXT = re.compile(rf"\s*\+\s*(?:{_VALUE}\s*\+\s*)?" + _QUOTED)
_RAISED = (
    re.compile(r"\braise\s+(?P<name>[A-Za-z_][\w.]*)\(\s*(?:\w+\s*=\s*)?" + _TEXT),
    re.compile(
        r"\bthrow\s+(?:new\s+)?(?P<name>[A-Za-z_][\w.]*)\(\s*(?:\w+\s*,\s*)?" + _TEXT
    ),
    re.compile(r"\b(?P<name>(?:self|ctx|context|parser)\.(?:fail|error))\(\s*" + _TEXT),
    re.compile(r"\b(?P<name>errors\.New|fmt\.Errorf|errors\.Errorf)\(\s*" + _TEXT),
    re.compile(
        r"\b(?P<name>bail!|anyhow!|panic!|ensure!)\(\s*(?:[^\"\n]*,\s*)?" + _TEXT
    ),
)


_RECEIVER = r"(?P<to>(?:[\w$]+\.)*(?:done|next|cb|reject|\w*[cC]allback))"
_GIVEN = re.compile(
    rf"(?<![\w$.]){_RECEIVER}\(\s*new\s+(?P<name>[A-Z]\w*)\(\s*" + _TEXT
)
_MADE = re.compile(
    r"(?<![\w$.])(?P<variable>[\w$]+)\s*=\s*new\s+(?P<name>[A-Z]\w*Error|Error)\(\s*"
    + _TEXT
)
_PASSED_WITHIN = 6  # lines below the one that makes the error
_BARE = re.compile(
    r"\b(?:raise|throw\s+new)\s+(?P<name>[A-Z]\w*)(?![\w.])\(?(?!\s*[\"'`])"
)


@dataclass(frozen=True, slots=True)
class RaisedError:
    """An error with its message. name: of its class, '' where it has none.

    passed_to: the function that is given the error, '' where it is raised.
    """

    name: str
    message: str
    line: int
    end_line: int
    passed_to: str = ""


def raised_errors(lines: Sequence[str], start: int, end: int) -> list[RaisedError]:
    """Return the errors raised in these lines, each message once, in order."""
    text = "\n".join(lines[start - 1 : end])
    found: dict[str, RaisedError] = {}
    for pattern in _RAISED:
        for match in pattern.finditer(text):
            said, end = _whole_text(text, match)
            message = " ".join(said.split())
            if len(message.split()) < _LEAST_WORDS or len(message) > _LONGEST:
                continue
            first = start + text.count("\n", 0, match.start())
            last = start + text.count("\n", 0, end)
            name = match["name"].rpartition(".")[2]
            name = name if _CLASS.match(name) else ""
            message += "…" if _GOES_ON.match(text, end) else ""
            found.setdefault(message, RaisedError(name, message, first, last))
    return sorted(found.values(), key=lambda e: (e.line, e.message))


def errors_with_messages(
    lines: Sequence[str], start: int, end: int
) -> list[RaisedError]:
    """Return the errors that these lines raise or give to a callback, in order."""
    raised = raised_errors(lines, start, end)
    known = {error.message for error in raised}
    passed = (e for e in _passed_errors(lines, start, end) if e.message not in known)
    found = {error.message: error for error in (*raised, *passed)}
    return sorted(found.values(), key=lambda e: (e.line, e.message))


def _passed_errors(lines: Sequence[str], start: int, end: int) -> Iterator[RaisedError]:
    """Yield the errors that are made for a callback: `done(new Error('…'))`."""
    text = "\n".join(lines[start - 1 : end])
    for match in (*_GIVEN.finditer(text), *_MADE.finditer(text)):
        said, stop = _whole_text(text, match)
        message = " ".join(said.split())
        groups = match.groupdict()
        receiver = groups.get("to") or _receiver(text[stop:], groups["variable"])
        is_told = len(message.split()) >= _LEAST_WORDS and len(message) <= _LONGEST
        if not receiver or not is_told:
            continue
        message += "…" if _GOES_ON.match(text, stop) else ""
        first = start + text.count("\n", 0, match.start())
        last = start + text.count("\n", 0, stop)
        yield RaisedError(match["name"], message, first, last, receiver)


def _receiver(below: str, variable: str) -> str:
    """Return what is called with a variable soon after it was set, '' if nothing."""
    near = "\n".join(below.split("\n")[: _PASSED_WITHIN + 1])
    given = re.compile(rf"(?<![\w$.]){_RECEIVER}\(\s*{re.escape(variable)}\s*\)")
    match = given.search(near)
    return match["to"] if match else ""


def bare_errors(lines: Sequence[str], start: int, end: int) -> list[RaisedError]:
    """Return the errors raised in these lines whose class alone tells, each once."""
    told = {error.line for error in raised_errors(lines, start, end)}
    found: dict[str, RaisedError] = {}
    for number in range(start, min(end, len(lines)) + 1):
        match = _BARE.match(lines[number - 1].strip())
        if match is not None and number not in told:
            error = RaisedError(match["name"], "", number, number)
            found.setdefault(error.name, error)
    return list(found.values())


def _whole_text(text: str, match: re.Match[str]) -> tuple[str, int]:
    """Return a message with the strings that are joined to it, and its end.

    A value between two of them is `…`.
    """
    said, end = match["text"], match.end()
    while following := _NEXT_TEXT.match(text, end) or _JOINED_TEXT.match(text, end):
        is_value = following.group().count("+") > following["text"].count("+") + 1
        said += ("…" if is_value else "") + following["text"]
        end = following.end()
    return said, end
