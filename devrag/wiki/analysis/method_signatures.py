"""Whether a method can be the one that an interface asks for, by their signatures.

Interfaces that are satisfied by methods alone do not name their implementations: that
the names are the same says little where `Open` may return one thing or another.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from devrag.wiki.analysis.overloads import accepts, split_parameters
from devrag.wiki.analysis.survey import SurveyFile, SurveySymbol

_TYPE = re.compile(r"^(?P<around>[*\[\]\d]*)((?P<package>\w+)\.)?(?P<name>\w+)$")


@dataclass(frozen=True, slots=True)
class _Signature:
    """What a method of Go takes and returns: the number of parameters, the types."""

    parameters: int
    results: tuple[str, ...]


def can_implement(
    method: SurveySymbol, file: SurveyFile, required: SurveySymbol, home: SurveyFile
) -> bool:
    """Return whether a method of one file can be what an interface of another asks for.

    In Go the results must be of the same types; elsewhere the number of arguments has
    to fit.
    """
    wanted = _signature(required)
    if file.language != "go":
        return accepts(method, wanted.parameters)
    own = _signature(method)
    if own.parameters != wanted.parameters or len(own.results) != len(wanted.results):
        return False
    is_same_package = file.module == home.module
    pairs = zip(own.results, wanted.results, strict=True)
    return all(_is_same_type(*pair, is_same_package=is_same_package) for pair in pairs)


def _signature(method: SurveySymbol) -> _Signature:
    _, _, rest = method.signature.partition(f"{method.name}(")
    parameters = split_parameters(rest, "([{", ")]}")
    results = _after_bracket(rest).strip().removesuffix("{").strip()
    inside = results[1:] if results.startswith("(") else results
    types = (part.split()[-1] for part in split_parameters(inside, "([{", ")]}"))
    return _Signature(len(parameters), tuple(types))


def _after_bracket(text: str) -> str:
    """Return what follows the bracket that closes the text."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return text[place + 1 :]
    return ""


def _is_same_type(one: str, other: str, *, is_same_package: bool) -> bool:
    """Return whether two types of Go can be the same; a package may have two names."""
    a, b = _TYPE.match(one), _TYPE.match(other)
    if a is None or b is None:
        return one == other
    if (a["around"], a["name"]) != (b["around"], b["name"]):
        return False
    if bool(a["package"]) != bool(b["package"]):
        return not is_same_package
    is_builtin = a["name"].islower()
    return bool(a["package"]) or is_same_package or is_builtin
