"""The errors that code raises with a message for people."""

from __future__ import annotations

import re
from collections.abc import Sequence
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


_BARE = re.compile(
    r"\b(?:raise|throw\s+new)\s+(?P<name>[A-Z]\w*)(?![\w.])\(?(?!\s*[\"'`])"
)


@dataclass(frozen=True, slots=True)
class RaisedError:
    """An error with its message. name: of its class, '' where it has none."""

    name: str
    message: str
    line: int
    end_line: int


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
