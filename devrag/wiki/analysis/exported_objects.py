"""The object of functions that a file of JavaScript exports, and what is done with it.

`var app = module.exports = {}` with `app.use = function …` is one. Other files copy its
functions to what they make, make objects that inherit from it, or use it as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.enclosing import function_at
from devrag.wiki.analysis.script_exports import (
    SCRIPTS,
    is_object_member,
    names_assigned,
)
from devrag.wiki.analysis.survey import SurveyFile, SurveySymbol

COPIED, INHERITED, USED = "copied", "inherited", "used"
_FEWEST = 3  # functions
_COPIES = r"\b(?:mixin|merge\w*|assign|extend|defaults|copy\w*)\s*\(.*,\s*{name}\b"
_INHERITS = r"\b(?:Object\.create\s*\(\s*{name}\b|setPrototypeOf\s*\(.*,\s*{name}\b)"
_BASE = r"\b{name}\s*=\s*(?:[\w.]+\s*=\s*)*Object\.create\(\s*([\w.]+)\.prototype\b"
_LONGEST_LINE = 2_000  # a longer one was written by a tool
_LOCAL = re.compile(
    r"^(?:var|let|const|import)\s+(?:\*\s+as\s+)?([A-Za-z_$][\w$]*)\s*(?:=|from\b)"
)


@dataclass(frozen=True, slots=True)
class ObjectUser:
    """A function that does something with an object. how: COPIED, INHERITED, USED."""

    symbol: SurveySymbol
    how: str
    line: int


@dataclass(frozen=True, slots=True)
class ExportedObject:
    """An object of functions. line: of its declaration. base: what it inherits from."""

    name: str
    functions: int
    file: int
    line: int
    base: str = ""
    user: ObjectUser | None = None


@cached_by_analysis
def exported_object(analysis: Analysis, file: int) -> ExportedObject | None:
    """Return the object that most functions of a file belong to, None without one."""
    at = analysis.files[file]
    if at.language not in SCRIPTS:
        return None
    members = [s for s in analysis.symbols_of.get(file, ()) if _is_member(analysis, s)]
    owners = Counter(s.qualified_name.rpartition(".")[0] for s in members)
    name, count = next(iter(owners.most_common(1)), ("", 0))
    if count < _FEWEST or name in {"exports", "module.exports"}:
        return None
    declared = re.compile(rf"^(?:(?:var|let|const)\s+)?{re.escape(name)}\s*=")
    lines = analysis.lines.of(file)
    line = next((n for n, text in enumerate(lines, 1) if declared.match(text)), 0)
    if not line:
        return None
    base = re.search(
        _BASE.format(name=re.escape(name)), lines[line - 1][:_LONGEST_LINE]
    )
    user = _user(analysis, at)
    return ExportedObject(name, count, file, line, base[1] if base else "", user)


@cached_by_analysis
def _names(analysis: Analysis, file: int, owner: str) -> dict[str, int]:
    """Return each name of a function of an object → the function."""
    return {
        name.rpartition(".")[2]: symbol.id
        for symbol in analysis.symbols_of.get(file, ())
        if symbol.qualified_name.rpartition(".")[0] == owner
        for name in (symbol.qualified_name, *names_assigned(symbol))
        if name.rpartition(".")[0] == owner
    }


def names_of_object(analysis: Analysis, symbol: SurveySymbol) -> dict[str, int]:
    """Return each name → function of the object that a function belongs to.

    {} of what is no function of an object that extends another.
    """
    found = exported_object(analysis, symbol.file)
    owner = symbol.qualified_name.rpartition(".")[0]
    is_of_it = found is not None and found.base and found.name == owner
    return _names(analysis, symbol.file, owner) if is_of_it else {}


def _is_member(analysis: Analysis, symbol: SurveySymbol) -> bool:
    return is_object_member(analysis, symbol)


def _user(analysis: Analysis, file: SurveyFile) -> ObjectUser | None:
    """Return the function of another file that does most with the object."""
    found: list[ObjectUser] = []
    for tie in analysis.ties:
        is_code = analysis.roles[tie.file] == "code"
        if tie.target != file.id or tie.symbol is not None or not is_code:
            continue
        lines = analysis.lines.of(tie.file)
        local = _LOCAL.match(lines[tie.line - 1])
        if local is not None:
            found += _users(analysis, tie.file, lines, local[1])
    order = [COPIED, INHERITED, USED]
    return min(found, key=lambda u: (order.index(u.how), u.line), default=None)


def _users(
    analysis: Analysis, file: int, lines: list[str], name: str
) -> list[ObjectUser]:
    """Return the functions of a file in which a name stands, with what they do."""
    bare = re.escape(name)
    copies, inherits = _COPIES.format(name=bare), _INHERITS.format(name=bare)
    found = []
    for number, text in enumerate(lines, 1):
        is_written = len(text) <= _LONGEST_LINE and name in text
        around = function_at(analysis, file, number) if is_written else None
        if around is None or not re.search(rf"(?<![\w.$]){bare}\b", text):
            continue
        how = COPIED if re.search(copies, text) else USED
        how = INHERITED if re.search(inherits, text) else how
        found.append(ObjectUser(around, how, number))
    return found
