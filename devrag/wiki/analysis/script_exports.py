"""What a file of JavaScript or TypeScript exports, and the objects that it fills.

`module.exports`, `exports.name` and `export` say it; `res.send = function …` makes a
public member of `res` where the file exports `res`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.survey import SurveySymbol

SCRIPTS = frozenset({"javascript", "typescript", "tsx"})
_NAME = r"[A-Za-z_$][\w$]*"
_TARGET = rf"{_NAME}(?:\.{_NAME})*"
# `var app = exports = module.exports = {}`, `exports.View = View;`
_ASSIGNED = re.compile(
    rf"^(?:(?:var|let|const)[ \t]+)?(?P<chain>(?:{_TARGET}[ \t]*=[ \t]*)+)"
    rf"(?P<value>{_NAME}\b(?![.(\w])|\{{[^{{}}]*\}})?",
    re.MULTILINE,
)
_EXPORTS = re.compile(rf"^(?:module\.)?exports(?:\.(?P<name>{_NAME}))?$")
_LISTED = re.compile(r"^export[ \t]*(?:type[ \t]*)?\{(?P<names>[^{}]*)\}", re.MULTILINE)
_DEFAULT = re.compile(rf"^export[ \t]+default[ \t]+(?P<name>{_NAME})[ \t]*;?$", re.M)
_ANY = re.compile(r"^export\b|\bmodule\.exports\b|^exports\.", re.MULTILINE)
_FIRST_NAME = re.compile(rf"^\s*({_NAME})(?:\s*:\s*({_NAME}))?")
_CHAIN = re.compile(rf"^(?:(?:var|let|const)\s+)?((?:{_TARGET}\s*=\s*)+)")
_MARKED = re.compile(r"^(?:export\b|exports\.|module\.exports\b)")
_PARAMETER = re.compile(
    rf"@param\s+(?:\{{[^}}]*\}}\s*)?\[?(?:\.\.\.)?({_NAME})(?![\w$.])"
)
_PRIVATE = re.compile(r"^\s*@(?:api\s+)?(?:private|internal|protected)\b", re.MULTILINE)


@cached_by_analysis
def exported_names(analysis: Analysis, file: int) -> frozenset[str] | None:
    """Return the file's own names of what it exports; None if it exports nothing."""
    text = analysis.texts.text(file)
    if not _ANY.search(text):
        return None
    names = set(_assigned(text))
    for listed in _LISTED.finditer(text):
        names.update(_first_names(listed["names"]))
    names.update(match["name"] for match in _DEFAULT.finditer(text))
    return frozenset(names)


def _assigned(text: str) -> Iterator[str]:
    for match in _ASSIGNED.finditer(text):
        targets = [each.strip() for each in match["chain"].split("=")]
        exports = [found for each in targets if (found := _EXPORTS.match(each))]
        if not exports:
            continue
        plain = (each for each in targets if each and "." not in each)
        yield from (each for each in plain if not _EXPORTS.match(each))
        yield from (found["name"] for found in exports if found["name"])
        value = match["value"] or ""
        yield from _first_names(value[1:-1]) if value[:1] == "{" else [value]


def _first_names(listed: str) -> Iterable[str]:
    """Return the names of `a, b: c, d as e`, of an object also those of its values."""
    for piece in listed.split(","):
        if match := _FIRST_NAME.match(piece):
            yield from filter(None, match.groups())


def is_private(symbol: SurveySymbol) -> bool:
    """Return whether the comment above a definition calls it private."""
    return bool(_PRIVATE.search(symbol.docstring))


def is_exported(analysis: Analysis, symbol: SurveySymbol) -> bool:
    """Return whether other files can take a definition from its own.

    That holds for all of a script that exports nothing: what it defines is global.
    """
    names = exported_names(analysis, symbol.file)
    if names is None or symbol.parent is not None:
        return True
    first = symbol.qualified_name.partition(".")[0]
    return first in names or bool(_MARKED.match(symbol.signature))


def is_object_member(analysis: Analysis, symbol: SurveySymbol) -> bool:
    """Return whether a definition is a function of an object that is no type."""
    owner = symbol.qualified_name.rpartition(".")[0]
    if symbol.kind != "method" or symbol.parent is not None or not owner:
        return False
    if analysis.files[symbol.file].language not in SCRIPTS:
        return False
    own = analysis.symbols_of.get(symbol.file, ())
    types = {s.qualified_name for s in own if s.kind in {"class", "function"}}
    return owner not in types and exported_names(analysis, symbol.file) is not None


def documented_parameters(symbol: SurveySymbol) -> list[str]:
    """Return the parameters that the comment above a definition names."""
    return list(dict.fromkeys(_PARAMETER.findall(symbol.docstring)))


def names_assigned(symbol: SurveySymbol) -> list[str]:
    """Return all the names that a definition is assigned to, as callers write them.

    `req.get` and `req.header` of `req.get = req.header = function header(name)`.
    """
    match = _CHAIN.match(symbol.signature)
    targets = [each.strip() for each in match[1].split("=")] if match else []
    kept = [each for each in targets if each and not _EXPORTS.match(each)]
    return [each for each in kept if ".prototype." not in each] or [
        symbol.qualified_name
    ]
