"""Where code outside of the product takes over: it gets the object, or holds the rest.

`http.createServer(this)` passes the object on, which is called from there later;
`this.router.handle(…)` leads to a package where the object holds something of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.outside_calls import packages_of
from devrag.wiki.analysis.script_exports import SCRIPTS
from devrag.wiki.analysis.survey import SurveySymbol

_RECEIVER = re.compile(r"^func\s*\(\s*(?P<name>\w+)\s+")
_COMMENT = re.compile(r"^\s*(?://|/?\*|#)")
_LONGEST_LINE = 500
_STARTS = re.compile(r"^(?:listen|launch|main|open|run|serve|start)", re.IGNORECASE)
_ARGUMENT = re.compile(r"^[A-Za-z_$][\w$.]*$")


@dataclass(frozen=True, slots=True)
class PassedOn:
    """A call that gets the object itself. called: as it is written, of the package.

    passed: how the object is called there: `this`, `self`, the name of a receiver.
    """

    symbol: SurveySymbol
    line: int
    called: str
    package: str
    passed: str


@dataclass(frozen=True, slots=True)
class HeldOf:
    """What a value of an object is: made by `made` of a package, in a line."""

    name: str
    made: str
    package: str
    line: int


@cached_by_analysis
def outside_names(analysis: Analysis, file: int) -> dict[str, str]:
    """Return name → package of what a file takes from outside of the product."""
    language = analysis.files[file].language
    if language in SCRIPTS:
        return packages_of(analysis, file)
    if language not in {"go", "python"}:
        return {}
    own = _own_imports(analysis).get(file, set())
    mine = {f.module.partition(".")[0] for f in analysis.survey.files} - {""}
    found = {}
    for name, _ in analysis.import_lines.get(file, ()):
        first = name.partition(".")[0]
        if name in own or (language == "python" and first in mine):
            continue
        last = re.split(r"[./]", name)[-1]
        found[last] = name if language == "go" else first
    return found


@cached_by_analysis
def _own_imports(analysis: Analysis) -> dict[int, set[str]]:
    """Return file → what it imports of the product."""
    found: dict[int, set[str]] = {}
    for each in analysis.imports:
        found.setdefault(each.file, set()).add(each.name)
    return found


def passes_itself_on(analysis: Analysis, symbol: SurveySymbol) -> PassedOn | None:
    """Return the first call of a method that gives its own object to a package.

    Only of one that by its name starts something.
    """
    passed = _itself(analysis, symbol) if _STARTS.match(symbol.name) else ""
    names = outside_names(analysis, symbol.file) if passed else {}
    if not names:
        return None
    form = re.compile(
        r"(?<![\w.$])(?P<name>[A-Za-z_]\w*(?:\.\w+)*)\((?:[^()]*,\s*)?"
        rf"{re.escape(passed)}\s*[,)]"
    )
    lines = analysis.lines.of(symbol.file)
    for number in range(symbol.start_line + 1, min(symbol.end_line, len(lines)) + 1):
        text = lines[number - 1][:_LONGEST_LINE]
        match = None if _COMMENT.match(text) else form.search(text)
        package = names.get(match["name"].partition(".")[0]) if match else None
        if match is not None and package is not None:
            return PassedOn(symbol, number, match["name"], package, passed)
    return None


def _itself(analysis: Analysis, symbol: SurveySymbol) -> str:
    """Return the name by which a method knows its object, '' of none."""
    language = analysis.files[symbol.file].language
    if symbol.kind != "method":
        return ""
    if language in SCRIPTS:
        return "this"
    if language == "go":
        match = _RECEIVER.match(symbol.signature)
        return match["name"] if match else ""
    return "self" if language == "python" else ""


@cached_by_analysis
def held_of(analysis: Analysis, file: int, name: str) -> HeldOf | None:
    """Return the package that makes a value of an object, where one does.

    It is read from what is assigned to the name in the file of the object.
    """
    names = outside_names(analysis, file)
    form = re.compile(
        rf"(?<![\w$])(?:this\.|self\.)?{re.escape(name)}\s*=\s*(?:await\s+)?(?:new\s+)?"
        r"(?P<made>[A-Za-z_$][\w$]*(?:\.\w+)*)\("
    )
    found: list[HeldOf] = []
    for number, text in enumerate(analysis.lines.of(file), 1):
        match = form.search(text[:_LONGEST_LINE]) if name in text else None
        if match is None or _COMMENT.match(text):
            continue
        package = names.get(match["made"].partition(".")[0], "")
        found.append(HeldOf(name, match["made"], package, number))
    packages = {each.package for each in found}
    return found[0] if len(packages) == 1 and "" not in packages else None


def arguments_at(lines: Sequence[str], line: int, called: str) -> Iterator[str]:
    """Yield the arguments of a call that stands in one line, if all are plain names."""
    match = re.search(rf"{re.escape(called)}\((?P<said>[^()]*)\)", lines[line - 1])
    said = [each.strip() for each in match["said"].split(",")] if match else []
    if all(_ARGUMENT.match(each) for each in said):
        yield from said
