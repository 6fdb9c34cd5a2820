"""The lines in which a definition says what it is: its signature and its description.

A description stands inside (docstrings of Python) or above, there with attributes in
between. Whether a name is called with parentheses is read from the same lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.survey import SurveySymbol

_TELLING = 40  # characters by which a description is found again
_TAIL = 2  # lines of a body that show what has no description
_MOST_ABOVE = 120
_SIGNATURE_LINES = 120
_VALUE_LINES = 14
_CLAUSE_LINES = 3  # base classes and constraints below the parameters
_CLAUSE = 10  # characters
_STRINGS = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")
_QUOTES = re.compile(r"^\s*[rRuUbB]{0,2}(\"\"\"|'''|\"|')")
_COMMENT = re.compile(
    r"^\s*(?://|/\*|\*|--|;;|%|<!--|#(?!\s*(?:include|define|if|el"
    r"|end|pragma|undef|region)))"
)
_BRACKETED = re.compile(r"^\s*(?:#?\[[^\]]*\]\s*)+")
_ATTRIBUTE = re.compile(r"^\s*(?:@\w|\[|#\[)")
_WITH_PARENTHESES = {
    *("c", "cpp", "csharp", "go", "java", "kotlin", "php", "rust", "swift"),
}
_SCRIPTS = {"javascript", "typescript", "tsx"}
_PYTHON_PROPERTY = re.compile(
    r"^\s*@(?:[\w.]*property|computed_field|[\w.]+\.(?:setter|getter|deleter))\b"
)
_ABSTRACT = re.compile(r"^\s*@(?:\w+\.)*abstract\w*|\braise NotImplementedError\b")

Lines = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Declaration:
    """First and last lines of a signature and of its description, where it has one.

    named: the line with the defined name, below decorators.
    """

    named: int
    signature: Lines
    description: Lines | None

    @property
    def whole(self) -> Lines:
        """The lines from the beginning of one to the end of the other."""
        if self.description is None:
            return self.signature
        return (
            min(self.signature[0], self.description[0]),
            max(self.signature[1], self.description[1]),
        )

    def pieces(self, most: int) -> Iterator[Lines]:
        """Yield the lines in pieces of at most so many; one where they fit."""
        start, end = self.whole
        if end - start < most or self.description is None:
            yield from _cut(start, end, most)
            return
        above, below = sorted((self.signature, self.description))
        for start, end in (above, below):
            is_described = (start, end) == self.description
            yield from _cut(
                start, min(end, start + most - 1) if is_described else end, most
            )


def _cut(start: int, end: int, most: int) -> Iterator[Lines]:
    for at in range(start, end + 1, most):
        yield at, min(end, at + most - 1)


def declaration_of(symbol: SurveySymbol, lines: Sequence[str]) -> Declaration:
    """Return where a symbol's signature and description stand in its file."""
    last = min(symbol.end_line, len(lines))
    named = _line_of_name(symbol, lines, last)
    end = _end_of_signature(symbol, lines, named, last)
    start = symbol.start_line
    if not symbol.docstring.strip():
        return Declaration(named, (start, min(last, end + _TAIL)), None)
    inside = _below(symbol, lines, end, last)
    if inside is None:
        top = _above(symbol, lines)
        return Declaration(
            named, (start, end), (top, start - 1) if top < start else None
        )
    if any(map(_ABSTRACT.search, lines[inside[1] : inside[1] + _TAIL])):
        inside = inside[0], min(last, inside[1] + _TAIL)
    return Declaration(named, (start, end), inside)


def _line_of_name(symbol: SurveySymbol, lines: Sequence[str], last: int) -> int:
    """Return the line with the defined name, below its decorators and attributes."""
    word = re.compile(rf"(?<!\w){re.escape(symbol.name)}(?!\w)")
    depth = 0
    for number in range(symbol.start_line, last + 1):
        text = lines[number - 1]
        is_decorator = depth > 0 or text.lstrip().startswith("@")
        bare = _BRACKETED.sub("", _STRINGS.sub("", text))
        if not is_decorator and word.search(bare):
            return number
        depth = max(0, depth + _opened(text)) if is_decorator else 0
    return symbol.start_line


def _end_of_signature(
    symbol: SurveySymbol, lines: Sequence[str], named: int, last: int
) -> int:
    """Return the line that closes the parameters, or ends the clauses below them."""
    if symbol.kind in {"variable", "constant"}:
        return min(last, named + _VALUE_LINES)
    depth = 0
    end = named
    for number in range(named, min(last, named + _SIGNATURE_LINES) + 1):
        depth += _opened(lines[number - 1])
        end = number
        if depth <= 0:
            break
    tail = _compact(symbol.signature)[-_CLAUSE:]
    below = range(end, min(last, end + _CLAUSE_LINES) + 1)
    seen = _compact("".join(lines[named - 1 : end]))
    if not tail or tail in seen:
        return end
    return next((n for n in below if tail in _compact(lines[n - 1])), end)


def _opened(text: str) -> int:
    bare = _STRINGS.sub("", text)
    return sum(map(bare.count, "([")) - sum(map(bare.count, ")]"))


def _compact(text: str) -> str:
    return re.sub(r"[\s,]+", "", text)


def _below(
    symbol: SurveySymbol, lines: Sequence[str], end: int, last: int
) -> Lines | None:
    """Return the lines of a docstring right below a signature."""
    start = next((n for n in range(end + 1, last + 1) if lines[n - 1].strip()), 0)
    opening = _QUOTES.match(lines[start - 1]) if start else None
    said = _compact(symbol.docstring.strip().split("\n")[0])[:_CLAUSE]
    if opening is None or said not in _compact("".join(lines[start - 1 : start + 1])):
        return None
    quote = opening.group(1)
    if lines[start - 1].count(quote) > 1 or len(quote) == 1:
        return start, start
    below = range(start + 1, last + 1)
    return start, next((n for n in below if quote in lines[n - 1]), last)


def _above(symbol: SurveySymbol, lines: Sequence[str]) -> int:
    """Return the first line of the comment above a symbol."""
    top = at = symbol.start_line
    lowest = max(1, symbol.start_line - _MOST_ABOVE)
    while at > lowest:
        text = lines[at - 2]
        if text.rstrip().endswith("*/"):
            above = range(at - 1, lowest - 1, -1)
            at = top = next((n for n in above if "/*" in lines[n - 1]), at - 1)
        elif _COMMENT.match(text):
            at = top = at - 1
        elif _ATTRIBUTE.match(text):
            at -= 1
        else:
            break
    return top if top < symbol.start_line else _line_of_words(symbol, lines)


def _line_of_words(symbol: SurveySymbol, lines: Sequence[str]) -> int:
    """Return the line above with the description's first words, else the symbol's."""
    said = symbol.docstring.strip().split("\n")[0].strip()[:_TELLING]
    height = symbol.docstring.count("\n") + _CLAUSE
    lowest = max(1, symbol.start_line - height)
    above = range(symbol.start_line - 1, lowest - 1, -1)
    return next((n for n in above if said in lines[n - 1]), symbol.start_line)


def is_called(symbol: SurveySymbol, language: str, lines: Sequence[str]) -> bool:
    """Return whether a name is used with parentheses: no type, property or macro."""
    if symbol.kind not in {"function", "method"} or symbol.name.endswith("]"):
        return False
    if language == "python":
        named = _line_of_name(symbol, lines, min(symbol.end_line, len(lines)))
        heads = lines[symbol.start_line - 1 : named]
        return not any(map(_PYTHON_PROPERTY.match, heads))
    name = re.escape(symbol.name)
    if language in _SCRIPTS:
        return not re.search(rf"\b[gs]et\s+{name}\s*\(", symbol.signature)
    if language in _WITH_PARENTHESES and symbol.signature:
        return bool(re.search(rf"{name}\s*(?:<.*>)?\s*\(", symbol.signature))
    return True


def is_abstract(symbol: SurveySymbol, lines: Sequence[str]) -> bool:
    """Return whether a method leaves what it is described to do to others."""
    if symbol.kind != "method":
        return False
    if re.search(r"\babstract\b", symbol.signature.partition("(")[0]):
        return True
    start, end = declaration_of(symbol, lines).whole
    return any(map(_ABSTRACT.search, lines[start - 1 : end]))
