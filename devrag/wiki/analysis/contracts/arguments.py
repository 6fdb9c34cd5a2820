"""The arguments of a call as its lines have them, whatever the language."""

from __future__ import annotations

import re
from collections.abc import Sequence

_LINES = 10
_CHARACTERS = 2_000
_OPEN, _CLOSE = "([{", ")]}"
_LITERAL = re.compile(r"^[@$fFrRbBuU]{0,2}([\"'`])(.*)\1$", re.DOTALL)


def arguments_of(lines: Sequence[str], line: int, name: str) -> list[str]:
    """Return the arguments of the call of that name on a line, [] when unclear."""
    last = re.escape(re.split(r"[.:>]+", name)[-1])
    text = "\n".join(lines[line - 1 : line - 1 + _LINES])[:_CHARACTERS]
    found = re.search(rf"(?<![\w$]){last}\s*(?:<[^()\n]*>)?\s*\(", text)
    if found is None or "\n" in text[: found.start()]:
        return []
    return _split(text[found.end() :], ",")


def _split(text: str, separator: str) -> list[str]:
    """Split at separators outside brackets and quotes, up to a closing bracket."""
    pieces, depth, start, quote, at = [], 0, 0, "", 0
    while at < len(text):
        char = text[at]
        if quote:
            at += char == "\\"
            quote = "" if char == quote else quote
        elif char in "\"'`":
            quote = char
        elif char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            depth -= 1
            if depth < 0:
                break
        elif char == separator and depth == 0:
            pieces.append(text[start:at].strip())
            start = at + 1
        at += 1
    pieces.append(text[start:at].strip())
    return [piece for piece in pieces if piece]


def literal(argument: str) -> str | None:
    """Return the text of an argument that is one string, None for others."""
    found = _LITERAL.match(argument)
    if found is None or found.group(1) in found.group(2):
        return None
    return found.group(2)


def joined(argument: str, unknown: str) -> str | None:
    """Return strings joined by `+`, others as `unknown`; None without a string."""
    pieces = [literal(piece) for piece in _split(argument, "+")]
    if all(piece is None for piece in pieces):
        return None
    return "".join(unknown if piece is None else piece for piece in pieces)


def named(arguments: Sequence[str], *keys: str) -> str | None:
    """Return the string given as `key=`, `key:` or `"key":`."""
    pattern = rf"^[\"']?(?:{'|'.join(keys)})[\"']?\s*[:=]\s*(.+)$"
    for argument in arguments:
        inner = argument[1:] if argument[:1] == "{" else ""
        for piece in [argument, *(_split(inner, ",") if inner else [])]:
            if found := re.match(pattern, piece, re.DOTALL):
                return literal(found.group(1).strip())
    return None
