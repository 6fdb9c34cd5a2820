"""The value of a constant that a file sets once, for defaults given by its name."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NAME = re.compile(r"_?[A-Z][A-Z0-9_]*")
_ASSIGNED = re.compile(
    r"^(?:export\s+)?(?:const\s+|let\s+|var\s+)?(\w+)(?:\s*:[^=]+)?\s*=(?!=)\s*(.*)$"
)
_PLAIN = re.compile(r"(\"[^\"\\]*\"|'[^'\\]*'|-?\d[\d_.]*)\s*;?\s*(?:(?:#|//).*)?$")


def constant_in(lines: Sequence[str], name: str) -> tuple[str, int] | None:
    """Return a constant's text or number with its line; None for what is computed.

    None also where the file sets it several times, or not at its top level.
    """
    if not _NAME.fullmatch(name):
        return None
    found = [
        (match[2], number)
        for number, line in enumerate(lines, 1)
        if (match := _ASSIGNED.match(line)) and match[1] == name
    ]
    plain = _PLAIN.match(found[0][0]) if len(found) == 1 else None
    return (plain[1].strip("\"'"), found[0][1]) if plain else None
