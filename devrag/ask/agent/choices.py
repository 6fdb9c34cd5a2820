"""What a model chose to read, line by line of what it wrote: pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MOST_CHOICES, MOST_SEARCHES = 14, 3
_MOST_NUMBERS = 200
_LINE_END = re.compile(r"[,;.\s]+\Z")
_BULLET = re.compile(r"\A(?:[-*•]|\d+\))\s+")
_NUMBERS = re.compile(r"\d+(?::\d+-\d+)?(?:[,\s]+\d+(?::\d+-\d+)?)*")
_NUMBER = re.compile(r"(\d+)(?::(\d+)-(\d+))?")
_LINES = re.compile(r"([^\s:]+\.[^\s:]+|[^\s:]*/[^\s:]+)[:\s](\d+)(?:-(\d+))?")
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$~][\w$]*)*(?:\(\))?")


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to read: an entry of the outline, lines, a definition or a search.

    number: of an entry. lines: of the entry, or of the file at path. name: of a
    definition. query: of a search.
    """

    number: int = 0
    path: str = ""
    lines: tuple[int, int] | None = None
    name: str = ""
    query: str = ""


def read_choices(text: str) -> list[Choice]:
    """Return what a model chose, each once, searches last; what is odd is left out."""
    found = dict.fromkeys(each for line in text.split("\n") for each in _read(line))
    named = [each for each in found if not each.query]
    searches = [each for each in found if each.query]
    return [*named[:MOST_CHOICES], *searches[:MOST_SEARCHES]]


def _read(line: str) -> Iterator[Choice]:
    bare = _LINE_END.sub("", _BULLET.sub("", line.strip())).replace("`", "")
    if bare.startswith("?"):
        if query := bare.lstrip("? "):
            yield Choice(query=query[:_MOST_NUMBERS])
    elif _NUMBERS.fullmatch(bare):
        for number, first, last in _NUMBER.findall(bare):
            lines = (int(first), int(last)) if first else None
            yield Choice(number=int(number), lines=lines)
    elif match := _LINES.fullmatch(bare):
        path, first, last = match.groups()
        yield Choice(path=path, lines=(int(first), int(last or first)))
    elif _NAME.fullmatch(bare):
        yield Choice(name=bare.removesuffix("()"))
    elif match := re.match(r"(\d+)(?::(\d+)-(\d+))?\s+\S", bare):
        number, first, last = match.groups()
        lines = (int(first), int(last)) if first else None
        yield Choice(number=int(number), lines=lines)
