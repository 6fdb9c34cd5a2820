"""Samples of code that differ in the names of their variables alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TOKEN = re.compile(r"\w+|[^\w\s]")
# Of camel case or with an underline: no keyword, type or key of a data format is.
_VARIABLE = re.compile(r"[a-z]+(?:[A-Z]\w*|_\w+)$")
_DATA = {"yaml", "yml", "json", "toml", "xml", "html", "sql", "ini", "properties"}


def are_renamed(one: Sequence[str], other: Sequence[str], language: str = "") -> bool:
    """Return whether lines of code are the same but for the names of variables.

    A name that is called, or that stands behind a dot, is that of something else.
    """
    if language.lower() in _DATA or len(one) != len(other):
        return False
    names: dict[str, str] = {}
    for line, renamed in zip(one, other, strict=True):
        before, after = _TOKEN.findall(line), _TOKEN.findall(renamed)
        if len(before) != len(after):
            return False
        for at, (name, new) in enumerate(zip(before, after, strict=True)):
            if name == new and name not in names:
                continue
            if not (_is_variable(before, at) and _is_variable(after, at)):
                return False
            if names.setdefault(name, new) != new:
                return False
    return bool(names) and len(set(names.values())) == len(names)


def _is_variable(tokens: Sequence[str], at: int) -> bool:
    is_member = at > 0 and tokens[at - 1] in {".", ":", "@"}
    is_called = tokens[at + 1 : at + 2] == ["("]
    return bool(_VARIABLE.match(tokens[at])) and not is_member and not is_called
