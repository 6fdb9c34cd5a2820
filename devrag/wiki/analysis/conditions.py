"""The condition under which a line of code runs, read from how the code is indented.

Code is indented alike in every language whose blocks are told by braces or by blanks:
the nearest line above that stands further left is what the line is in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

IF, UNLESS, CASE, FAILS = "if", "unless", "case", "fails"
LOOP, OTHERWISE = "loop", "otherwise"
_IF = re.compile(r"^\}?\s*(?:else\s+if|elsif|elif|if)\b\s*(?P<said>.*)$")
_ELSE_IF = re.compile(r"^\}?\s*(?:else\s+if|elsif|elif)\b")
_UNLESS = re.compile(r"^unless\b\s*(?P<said>.*)$")
_ELSE = re.compile(r"^\}?\s*else\b(?!\s+if)")
_FAILS = re.compile(r"^\}?\s*(?:except|catch|rescue)\b\s*(?P<said>.*)$")
_AS = re.compile(r"\s+as\s+\w+\s*$|\s*=>\s*\w+\s*$|(?<=\w)\s+[a-z]\w*\s*$")
_OK = re.compile(r"^!?ok$")
_CASE = re.compile(r"^case\s+(?P<said>.+):\s*$")
_LOOP = re.compile(
    r"^(?:async\s+for|for\s+await|for|while|until|foreach)\b\s*(?P<said>.*)$"
)
_SUBJECT = re.compile(r"^(?:\w+\s*:?=\s*)?(?:switch|match|case|when)\b\s*(?P<said>.+)$")
_BLOCK = re.compile(r"[{:]$|^case\b[^:]*$")
_CLOSES = re.compile(r"^[)\]]")
_OTHER = re.compile(r"^(?:case\b|default\s*:|when\b(?!\s*=))")
_ARM = re.compile(r"^(?!.*\s=\s).*=>\s*\{?$")  # of a match; functions open a bracket
_STATEMENT = re.compile(r":\s+(?=(?:return|raise|continue|break|pass|yield)\b)")
_GOES_ON = re.compile(r"(?:&&|\|\||\\|(?<=\s)(?:and|or))\s*$")
_JOINS = re.compile(r"(?:and|or|in|is|not)\b")
_FUNCTION = re.compile(
    r"(?<!['\"])\bfunction\b[^{]*\{\s*$|=>\s*[({]\s*$|^\s*(?:async\s+)?def\b|\bfunc\s*\([^{]*\{\s*$"
    r"|\|[^|]*\|\s*\{\s*$|\bdo\s+\|[^|]*\|\s*$"
)
_COMMENT = re.compile(r"^\s*(?://|#|/?\*|--)")
_END = re.compile(r"\s*(?:\{|:|\bthen|\bdo)\s*$")
_MOST_LINES = 4
_LONGEST = 100
_TAB = 4


@dataclass(frozen=True, slots=True)
class Condition:
    """What has to hold for a line to run.

    text: the condition as the code has it, '' where that is too long to be shown or
    where no single one is. kind: the text must hold (IF), must not (UNLESS), is the
    value of a case (CASE), an error that is caught (FAILS), or a loop's head (LOOP). A
    page tells an UNLESS behind its IF as OTHERWISE. line, end_line: where it stands.
    subject: what the cases are of, in its line; the variable of a caught error.
    around, outermost first: the conditions that it is in itself.
    """

    text: str
    line: int
    end_line: int
    kind: str = IF
    subject: str = ""
    subject_line: int = 0
    around: tuple[Condition, ...] = ()

    @property
    def whole(self) -> tuple[Condition, ...]:
        """Return all that has to hold, the outermost first."""
        return (*self.around, replace(self, around=()))


def condition_of(lines: Sequence[str], line: int, top: int) -> Condition | None:
    """Return the nearest condition around a line with those around it, None without.

    top: the line of the definition, which bounds the search.
    """
    found = [c for n in around(lines, line, top) for c in _conditions_at(lines, n, top)]
    if not found:
        return None
    return replace(found[0], around=tuple(reversed(found[1:])))


def _conditions_at(lines: Sequence[str], number: int, top: int) -> list[Condition]:
    """Return the condition of the block that a line opens, if it has one.

    Behind that of an `else if`, what is above it in the chain, which must not hold.
    """
    own = _opened_at(lines, number, top)
    if own is None:
        return []
    if not _ELSE_IF.match(lines[number - 1].strip()):
        return [own]
    before = _otherwise(lines, number, top)
    return [own, before] if before.text else [own]


def _opened_at(lines: Sequence[str], number: int, top: int) -> Condition | None:
    """Return the condition of the block that a line opens, if it has one."""
    text = lines[number - 1].strip()
    if match := _IF.match(text) or _UNLESS.match(text):
        said, end = _condition(lines, number, match["said"])
        kind = UNLESS if _UNLESS.match(text) else IF
        return Condition(said, number, end, kind)
    if _ELSE.match(text):
        return _otherwise(lines, number, top)
    if match := _FAILS.match(text):
        caught = _shown(_caught(match["said"]))
        name = _name_of_caught(match["said"])
        return Condition(caught, number, number, FAILS, name)
    if match := _LOOP.match(text):
        head = _unwrapped(_END.sub("", match["said"]).strip())
        if (keyword := text.split("(")[0].split()[0]) in {"while", "until"}:
            head = f"{keyword} {head}"
        return Condition(_shown(head), number, number, LOOP)
    return _case(lines, number, top) if _is_case(text) else None


def _case(lines: Sequence[str], number: int, top: int) -> Condition:
    """Return a case with the labels directly above it, which lead to the same lines."""
    first = number
    said: list[str] = []
    while first > top and (match := _CASE.match(lines[first - 1].strip())):
        said.insert(0, match["said"])
        first -= 1
    start, shown = min(first + 1, number), _shown(", ".join(said))
    above, subject = _subject(lines, start, top)
    if subject:
        return Condition(shown, start, number, CASE, subject, above)
    # Without a subject each case is a condition of its own.
    kind = IF if above else CASE
    return Condition(shown if len(said) == 1 else "", start, number, kind)


def _subject(lines: Sequence[str], case: int, top: int) -> tuple[int, str]:
    """Return the line that opens the cases, 0 without one, and what they are of."""
    depth = depth_of(lines[case - 1])
    for number in range(case - 1, top, -1):
        text = lines[number - 1].strip()
        is_outside = depth_of(lines[number - 1]) <= depth
        if re.match(r"^switch\s*\{$", text) and is_outside:
            return number, ""
        match = _SUBJECT.match(text) if text else None
        is_opening = _BLOCK.search(text) and not _is_case(text) and is_outside
        if match is not None and is_opening:
            said = _unwrapped(_END.sub("", match["said"]).strip())
            return number, _shown(said.rpartition("; ")[2].rpartition(":= ")[2])
        if text and depth_of(lines[number - 1]) < depth:
            break
    return 0, ""


def is_other_branch(one: Condition | None, other: Condition | None) -> bool:
    """Return whether the second of two conditions is the `else` of the first."""
    if one is None or other is None or not one.text:
        return False
    is_same = (one.line, one.text) == (other.line, other.text)
    return is_same and (one.kind, other.kind) == (IF, UNLESS)


def _is_case(text: str) -> bool:
    """Return whether a line opens one of several cases."""
    return bool(_OTHER.match(text) or (_ARM.match(text) and _opened(text) == 0))


def is_nested(lines: Sequence[str], line: int, top: int) -> bool:
    """Return whether a line is in a function inside of the definition."""
    return any(opens_function(lines[n - 1]) for n in around(lines, line, top))


def opens_function(text: str) -> bool:
    """Return whether a function begins on a line: named, or passed on."""
    return bool(_FUNCTION.search(text))


def depth_of(text: str) -> int:
    """Return how far a line is indented."""
    expanded = text.expandtabs(_TAB)
    return len(expanded) - len(expanded.lstrip())


def around(lines: Sequence[str], line: int, top: int) -> Iterator[int]:
    """Yield the lines that a line is in, the nearest first, without the top one."""
    depth = depth_of(lines[line - 1])
    for number in range(line - 1, top, -1):
        text = lines[number - 1]
        if not text.strip() or _COMMENT.match(text) or depth_of(text) >= depth:
            continue
        depth = depth_of(text)
        if _CLOSES.match(text.strip()):
            depth += 1  # what it closes began at the same place
            continue
        yield number


def _otherwise(lines: Sequence[str], number: int, top: int) -> Condition:
    """Return the condition whose failure leads to an `else`, of a chain all of them."""
    depth = depth_of(lines[number - 1])
    said: list[str] = []
    for above in range(number - 1, top, -1):
        text = lines[above - 1]
        if not text.strip() or depth_of(text) > depth:
            continue
        match = _IF.match(text.strip())
        if match is None:
            break
        one, end = _condition(lines, above, match["said"])
        said.insert(0, one)
        if re.match(r"^if\b", text.strip()):
            either = " or " if text.rstrip().endswith(":") else " || "
            shown = _shown(either.join(said)) if all(said) else ""
            return Condition(shown, above, end if len(said) == 1 else number, UNLESS)
    return Condition("", number, number, UNLESS)


def _condition(lines: Sequence[str], number: int, said: str) -> tuple[str, int]:
    """Return a condition without its brackets, and its last line.

    It is '' if it is long or does not end.
    """
    text, end = said, number
    for below in lines[number : number + _MOST_LINES]:
        if _opened(text) <= 0 and not _GOES_ON.search(text):
            break
        text = text.rstrip("\\ ") + f" {below.strip()}"
        end += 1
    bare = _unwrapped(_END.sub("", _head(text)).strip())
    last = bare.rpartition("; ")[2]
    # Alone, `ok` says nothing: what was asked for stands before it.
    shown = (bare if bare != last else "") if _OK.match(last) else last
    return _shown(shown), end


def _shown(text: str) -> str:
    """Return a condition that can be shown as it is, else ''."""
    is_fit = len(text) <= _LONGEST and "`" not in text and _opened(text) == 0
    return text if is_fit else ""


def _name_of_caught(text: str) -> str:
    """Return the variable that a caught error is in, '' without one."""
    match = _AS.search(_END.sub("", text).strip().removesuffix(")"))
    return match.group().split()[-1] if match else ""


def _caught(text: str) -> str:
    """Return the errors that a clause catches, '' where it names none."""
    bare = _AS.sub("", _unwrapped(_AS.sub("", _END.sub("", text)).strip()))
    return bare if bare[:1].isupper() else ""


def _head(text: str) -> str:
    """Return what stands before a statement on the same line."""
    text = _STATEMENT.split(text, 1)[0]
    if not text.startswith("("):
        return text
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        rest = text[place + 1 :].strip()
        if depth == 0:
            is_whole = rest[:1] in {"", "{"} or rest[0].isalpha()
            return text if _JOINS.match(rest) or not is_whole else text[: place + 1]
    return text


def _unwrapped(text: str) -> str:
    if text.startswith("(") and text.endswith(")") and _opened(text[1:-1]) == 0:
        inner = text[1:-1]
        depth = 0
        for character in inner:
            depth += (character == "(") - (character == ")")
            if depth < 0:
                return text
        return inner.strip()
    return text


def _opened(text: str) -> int:
    return sum(map(text.count, "([")) - sum(map(text.count, ")]"))
