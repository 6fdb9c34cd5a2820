"""What test files check: the names of their cases, told as words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.survey import SurveySymbol

_FEWEST_WORDS, _MOST_WORDS = 4, 16
_PREFIX = re.compile(r"^(test|it)(?=[_A-Z ])_? ?", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_\s]+")
_MARKED = re.compile(
    r"^\s*(?:@(?:Parameterized)?Test\b|\[(?:Fact|Theory|TestMethod|Test|TestCase)\b"
    r"|#\[(?:\w+::)?test\b)"
)
_NAMED = re.compile(
    r"\b(?:it|test|specify|t\.Run|TEST(?:_F|_P)?)(?:\.\w+)?\(\s*(?P<quote>['\"`])"
    r"(?P<name>(?:(?!(?P=quote))[^\\\n]|\\.)+)(?P=quote)"
)
_MARKS = ("@", "[", "#[")  # of lines above a definition
_SPOKEN = {"javascript", "typescript", "tsx", "jsx", "go"}


@dataclass(frozen=True, slots=True)
class TestCase:
    """A case in words, with the line that names it. symbol: None for a string."""

    words: str
    line: int
    symbol: SurveySymbol | None = None


def cases_of(
    language: str, symbols: Sequence[SurveySymbol], lines: Sequence[str]
) -> list[TestCase]:
    """Return the cases of a test file whose names tell something, in order."""
    found = list(_by_symbols(symbols, lines))
    if language in _SPOKEN:
        found += _by_strings(lines)
    return sorted(found, key=lambda case: case.line)


def _by_symbols(
    symbols: Sequence[SurveySymbol], lines: Sequence[str]
) -> Iterator[TestCase]:
    for symbol in symbols:
        if symbol.kind not in {"function", "method"} or not _is_case(symbol, lines):
            continue
        bare = _PREFIX.sub("", symbol.name)
        words = [_lowered(w) for w in _HUMP.split(bare) if w]
        if symbol.docstring or _FEWEST_WORDS <= len(words) <= _MOST_WORDS:
            yield TestCase(" ".join(words), symbol.start_line, symbol)


def _is_case(symbol: SurveySymbol, lines: Sequence[str]) -> bool:
    if _PREFIX.match(symbol.name):
        return True
    first = symbol.start_line - 1
    while first > 0 and lines[first - 1].strip().startswith(_MARKS):
        first -= 1
    return any(_MARKED.match(line) for line in lines[first : symbol.start_line])


def _lowered(word: str) -> str:
    """Return a word of a name in small letters, unless it is an acronym."""
    return word if len(word) > 1 and word.isupper() else word.lower()


def _by_strings(lines: Sequence[str]) -> Iterator[TestCase]:
    for number, line in enumerate(lines, 1):
        for match in _NAMED.finditer(line):
            name = " ".join(_PREFIX.sub("", match["name"]).split())
            if _FEWEST_WORDS <= len(name.split()) <= _MOST_WORDS and "${" not in name:
                yield TestCase(name.rstrip("."), number)
