"""What the directives of reST and MyST hold: prose, a sample of code, or neither."""

from __future__ import annotations

import re
from dataclasses import dataclass

_IN_FENCE = re.compile(r"^\s*(?:```+|~~~+)\s*\{([\w:.+-]+)\}\s*(\S*)")
_IN_RST = re.compile(r"^\s*\.\.\s+([\w:.+-]+?)::\s*(\S*)")
_PROSE = {
    *("admonition", "attention", "caution", "danger", "error", "eval-rst", "hint"),
    *("important", "note", "seealso", "tip", "warning", "details", "dropdown"),
}
_CODE = re.compile(
    r"^(?:code(?:-block|-cell)?|sourcecode|parsed-literal|doctest"
    r"|testcode|ipython|[\w-]+:example)$"
)
_LANGUAGE = re.compile(r"[A-Za-z][\w+-]*")


@dataclass(frozen=True, slots=True)
class Directive:
    """holds: prose, code, or nothing that can be read without the tool it is for.

    language: of the code, '' where it is not said.
    """

    holds: str
    language: str = ""


def fence_directive(line: str) -> Directive | None:
    """Return the directive that a fence opens, None where it opens plain code."""
    match = _IN_FENCE.match(line)
    return _read(*match.groups()) if match else None


def rst_directive(line: str) -> Directive:
    """Return the directive of a line that begins with two dots."""
    match = _IN_RST.match(line)
    return _read(*match.groups()) if match else Directive("nothing")


def _read(name: str, argument: str) -> Directive:
    if _CODE.match(name):
        language = argument if _LANGUAGE.fullmatch(argument) else ""
        return Directive("code", "python" if name == "click:example" else language)
    return Directive("prose" if name in _PROSE else "nothing")
