"""Public names of JavaScript that no function declares: generated, passed on, getters.

`methods.forEach(function (method) { app[method] = …` makes functions,
`defineGetter(req, 'query', …)` a property, and `exports.json = bodyParser.json` passes
on what another package has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.purposes import Purpose, block_comment_above
from devrag.wiki.analysis.script_exports import SCRIPTS

GENERATED, PROPERTY, PASSED_ON = "generated", "property", "passed on"
_NAME = r"[A-Za-z_$][\w$]*"
_LOOP = re.compile(
    rf"^(?P<list>{_NAME}(?:\.{_NAME})*|\[[^\]]*\])\.forEach\(\s*(?:function\b[^(]*)?"
    rf"\(?\s*(?P<each>{_NAME})\s*\)?\s*(?:=>)?\s*\{{"
)
_FILLED = r"^\s+(?P<object>{name}(?:\.prototype)?)\[{each}\]\s*=\s*"
_GETTER = re.compile(
    rf"^(?:defineGetter|defineProperty|Object\.defineProperty)\(\s*(?P<object>{_NAME})"
    rf"(?:\.prototype)?\s*,\s*['\"](?P<name>{_NAME})['\"]"
    rf"|^(?P<held>{_NAME})(?:\.prototype)?\.__defineGetter__\(\s*['\"](?P<told>{_NAME})['\"]"
)
_PASSED = re.compile(
    rf"^(?:module\.)?exports\.(?P<name>{_NAME})\s*=\s*(?P<value>"
    rf"require\(\s*['\"](?P<required>[^'\"]+)['\"]\s*\)(?:\.{_NAME})?"
    rf"|(?P<root>{_NAME})(?:\.{_NAME})*)\s*;?\s*$"
)
_REQUIRED = re.compile(
    rf"^(?:var|let|const)\s+(?P<name>{_NAME})\s*=\s*"
    r"require\(\s*['\"](?P<package>[^'\"]+)['\"]\s*\)",
    re.MULTILINE,
)
_BODY_LINES = 3
_HEADINGS = re.compile(r"^expose\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ScriptMember:
    """A public name. kind: GENERATED, PROPERTY or PASSED_ON. line: what makes it.

    value: the names that a loop goes through, or what is passed on. package: where that
    is from, '' if from the file itself. said: the comment above.
    """

    name: str
    kind: str
    file: int
    line: int
    value: str = ""
    package: str = ""
    said: Purpose | None = None


@cached_by_analysis
def script_members(analysis: Analysis, file: int) -> tuple[ScriptMember, ...]:
    """Return the public names of a file that stand nowhere as a definition."""
    if analysis.files[file].language not in SCRIPTS:
        return ()
    lines = analysis.lines.of(file)
    packages = {
        match["name"]: match["package"]
        for match in _REQUIRED.finditer(analysis.texts.text(file))
    }
    own = {s.name for s in analysis.symbols_of.get(file, ())}
    found = (
        *_generated(file, lines),
        *_properties(file, lines),
        *_passed_on(file, lines, packages, own),
    )
    return tuple(sorted(found, key=lambda m: m.line))


def _generated(file: int, lines: list[str]) -> Iterator[ScriptMember]:
    for number, text in enumerate(lines, 1):
        loop = _LOOP.match(text)
        if loop is None:
            continue
        fills = re.compile(_FILLED.format(name=_NAME, each=re.escape(loop["each"])))
        for line in lines[number : number + _BODY_LINES]:
            if made := fills.match(line):
                name = f"{made['object']}[{loop['each']}]"
                said = block_comment_above(lines, number)
                yield ScriptMember(
                    name, GENERATED, file, number, loop["list"], said=said
                )
                break


def _properties(file: int, lines: list[str]) -> Iterator[ScriptMember]:
    for number, text in enumerate(lines, 1):
        if match := _GETTER.match(text):
            name = (
                f"{match['object'] or match['held']}.{match['name'] or match['told']}"
            )
            said = block_comment_above(lines, number)
            yield ScriptMember(name, PROPERTY, file, number, said=said)


def _passed_on(
    file: int, lines: list[str], packages: dict[str, str], own: set[str]
) -> Iterator[ScriptMember]:
    for number, text in enumerate(lines, 1):
        match = _PASSED.match(text)
        package = ""
        if match is not None:
            package = match["required"] or packages.get(match["root"], "")
        if match is not None and package and match["name"] not in own:
            said = block_comment_above(lines, number)
            said = None if said and _HEADINGS.match(said.text) else said
            value = "" if match["value"].startswith("require") else match["value"]
            yield ScriptMember(
                match["name"], PASSED_ON, file, number, value, package, said
            )
