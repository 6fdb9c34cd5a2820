"""What code tells of settings that it keeps by name: meaning, use, known values.

A comment that quotes a name says what it is for; so does the comment above the line
that asks for it, or what the value is handed to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.flow_calls import calls_of
from devrag.wiki.analysis.passages import is_dangling
from devrag.wiki.analysis.product_form import is_aside
from devrag.wiki.analysis.prose import sentences
from devrag.wiki.analysis.settings.types import Lines, PassedTo, Setting

_COMMENT = re.compile(r"^\s*(?://[/!]?|/?\*+|#)\s?(?P<text>.*?)(?:\*+/)?\s*$")
_QUOTED = re.compile(r"[\"'`](?P<name>[A-Za-z][\w .:/-]{1,40})[\"'`]")
_NOUN = r"(?:settings?|options?)"  # beside a lone word, which may be anything
_LEAST_WORDS = 8
_PARAGRAPH = 12  # lines of a comment that are read
_WORD = re.compile(r"[a-z]{3,}")
_HANDED = re.compile(r"^\s*(?P<key>[\w$]+)\s*:\s*[\w$.()]+\.\w+\(\s*[\"']")
_OPENS = re.compile(r"(?P<name>[A-Za-z_$][\w$.]*)\((?:[^()]*,\s*)?\{\s*$")
_OPEN_LINES = 6
_HELD = re.compile(
    r"^\s*(?:(?:var|let|const)\s+)?(?P<name>[A-Za-z_]\w*)\s*=\s*[\w$.()]+\.\w+\(\s*[\"'][^\"']*[\"']\);?$"
)
_KEYWORDS = {"if", "for", "while", "switch", "return"}
_USED = 8  # lines below in which a value is handed on
_LABEL = re.compile(r"^\s*case\s+(?P<value>'[^']*'|\"[^\"]*\"|[\w.-]+)\s*:")
_BELOW = 4  # lines of a case in which the value is handed on


def with_meanings(analysis: Analysis, settings: Sequence[Setting]) -> list[Setting]:
    """Return settings with what comments and code tell of each."""
    names = {setting.name for setting in settings if not setting.meaning}
    quoted = _quoted(analysis, names)
    return [_told(analysis, setting, quoted) for setting in settings]


def _told(
    analysis: Analysis, setting: Setting, quoted: Mapping[str, tuple[str, Lines]]
) -> Setting:
    values, values_at = _values(analysis, setting)
    found = replace(setting, values=values, values_at=values_at)
    if setting.meaning:
        return found
    said = quoted.get(setting.name) or _above(analysis, setting)
    if said is not None:
        return replace(found, meaning=said[0], meaning_at=said[1])
    return replace(found, passed=_passed(analysis, setting))


def _quoted(analysis: Analysis, names: set[str]) -> dict[str, tuple[str, Lines]]:
    """Return name → the first sentence of a comment that quotes it, and its lines."""
    found: dict[str, tuple[str, Lines]] = {}
    for file in analysis.with_role("code") if names else ():
        if is_aside(file.path):
            continue
        lines = analysis.lines.of(file.id)
        for number, line in enumerate(lines, 1):
            match = _COMMENT.match(line) if line.lstrip()[:1] in "/*#" else None
            for each in _QUOTED.finditer(match["text"]) if match else ():
                if each["name"] in names - found.keys():
                    said = _sentence(lines, number, each[0])
                    if said is not None:
                        found[each["name"]] = said[0], Lines(file.id, *said[1])
    return found


def _sentence(
    lines: Sequence[str], number: int, quoted: str
) -> tuple[str, tuple[int, int]] | None:
    """Return the sentence around a quoted name, one that leans on another with it."""
    first, last = number, number
    while first > number - _PARAGRAPH and _text(lines, first - 1):
        first -= 1
    while last < number + _PARAGRAPH and _text(lines, last + 1):
        last += 1
    told = sentences(" ".join(_text(lines, n) for n in range(first, last + 1)))
    at = next((n for n, each in enumerate(told) if quoted in each), None)
    beside = rf"{re.escape(quoted)}\s+{_NOUN}\b|\b{_NOUN}\s+{re.escape(quoted)}"
    is_word = quoted[1:-1].isalnum()
    if at is None or (is_word and not re.search(beside, told[at])):
        return None
    if is_dangling(told[at]) and not at:
        return None
    said = " ".join(told[at - 1 : at + 1]) if is_dangling(told[at]) else told[at]
    is_told = len(said.split()) >= _LEAST_WORDS and "@" not in said
    return (said, (first, last)) if is_told else None


def _text(lines: Sequence[str], number: int) -> str:
    """Return the words of a comment's line, '' of any other."""
    if not 0 < number <= len(lines):
        return ""
    match = _COMMENT.match(lines[number - 1])
    text = match["text"].strip() if match else ""
    return "" if text.startswith("@") or text == "/" else text


def _above(analysis: Analysis, setting: Setting) -> tuple[str, Lines] | None:
    """Return the comment right above a line that asks, if it shares a word."""
    own = set(_WORD.findall(setting.name.lower()))
    for place in setting.read_at:
        lines, number = analysis.lines.of(place.file), place.start - 1
        above = _text(lines, number)
        is_brief = bool(above) and not _text(lines, number - 1)
        if is_brief and own & set(_WORD.findall(above.lower())):
            return above, Lines(place.file, number, place.start)
    return None


def _passed(analysis: Analysis, setting: Setting) -> PassedTo | None:
    """Return what gets the value, where a line hands it on by another name."""
    for place in setting.read_at:
        lines = analysis.lines.of(place.file)
        match = _HANDED.match(lines[place.start - 1])
        if match is None:
            if found := _as_argument(lines, place):
                return found
            continue
        for number in range(place.start - 1, max(0, place.start - _OPEN_LINES), -1):
            if opened := _OPENS.search(lines[number - 1]):
                at = Lines(place.file, number, place.end)
                return PassedTo(opened["name"], match["key"], at)
    return None


def _as_argument(lines: Sequence[str], place: Lines) -> PassedTo | None:
    """Return the call that gets a value by the variable which holds it."""
    match = _HELD.match(lines[place.start - 1])
    if match is None:
        return None
    name = match["name"]
    form = re.compile(
        rf"(?<![\w.$])(?P<called>[A-Za-z_$][\w$.]*)\([^()]*(?<![\w.$]){name}\s*[,)]"
    )
    for number in range(place.start + 1, min(len(lines), place.start + _USED) + 1):
        found = form.search(lines[number - 1])
        if found is not None and found["called"] not in _KEYWORDS:
            at = Lines(place.file, place.start, number)
            return PassedTo(found["called"], name, at)
    return None


def _values(
    analysis: Analysis, setting: Setting
) -> tuple[tuple[str, ...], Lines | None]:
    """Return the values that have a case of their own in what a setting goes through.

    `case 'etag': this.set('etag fn', compileETag(val))` leads to `compileETag`.
    """
    for place in setting.compared_at:
        for callee in _called_below(analysis, place):
            symbol = analysis.symbols[callee]
            found = dict(_labels(analysis, symbol.file, callee))
            if len(found) > 1:
                at = Lines(symbol.file, min(found.values()), max(found.values()))
                return tuple(found), at
    return (), None


def _called_below(analysis: Analysis, place: Lines) -> Iterator[int]:
    """Yield what the first lines of a case call of the product."""
    last = place.start + _BELOW
    for symbol in analysis.symbols_of.get(place.file, ()):
        if symbol.start_line <= place.start <= symbol.end_line:
            for call in calls_of(analysis).get(symbol.id, ()):
                if place.start <= call.line <= last:
                    yield call.callee


def _labels(analysis: Analysis, file: int, symbol: int) -> Iterable[tuple[str, int]]:
    found = analysis.symbols[symbol]
    lines = analysis.lines.of(file)
    for number in range(found.start_line, min(found.end_line, len(lines)) + 1):
        if match := _LABEL.match(lines[number - 1]):
            yield match["value"], number
