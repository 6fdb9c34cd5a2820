"""Where code has the names that documents speak of, and what it sets them to."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from devrag.wiki.conflicts.types import NamePlace
from devrag.wiki.conflicts.values import LITERAL

_WORDS = re.compile(r"\w+")
_OPTIONS = re.compile(r"(?<![\w-])--[a-z][\w-]*\w")
_DASHED = re.compile(r"\w+(?:-\w+)+")
_DECLARED = re.compile(r"[\"'](--[a-z][\w-]*\w)(?=[\"'=\s<\[])")
_DEFAULT = re.compile(rf"\bdefault\s*[=:]\s*({LITERAL})\s*(?:[,)}}]|$)")
_FILES = re.compile(r"[\w+-]+(?:\.[\w+-]+)+")
_MOST_PLACES = 6
_SET = (
    r"[\"']?(?:\]\s*=(?!=)|\s*(?::\s*[\w\[\]\"', |.]+?\s*=(?!=)|=(?!=)|:=|=>"
    r"|:(?![:=]|\s*$)))\s*"
)
_CALL = r"(?:\w+\.)*(?:Option|Setting|Field|field)\(\s*(?:default\s*=\s*)?"
_AFTER = re.compile(rf"{_SET}(?:{_CALL})?")
_DESCRIBED_LINES = 10
# What an object that describes a setting says of its default.
_DESCRIBED = re.compile(
    rf"^\s*[\"']?(?:default(?:_?value)?|raw_?value)[\"']?\s*[:=]\s*({LITERAL})\s*,?\s*$",
    re.IGNORECASE,
)
_VALUE = re.compile(rf"({LITERAL})\s*(?:[,;)}}\]#]|//|$)")


def names_in(text: str, wanted: Collection[str]) -> set[str]:
    """Return which of the names a text has, as words."""
    found = set(_WORDS.findall(text)).intersection(wanted)
    found.update(set(_DASHED.findall(text)).intersection(wanted))
    found.update(set(_OPTIONS.findall(text)).intersection(wanted))
    found.update(set(_FILES.findall(text)).intersection(wanted))
    return found


def name_places(text: str, wanted: Collection[str]) -> list[NamePlace]:
    """Return a line or several for each name that a text has, and for all options.

    All where it is set, at most six; without such, its first line.
    """
    found: list[NamePlace] = []
    names = names_in(text, wanted).union(_DECLARED.findall(text))
    lines = text.split("\n") if names else []
    for name in sorted(names):
        found += _places(lines, name)
    return found


def _declared(lines: list[str], name: str) -> list[NamePlace]:
    """Return the lines that declare an option; value: its default, on one below."""
    found = []
    for number, line in enumerate(lines, 1):
        if name not in line or name not in _DECLARED.findall(line):
            continue
        for below in lines[number - 1 : number + _DESCRIBED_LINES]:
            default = _DEFAULT.search(below)
            if default or below.lstrip().startswith((")", "}")):
                break
        value = default[1] if default else ""
        found.append(NamePlace(name, number, value))
    return found[:_MOST_PLACES]


def _is_whole(line: str, name: str) -> bool:
    """Return whether a line has a name that is no part of a longer one."""
    return any(
        not _is_in_word(line[at - 1 : at]) and not _is_in_word(line[end : end + 1])
        for at, end in _occurrences(line, name)
    )


def _is_in_word(character: str) -> bool:
    return character.isalnum() or character in {"_", "-"}


def _set_at(line: str, name: str) -> int | None:
    """Return where what a line sets a name to begins, None if it does not set it."""
    for at, end in _occurrences(line, name):
        before = line[at - 1 : at]
        if not (_is_in_word(before) or before in {".", "$"}):
            match = _AFTER.match(line, end)
            if match:
                return match.end()
    return None


def _occurrences(line: str, name: str) -> Iterator[tuple[int, int]]:
    at = line.find(name)
    while at >= 0:
        yield at, at + len(name)
        at = line.find(name, at + 1)


def _places(lines: list[str], name: str) -> list[NamePlace]:
    if name.startswith("--") and (declared := _declared(lines, name)):
        return declared
    shown: list[NamePlace] = []
    first = 0
    for number, line in enumerate(lines, 1):
        if name not in line:
            continue
        first = first or number
        if len(line) > 400 or not _is_whole(line, name) or _is_comment(line):
            continue
        begin = _set_at(line, name)
        if begin is not None:
            shown.append(_set_to(name, number, line[begin:], lines))
        if len(shown) == _MOST_PLACES:
            break
    return shown or [NamePlace(name, first or 1)]


def _set_to(name: str, number: int, after: str, lines: list[str]) -> NamePlace:
    value = _VALUE.match(after.strip())
    if value:
        return NamePlace(name, number, value[1])
    if after.rstrip().endswith(("{", "(")):
        for below in range(number, min(number + _DESCRIBED_LINES, len(lines))):
            if described := _DESCRIBED.match(lines[below]):
                return NamePlace(name, below + 1, described[1])
            if lines[below].lstrip().startswith(("}", ")")):
                break
    return NamePlace(name, number, "", is_computed=True)


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith(("#", "//", "*", "/*", ";", "--"))
