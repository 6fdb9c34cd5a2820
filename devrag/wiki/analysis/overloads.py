"""Which overload a call means, by the number of its arguments.

Calls resolve by name; in languages with overloads that leaves a choice. Only counts are
compared: types of arguments are not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from devrag.wiki.analysis.survey import SurveySymbol

OVERLOADING = frozenset({"csharp", "java"})
_CALL_LINES, _CALL_CHARACTERS = 30, 4_000
_GENERIC = re.compile(r"<[\w\s,.?\[\]<>]*>(?=\s*[(\[{)])")
# Comments, and strings: raw and text blocks, verbatim, plain; characters.
_NO_CODE = re.compile(
    r"//[^\n]*|/\*[\s\S]*?\*/"
    r"|(\"{3,}+)[\s\S]*?\1|\$?@\$?\"(?:[^\"]|\"\")*\""
    r"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
)
_MANY = re.compile(r"^\s*(?:\[[^\]]*\]\s*)?params\b|\.\.\.")


def count_arguments(lines: Sequence[str], line: int, name: str) -> int | None:
    """Return how many arguments a call of this name on this line passes."""
    text = "\n".join(lines[line - 1 : line - 1 + _CALL_LINES])
    text = _GENERIC.sub("", _emptied(text))
    first = text.partition("\n")[0]
    match = re.search(rf"\b{re.escape(name)}\s*\(", first)
    return len(split_parameters(text[match.end() :], "([{", ")]}")) if match else None


def overload_of(
    symbol: SurveySymbol, others: Iterable[SurveySymbol], arguments: int
) -> SurveySymbol | None:
    """Return the symbol, or the overload beside it, that takes so many arguments."""
    if accepts(symbol, arguments):
        return symbol
    same = (s for s in others if s.qualified_name == symbol.qualified_name)
    return next((s for s in same if accepts(s, arguments)), None)


def accepts(symbol: SurveySymbol, arguments: int) -> bool:
    """Return whether a function can be called with so many arguments."""
    signature = _emptied(symbol.signature)
    match = re.search(rf"{re.escape(symbol.name)}\s*(?:<[^()]*>)?\s*\(", signature)
    if match is None:
        return True
    parameters = split_parameters(signature[match.end() :], "([{<", ")]}>")
    if any(map(_MANY.search, parameters)):
        return True
    # What extends a type is called on it, or with it.
    is_extension = bool(parameters) and parameters[0].lstrip().startswith("this ")
    least = sum("=" not in parameter for parameter in parameters) - is_extension
    return least <= arguments <= len(parameters)


def _emptied(code: str) -> str:
    """Return code with empty strings, and with line ends for comments."""
    return _NO_CODE.sub(
        lambda m: "\n" * m[0].count("\n") if m[0].startswith("/") else '""',
        code[:_CALL_CHARACTERS],
    )


def split_parameters(text: str, opening: str, closing: str) -> list[str]:
    """Return what commas separate up to the bracket that closes the text."""
    found = [""]
    depth = 0
    for character in text:
        depth += (character in opening) - (character in closing)
        if depth < 0:
            break
        if character == "," and not depth:
            found.append("")
        else:
            found[-1] += character
    return [part for part in found if part.strip()]
