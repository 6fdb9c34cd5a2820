"""Calls that lead out of a function's code: to packages, and to what objects hold.

`this.router.handle(…)`: what the object holds does it; `accepts(…)`: a package. The
functions of the product are among them that are known only by how they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.exported_objects import names_of_object
from devrag.wiki.analysis.flow_calls import SIDE
from devrag.wiki.analysis.hooks import hooks_of
from devrag.wiki.analysis.script_exports import SCRIPTS, is_object_member
from devrag.wiki.analysis.survey import SurveySymbol

_OUTSIDE = re.compile(
    r"(?<![\w.$])(?P<name>[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*){0,3})\("
)
_OBJECTS = {"this", "self"}
# Inherited by an object of functions from what it extends, with an effect outside.
_WRITES = {"end", "pipe", "removeHeader", "setHeader", "write", "writeHead"}
_ALIAS = re.compile(
    r"^\s*(?:(?:var|let|const)\s+)?(?P<name>[\w$]+)\s*=\s*(?:this|self)\.\w+;?\s*$"
)
_FROM = r"['\"](?P<package>(?:node:)?@?[a-z][\w./-]*)['\"]"
_REQUIRED = re.compile(
    rf"^(?:var|let|const)\s+(?P<name>[\w$]+)\s*=\s*require\({_FROM}\)", re.MULTILINE
)
_IMPORTED = re.compile(
    rf"^import\s+(?:\*\s+as\s+)?(?P<name>[\w$]+)\s+from\s+{_FROM}", re.MULTILINE
)
_WITH_FUNCTIONS = SCRIPTS | {"go", "python"}
_PARAMETER = re.compile(r"\s*(?:\*{1,2}|\.\.\.)?(?P<name>[A-Za-z_$][\w$]*)")
_NEW = re.compile(r"\bnew\s+([A-Z][\w$]*)\(")
_BUILT_IN = {
    *("AbortController", "Array", "Buffer", "Date", "Error", "Function", "Map"),
    *("Object", "Promise", "Proxy", "RangeError", "RegExp", "Set", "TypeError"),
    *("URL", "URLSearchParams", "WeakMap", "WeakSet"),
}
_NEVER_GIVEN = {"cls", "self", "this", "super"}
_KEPT = re.compile(r"\b(?:this|self)\.(\w+)\s*(?::[^=\n]{1,80})?=(?!=)")
_COMMENT = re.compile(r"^\s*(?://|/?\*|#)")
_OF_ANY = re.compile(
    r"\.(?:add|append|apply|bind|call|clear|concat|copy|each|emit|endswith|extend|filter"
    r"|find|for_?each|format|get|has|includes|index|indexOf|insert|items|join|keys|length"
    r"|lower|map|on|once|pop|push|read|remove|replace|reverse|set|setdefault|shift|slice"
    r"|some|sort|split|splice|startswith|startsWith|strip|then|toString|trim|unshift"
    r"|update|upper|values|write)$"
)


@dataclass(frozen=True, slots=True)
class OutsideCall:
    """A call in a line. name: as it is written. package: that gives its first part.

    callee: the function of the product that it surely means. is_given: it is a
    parameter of the function with the call.
    """

    line: int
    name: str
    package: str
    callee: int | None
    is_given: bool = False


def outside_calls(
    analysis: Analysis, symbol: SurveySymbol, top: int
) -> Iterator[OutsideCall]:
    """Yield the calls below the top line of packages, held things, known functions.

    A function is known by the whole name that it is assigned to.
    """
    lines = analysis.lines.of(symbol.file)
    packages = packages_of(analysis, symbol.file)
    assigned = _assigned(analysis, symbol.file)
    aliases = {m["name"] for text in lines[top : symbol.end_line] for m in _alias(text)}
    hooks, own = hooks_of(analysis, symbol.id), names_of_object(analysis, symbol)
    given, kept = _given(analysis, symbol), _kept(analysis, symbol.file)
    made = _made(analysis, symbol, lines, top)
    for number, name in _called_names(lines, top, symbol.end_line):
        root, _, held = name.partition(".")
        if root in given and held in {"", "apply", "call"}:
            yield OutsideCall(number, root, "", None, is_given=True)
            continue
        is_bare = root in _OBJECTS and bool(held) and "." not in held
        callee = own.get(held) if own and is_bare else assigned.get(name)
        is_any = _OF_ANY.search(name) or SIDE.match(name.rpartition(".")[2])
        is_known = root in packages or (root in _OBJECTS and "." in held)
        is_known = is_known or (bool(held) and (root in aliases or held in hooks))
        is_own = is_bare and (held in kept or (bool(own) and held in _WRITES))
        is_told = is_own or (is_known and not is_any) or name in made
        if callee != symbol.id and (callee is not None or is_told):
            yield OutsideCall(number, name, packages.get(root, ""), callee)


def _given(analysis: Analysis, symbol: SurveySymbol) -> frozenset[str]:
    """Return the names of the parameters of a function, where they may be functions."""
    if analysis.files[symbol.file].language not in _WITH_FUNCTIONS:
        return frozenset()
    text = symbol.signature
    begin = re.search(rf"\b{re.escape(symbol.name)}\s*\(", text)
    at = begin.end() if begin else text.find("(") + 1
    names: list[str] = []
    piece, depth = "", 1
    for character in text[at:] if at else "":
        depth += (character in "([{") - (character in ")]}")
        if depth == 0 or (depth == 1 and character == ","):
            names.append(piece)
            piece = ""
        else:
            piece += character
        if depth == 0:
            break
    found = (_PARAMETER.match(each) for each in names)
    return frozenset(m["name"] for m in found if m) - _NEVER_GIVEN


def _made(
    analysis: Analysis, symbol: SurveySymbol, lines: Sequence[str], top: int
) -> set[str]:
    """Return the classes of a script that a function makes objects of, known or not."""
    if analysis.files[symbol.file].language not in SCRIPTS:
        return set()
    found = {m for text in lines[top : symbol.end_line] for m in _NEW.findall(text)}
    return found - _BUILT_IN


@cached_by_analysis
def _kept(analysis: Analysis, file: int) -> frozenset[str]:
    """Return what objects of a file keep, and is no function of theirs."""
    if analysis.files[file].language not in {*SCRIPTS, "python"}:
        return frozenset()
    found = set(_KEPT.findall(analysis.texts.text(file)))
    return frozenset(found - {s.name for s in analysis.symbols_of.get(file, ())})


def _alias(text: str) -> Iterator[re.Match[str]]:
    """Yield what a line takes from the object: `var router = this.router;`."""
    if match := _ALIAS.match(text):
        yield match


def _called_names(
    lines: Sequence[str], top: int, last: int
) -> Iterator[tuple[int, str]]:
    """Yield the lines with the names that are called there."""
    for number in range(top + 1, min(last, len(lines)) + 1):
        text = lines[number - 1]
        if not _COMMENT.match(text):
            for match in _OUTSIDE.finditer(text):
                yield number, match["name"]


@cached_by_analysis
def _assigned(analysis: Analysis, file: int) -> dict[str, int]:
    """Return whole name → the only function of a source that is assigned to it."""
    at = analysis.files[file]
    if at.language not in SCRIPTS:
        return {}
    found: dict[str, int | None] = {}
    for symbol in analysis.survey.symbols:
        if symbol.kind == "method" and is_object_member(analysis, symbol):
            name = symbol.qualified_name
            is_here = analysis.files[symbol.file].source == at.source
            is_code = analysis.roles[symbol.file] == "code"
            if is_here and is_code:
                found[name] = None if name in found else symbol.id
    return {name: symbol for name, symbol in found.items() if symbol is not None}


@cached_by_analysis
def packages_of(analysis: Analysis, file: int) -> dict[str, str]:
    """Return name → package of what a file of JavaScript takes from elsewhere."""
    if analysis.files[file].language not in SCRIPTS:
        return {}
    text = analysis.texts.text(file)
    found = {m["name"]: m["package"] for m in _REQUIRED.finditer(text)}
    return found | {m["name"]: m["package"] for m in _IMPORTED.finditer(text)}
