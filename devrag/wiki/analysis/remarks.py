"""Comments behind code: in which language what begins one; marks in strings do not."""

from __future__ import annotations

import re

_STRING = r"""(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_BEFORE = r"(?:^|(?<=[\s;,]))"
_SLASHES = rf"{_BEFORE}(?://.*|/\*.*?(?:\*/\s*|$))"
_HASH, _DASHES = rf"{_BEFORE}\#.*", rf"{_BEFORE}--.*"
_MARKS = {
    **dict.fromkeys(("python", "cython", "gdscript", "starlark"), r"\#.*"),
    **dict.fromkeys(("bash", "zsh", "fish", "awk", "tcl", "makefile"), _HASH),
    **dict.fromkeys(("ruby", "crystal", "perl", "raku", "powershell"), _HASH),
    **dict.fromkeys(("elixir", "julia", "nim", "r", "cmake"), _HASH),
    **dict.fromkeys(("lua", "luau", "sql", "ada", "haskell", "elm"), _DASHES),
    "php": f"{_SLASHES}|{_HASH}",
}
_PIECES = {
    marks: re.compile(rf"{_STRING}|(?P<open>[\"'])|(?P<remark>{marks})|(?P<blank>\s+)")
    for marks in (_SLASHES, *_MARKS.values())
}


def has_remark(line: str, language: str) -> bool:
    """Return whether a comment begins in a line of code."""
    found = _pieces(language).finditer(line)
    return any(each.lastgroup == "remark" for each in found)


def without_remarks(line: str, language: str) -> str | None:
    """Return a line of code without comments, each blank outside strings single.

    None where a string does not end in the line.
    """
    told, at = "", 0
    for found in _pieces(language).finditer(line):
        told += line[at : found.start()]
        at = found.end()
        if found.lastgroup == "open":
            return None
        if found.lastgroup == "string":
            told += found[0]
        elif found.lastgroup == "blank":
            told += " "
    return (told + line[at:]).strip()


def _pieces(language: str) -> re.Pattern[str]:
    return _PIECES[_MARKS.get(language, _SLASHES)]
