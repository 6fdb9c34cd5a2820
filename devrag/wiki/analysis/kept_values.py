"""The values that an object keeps: which of its functions set them, and which use them.

They tie functions that do not call each other: `app.init()` makes the router that
`app.use()` and `app.handle()` work with.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.script_exports import is_object_member
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.analysis.topics.types import Topic

_USED = re.compile(r"(?<![\w.$])(?:this|self)\.(?P<name>[A-Za-z]\w*)\b(?!\s*\()")
_SET = re.compile(r"\s*(?::[^=\n]+)?=(?![=>])")
_DEFINED = re.compile(r"\bdefineProperty\(this,\s*['\"](?P<name>[A-Za-z]\w*)['\"]")
_COMMENT = re.compile(r"^\s*(?://|/?\*|#)")
_FEWEST_USERS, _FEWEST_VALUES, _MOST_VALUES = 1, 2, 8
_MOST_OWNERS = 2


@dataclass(frozen=True, slots=True)
class Place:
    """A function and the line of it that sets or uses a value."""

    symbol: SurveySymbol
    line: int


@dataclass(frozen=True, slots=True)
class KeptValue:
    """A value of an object: where it is set, and who else uses it."""

    name: str
    set_in: tuple[Place, ...]
    used_in: tuple[Place, ...]


def kept_values(
    analysis: Analysis, topic: Topic
) -> list[tuple[str, tuple[KeptValue, ...]]]:
    """Return the objects of a topic that keep most, each with its values."""
    found = []
    for owner, functions in _owners(analysis, topic).items():
        if owner[1].startswith("_"):
            continue
        values = _values(analysis, functions)
        if len(values) >= _FEWEST_VALUES:
            found.append((owner[1], values[:_MOST_VALUES]))
    found.sort(key=lambda each: (-sum(len(v.used_in) for v in each[1]), each[0]))
    return found[:_MOST_OWNERS]


def _owners(
    analysis: Analysis, topic: Topic
) -> dict[tuple[int, str], list[SurveySymbol]]:
    """Return the functions of each object and class, by file and name."""
    owners: dict[tuple[int, str], list[SurveySymbol]] = defaultdict(list)
    for file in topic.files:
        for symbol in analysis.symbols_of.get(file.id, ()):
            parent = analysis.symbols.get(symbol.parent or 0)
            is_method = symbol.kind == "method" and (
                (parent is not None and parent.kind == "class")
                or is_object_member(analysis, symbol)
            )
            if is_method and analysis.roles[file.id] == "code":
                name = symbol.qualified_name.rpartition(".")[0]
                owners[file.id, name].append(symbol)
    return dict(owners)


def _values(
    analysis: Analysis, functions: Sequence[SurveySymbol]
) -> tuple[KeptValue, ...]:
    """Return the values that some functions set and others use, the most used first."""
    methods = {symbol.name for symbol in functions}
    sets: dict[str, dict[int, Place]] = defaultdict(dict)
    uses: dict[str, dict[int, Place]] = defaultdict(dict)
    for symbol in functions:
        lines = analysis.lines.of(symbol.file)
        for number in range(symbol.start_line, min(symbol.end_line, len(lines)) + 1):
            text = lines[number - 1]
            if _COMMENT.match(text):
                continue
            place = Place(symbol, number)
            for match in _DEFINED.finditer(text):
                sets[match["name"]].setdefault(symbol.id, place)
            for match in _USED.finditer(text):
                is_set = _SET.match(text, match.end())
                (sets if is_set else uses)[match["name"]].setdefault(symbol.id, place)
    values = []
    for name, setters in sets.items():
        users = [place for s, place in uses[name].items() if s not in setters]
        if name not in methods and len(users) >= _FEWEST_USERS:
            values.append(KeptValue(name, tuple(setters.values()), tuple(users)))
    return tuple(sorted(values, key=lambda v: (-len(v.used_in), v.name)))
