"""Annotations, attributes and decorators of a definition, in any language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from devrag.parsing.code.definitions import Definition

_MARK = re.compile(
    r"(?:@|#\[|\[)?\s*(?:\w+:(?!:)\s*)?([\w.:\\]+)\s*(?:\((.*)\))?", re.DOTALL
)
# A string that is never closed ends with the text: no quote is looked at twice.
_STRING = re.compile(
    r"\"((?:[^\"\\]|\\.)*+)(?:\"|\\?$)|'((?:[^'\\]|\\.)*+)(?:'|\\?$)|`([^`]*+)(?:`|$)",
    re.DOTALL,
)
_PART = re.compile(rf"{_STRING.pattern}|[^\"'`,()\[\]{{}}]+|.", re.DOTALL)
_KEY = re.compile(r"\s*(\w+)\s*(?:=(?![=>])|:(?!:))\s*")


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark: its last name (`GetMapping`), its whole name, what it was given."""

    name: str
    path: str
    arguments: dict[str, str]

    def written(self, *keys: str) -> str:
        """Return the first of these arguments as written; '' is the unnamed one."""
        found = (self.arguments[key] for key in keys if key in self.arguments)
        return next(found, "")

    def text(self, *keys: str) -> str | None:
        """Return the first string of an argument, None when it has none."""
        return next(self.texts(*keys), None)

    def texts(self, *keys: str) -> Iterator[str]:
        """Yield the strings of an argument: several where it is a list."""
        for match in _STRING.finditer(self.written(*keys)):
            yield next(group for group in match.groups() if group is not None)


def marks_of(definition: Definition) -> Iterator[Mark]:
    """Yield the marks that stand on a definition."""
    about = definition.about
    for written in (*about.annotations, *about.attributes, *about.decorators):
        yield from _marks(written)


def _marks(written: str) -> Iterator[Mark]:
    """Yield one mark, or those of a C# or PHP list of several."""
    inner = written
    if written.startswith(("#[", "[")):
        inner = written[written.index("[") + 1 :].rstrip().removesuffix("]")
    parts = _split(inner) if inner is not written else [written]
    for part in parts:
        match = _MARK.match(part.strip())
        if match:
            path = match[1].replace("::", ".").replace("\\", ".").strip(".")
            yield Mark(path.rpartition(".")[2], path, _arguments(match[2] or ""))


def _arguments(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in _split(text):
        key = _KEY.match(part)
        name, value = (key[1], part[key.end() :]) if key else ("", part)
        found.setdefault(name, value.strip())
    return found


def _split(text: str) -> list[str]:
    """Split at the commas that stand in no brackets and no string."""
    parts, depth = [""], 0
    for match in _PART.finditer(text):
        piece = match[0]
        if piece == "," and depth == 0:
            parts.append("")
            continue
        depth += (piece in "([{") - (piece in ")]}")
        parts[-1] += piece
    return [part for part in parts if part.strip()]
