"""What documentation says of parameters, in the styles that languages have for it.

Javadoc, JSDoc, Doxygen, reST, Google, NumPy, Markdown lists and `name: text`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

_TAGGED = re.compile(
    r"^\s*[@\\]param(?:\[\w+\])?\s+(?:\{.*?\}\s*)?\[?`?(?P<name>[\w.$]+)[^\s]*\s*"
    r"(?:-\s+)?(?P<text>.*)$"
)
_FIELD = re.compile(r"^\s*:param\s+(?:[^:]*\s)?(?P<name>\w+)\s*:\s*(?P<text>.*)$")
_LISTED = re.compile(
    r"^\s*(?:[*+-]\s+)?\**`?\*{0,2}(?P<name>[A-Za-z_]\w*)`?\**"
    r"\s*(?:\([^)]*\))?\s*(?P<mark>[:\-–—]+)\s*(?P<text>.*)$"
)
_END = re.compile(
    r"^\s*([@\\]\w+|:\w+[^:]*:|-{3,}|={3,}|\*\*\w[\w ]*:?\*\*:?|>>>|```"
    r"|(Returns?|Raises|Yields|Examples?|Notes?|See [Aa]lso|Attributes|Usage)\s*:?)"
    r"(\s|$)"
)
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_DEFAULT = re.compile(r"=[^,]*")
_CODE = re.compile(
    r"^(>>> |```|[\w.]+ = \S|[\w.]+\([^)]*\)\s*(\n|$)|(from|import) \w+)"
)
_OPTIONAL = re.compile(r"^\*?\(optional\)\*?\s*", re.IGNORECASE)


def is_code(docstring: str) -> bool:
    """Return whether a docstring begins with an example instead of a sentence."""
    return bool(_CODE.match(docstring.strip()))


def parameters_of(docstring: str, names: Collection[str]) -> dict[str, str]:
    """Return parameter → its description, for the names that a signature has."""
    lines = docstring.split("\n")
    found: dict[str, str] = {}
    at = 0
    while at < len(lines):
        match = _begins(lines[at], names)
        if match is None:
            at += 1
            continue
        end = _end_of(lines, at + 1, names)
        text = _text(match, lines[at], lines[at + 1 : end])
        if text and match["name"] not in found:
            found[match["name"]] = text
        at = end
    return found


def _begins(line: str, names: Collection[str]) -> re.Match[str] | None:
    for form in (_TAGGED, _FIELD, _LISTED):
        match = form.match(line)
        if match is not None and match["name"] in names:
            return match
    return None


def _end_of(lines: Sequence[str], at: int, names: Collection[str]) -> int:
    """Return where a description ends: at a blank, a tag or the next parameter."""
    while at < len(lines):
        line = lines[at]
        if not line.strip() or _END.match(line) or _begins(line, names):
            break
        at += 1
    return at


def _text(match: re.Match[str], line: str, following: Sequence[str]) -> str:
    own = match["text"].strip()
    more = " ".join(each.strip() for each in following)
    is_type = match.re is _LISTED and " :" in line.partition(match["name"])[2][:2]
    is_below = bool(following) and _indent(following[0]) > _indent(line)
    if is_type and is_below:  # NumPy has the type beside the name
        own = ""
    return _OPTIONAL.sub("", " ".join(f"{own} {more}".split()))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def parameter_names(signature: str) -> list[str]:
    """Return the names in a signature's parentheses that may be parameters."""
    begin = signature.find("(")
    inside = signature[begin + 1 :] if begin >= 0 else ""
    return list(dict.fromkeys(_NAME.findall(_DEFAULT.sub("", inside))))
