"""The Markdown of tickets: what readers do not see, and the commits it names. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_OPENS, _CLOSES = "<!--", "-->"
_MAX_COMMITS = 50
# All of a commit's number, alone; in an address of another place it is not ours.
_WHOLE = re.compile(r"(?<![0-9A-Za-z/@#])[0-9a-f]{40}(?![0-9A-Za-z])")
_NAMED = re.compile(r"\bcommits?:? +`?([0-9a-f]{7,39})(?![0-9A-Za-z])", re.IGNORECASE)


def clean_markdown(text: str) -> str:
    """Return a text without the comments that templates tell their writers in.

    Those alone that begin a line, outside of code.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")
    kept: list[str] = []
    fence, is_hidden = "", False
    for line in lines:
        shown = line
        if is_hidden or (not fence and line.lstrip().startswith(_OPENS)):
            shown, is_hidden = _without_comments(line, is_hidden)
            if not shown.strip():
                continue
        fence = _fence_after(shown, fence)
        kept.append(shown.rstrip())
    return "\n".join(kept).strip("\n")


def named_commits(texts: Iterable[str], url: str, separator: str) -> tuple[str, ...]:
    """Return the commits that texts name, in their order, each once.

    url: the address of the repository. separator: between it and a commit.
    """
    ours = re.compile(
        rf"{re.escape(url)}{re.escape(separator)}([0-9a-f]{{7,40}})(?![0-9A-Za-z])"
    )
    found: dict[str, None] = {}
    for text in texts:
        matches = [
            *_WHOLE.finditer(text),
            *(m for m in _NAMED.finditer(text) if re.search(r"\d", m[1])),
            *ours.finditer(text),
        ]
        for match in sorted(matches, key=lambda each: each.start()):
            found.setdefault(match[match.re.groups])
    whole = [each for each in found if len(each) == 40]
    return tuple(
        each
        for each in found
        if len(each) == 40 or not any(one.startswith(each) for one in whole)
    )[:_MAX_COMMITS]


def _without_comments(line: str, is_hidden: bool) -> tuple[str, bool]:
    """Return a line without its comments, and whether one goes on behind it."""
    kept, at = [], 0
    while at < len(line):
        mark = _CLOSES if is_hidden else _OPENS
        found = line.find(mark, at)
        end = len(line) if found < 0 else found
        kept.append("" if is_hidden else line[at:end])
        at = end + len(mark)
        is_hidden = is_hidden != (found >= 0)
    return "".join(kept), is_hidden


def _fence_after(line: str, fence: str) -> str:
    """Return the mark that ends the block of code we are in, '' outside of one."""
    found = _FENCE.match(line)
    if not found:
        return fence
    mark = found[1]
    if not fence:
        return mark
    is_end = mark[0] == fence[0] and len(mark) >= len(fence)
    return "" if is_end and not line[found.end() :].strip() else fence
