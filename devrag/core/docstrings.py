"""Docstrings as sanitised HTML: Markdown, Google's and NumPy's sections, reST roles,
tags of JSDoc.

What is neither stays as it is written; nothing of it is lost.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator

from devrag.core import doc_tags
from devrag.core.markdown import render_markdown

_ROLE = re.compile(r":[a-zA-Z][\w:+-]*:`(~?)!?([^`<]*?)\s*(?:<([^`>]*)>)?`")
_LINK = re.compile(r"`([^`<\n]+?)\s*<(https?://[^`>\s]+)>`__?")
_TARGET = re.compile(r"(?<![`\w])`([^`<\n]+)`__?(?!\w)")
_UNDEFINED = re.compile(r"\[([^\[\]\n]+)\]\[[^\[\]\n]*\]")
_DEFINITION = re.compile(r"^\s{0,3}\[[^\]\n]+\]:\s+\S", re.MULTILINE)
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.+?)[\s#]*$")
_RULE = re.compile(r"^\s*([-=~^])\1{2,}\s*$")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_DIRECTIVE = re.compile(r"^(\s*)\.\. (?:code-block|code|sourcecode)::\s*([\w+-]*)\s*$")
_NOTE = re.compile(
    r"^(?P<indent>\s*)\.\. (?P<kind>attention|caution|danger|deprecated|error|hint|"
    r"important|note|seealso|tip|todo|versionadded|versionchanged|versionremoved|"
    r"warning)::\s*(?P<words>.*)$"
)
# As Sphinx words them, before the number of the version.
_VERSIONS = {
    "deprecated": "Deprecated since version",
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
}
_FIELD = re.compile(r"^\s*:(\w[\w ]*?)(?:\s+([\w.*, |\[\]]+))?:\s+(.*)$")
_SECTION = re.compile(
    r"^(Args|Arguments|Parameters|Other Parameters|Keyword Args|Attributes|Returns?"
    r"|Yields|Raises|Examples?|Notes?|Warns|Warnings?|See Also|References|Methods|Todo"
    r"):?\s*$"
)
_ITEM = re.compile(r"^([*\w.]+(?:\s*\([^)]*\))?)\s*:(?:\s+(.*))?$")
_DEEPEST = 4  # notes within notes; those further inside stay text
_NAMES = {"param", "parameter", "arg", "argument", "key", "keyword", "ivar", "var"}


def render_docstring(text: str) -> str:
    """Return a docstring as HTML: sanitised, may be marked safe.

    Relative links become their words; headings become bold lines, so that the page's
    own stay in order.
    """
    known = without_dead_references(inspect.cleandoc(text))
    markdown = "\n".join(_lines(known.split("\n")))
    return render_markdown(markdown, resolve_link=lambda _: None, drops_html=True).html


def without_dead_references(text: str) -> str:
    """Return Markdown whose references to nothing, `[so][x]`, are only their words."""
    return text if _DEFINITION.search(text) else _UNDEFINED.sub(r"\1", text)


def _lines(lines: list[str], depth: int = 0) -> Iterator[str]:
    """Yield Markdown. depth: how many notes are around the lines."""
    at = 0
    while at < len(lines):
        end, shown = _next(lines, at, depth)
        yield from shown
        at = end


def _next(lines: list[str], at: int, depth: int) -> tuple[int, list[str]]:
    """Return where what begins at a line ends, and its Markdown."""
    line = lines[at]
    if _FENCE.match(line):
        end = _until(lines, at + 1, lambda each: bool(_FENCE.match(each))) + 1
        return end, lines[at:end]
    if line.lstrip().startswith(">>>"):
        end = _until(lines, at, lambda each: not each.strip())
        return end, _code([each.strip() for each in lines[at:end]], "pycon")
    if directive := _directive(lines, at, depth):
        return directive
    if line.rstrip().endswith("::") and not line.lstrip().startswith(".. "):
        end = _end_of_block(lines, at + 1, len(line) - len(line.lstrip()))
        return end, [_inline(line.rstrip()[:-1]), *_code(lines[at + 1 : end])]
    if doc_tags.is_example(line):
        return _example(lines, at + 1)
    is_title = at + 1 < len(lines) and line.strip() and _RULE.match(lines[at + 1])
    if found := _SECTION.match(line):
        return _section(lines, at + 2 if is_title else at + 1, found[1])
    if is_title:
        return at + 2, ["", f"**{line.strip()}**", ""]
    return at + 1, list(_line(line))


def _directive(lines: list[str], at: int, depth: int) -> tuple[int, list[str]] | None:
    """Return where a directive of reST ends, and its Markdown; None without one."""
    if found := _DIRECTIVE.match(lines[at]):
        end = _end_of_block(lines, at + 1, len(found[1]))
        return end, _code(lines[at + 1 : end], found[2])
    if depth < _DEEPEST and (found := _NOTE.match(lines[at])):
        end = _end_of_block(lines, at + 1, len(found["indent"]))
        return end, _note(found, lines[at + 1 : end], depth)
    return None


def _code(lines: list[str], language: str = "") -> list[str]:
    code = inspect.cleandoc("\n".join(["", *lines]))
    return ["", f"```{language}", code, "```", ""]


def _example(lines: list[str], start: int) -> tuple[int, list[str]]:
    """Return the code up to the next tag; what marks its code itself stays as it is."""
    end = _until(lines, start, doc_tags.is_tag)
    if any(map(_FENCE.match, lines[start:end])):
        return start, ["", "**Example**", ""]
    return end, ["", "**Example**", *_code(lines[start:end])]


def _section(lines: list[str], start: int, title: str) -> tuple[int, list[str]]:
    """Return Google's `Args:` with what is indented, or NumPy's up to a blank line."""
    end = _end_of_block(lines, start, 0)
    if end == start:
        end = _until(lines, start, lambda each: not each.strip())
    body = inspect.cleandoc("\n".join(["", *lines[start:end]])).split("\n")
    shown = ["", f"**{title}**", ""]
    for line in body:
        item = _ITEM.match(line)
        shown.append(f"- `{item[1]}`: {_inline(item[2] or '')}" if item else line)
    items = [each if each.startswith("- ") else _inline(each) for each in shown]
    return end, [*items, ""]


def _line(line: str) -> Iterator[str]:
    if found := _HEADING.match(line):
        yield from ["", f"**{_inline(found[1])}**", ""]
    elif found := _FIELD.match(line):
        yield _field(found)
    elif (tagged := doc_tags.to_markdown(line)) is not None:
        yield tagged
    else:
        yield _inline(line)


def _note(found: re.Match[str], body: list[str], depth: int) -> list[str]:
    """Return a directive of Sphinx as a paragraph: Changed in version 8.0: …"""
    kind, words = found["kind"], found["words"].strip()
    text = inspect.cleandoc("\n".join(["", *body])).split("\n")
    title = "See also" if kind == "seealso" else kind.capitalize()
    if kind in _VERSIONS:
        version, _, rest = words.partition(" ")
        title = f"{_VERSIONS[kind]} {version}".rstrip()
        words = rest.strip()
    shown = list(_lines([words, *text] if words else text, depth + 1))
    while shown and not shown[0].strip():
        del shown[0]
    # A block, such as code, begins on a line of its own.
    if not shown or shown[0].startswith(("```", "**", "- ")):
        return ["", f"**{title}**", "", *shown, ""]
    return ["", f"**{title}:** {shown[0]}", *shown[1:], ""]


def _field(field: re.Match[str]) -> str:
    kind, name, words = field[1], field[2] or "", _inline(field[3])
    if kind in _NAMES:
        return f"- `{name.split()[-1] if name else ''}`: {words}"
    of = f" `{name}`" if name else ""
    return f"- **{kind.capitalize()}**{of}: {words}"


def _inline(line: str) -> str:
    line = _ROLE.sub(_role, line)
    line = _LINK.sub(r"[\1](\2)", line)
    return _TARGET.sub(r"`\1`", line)


def _role(role: re.Match[str]) -> str:
    """Return what a role names; of `~httpx.Client` only the last word is shown."""
    name = role[2] or role[3]
    return f"`{name.rpartition('.')[2] if role[1] else name}`"


def _until(lines: list[str], start: int, is_end: Callable[[str], bool]) -> int:
    found = (place for place in range(start, len(lines)) if is_end(lines[place]))
    return next(found, len(lines))


def _end_of_block(lines: list[str], start: int, indent: int) -> int:
    """Return where the lines end that are indented more, blank ones among them."""
    end = start
    for place in range(start, len(lines)):
        line = lines[place]
        if not line.strip():
            continue
        if len(line) - len(line.lstrip()) <= indent:
            break
        end = place + 1
    return end
