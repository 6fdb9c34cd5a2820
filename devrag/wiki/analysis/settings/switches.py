"""Variables of a Go package that change what it does: `var EnableSorting = true`."""

from __future__ import annotations

import re

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.product_form import is_aside
from devrag.wiki.analysis.purposes import comment_above
from devrag.wiki.analysis.settings.types import Lines, Setting
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.without_name import without_name

_VARIABLE = re.compile(r"^var (?P<name>[A-Z]\w*)(?: [\w.]+)? = (?P<value>\S.*)$")
_CONSTANT = re.compile(
    r"^(?:const |\t)(?P<name>[a-zA-Z]\w*)(?: \w+)?\s+= (?P<value>\S.*)$"
)
_PLAIN = re.compile(r"^(?:true|false|-?\d[\w.]*(?: ?\* ?[\w.]+)?|\"[^\"`]*\")$")
_LONGEST = 60


def switches_of(analysis: Analysis) -> list[Setting]:
    """Return the exported variables that are documented and have a plain value."""
    files = [f for f in analysis.with_role("code") if f.language == "go"]
    found = [s for f in files if not is_aside(f.path) for s in _in(analysis, f)]
    return sorted(found, key=lambda s: s.name)


def _in(analysis: Analysis, file: SurveyFile) -> list[Setting]:
    lines = analysis.lines.of(file.id)
    found = []
    for number, text in enumerate(lines, 1):
        match = _VARIABLE.match(text)
        above = comment_above(lines, number) if match else None
        value = _value(lines, match["value"]) if match else None
        if match is None or above is None or value is None:
            continue
        # Go begins what it says of a name with that name; another is on more.
        if not above.text.startswith(f"{match['name']} "):
            continue
        at = Lines(file.id, above.start_line, above.end_line)
        place = Lines(file.id, number, number)
        default, line = value
        where = Lines(file.id, line, line) if line else None
        meaning = without_name(above.text, match["name"])
        found.append(Setting(match["name"], place, default, meaning, at, where))
    return found


def _value(lines: list[str], value: str) -> tuple[str, int] | None:
    """Return a plain value, of a constant of the file with its line; None of others."""
    if _PLAIN.match(value):
        return (value, 0) if len(value) <= _LONGEST else None
    if value.startswith("`"):  # a text of several lines is told by its meaning
        return "", 0
    for number, text in enumerate(lines, 1):
        match = _CONSTANT.match(text)
        if match and match["name"] == value and _PLAIN.match(match["value"]):
            return match["value"], number
    return None
