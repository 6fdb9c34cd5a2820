"""Conditions of C's preprocessor that cut a statement or a block in two.

A grammar reads both branches, one after the other: with `if (a) {` in each, nothing
below makes sense. Of such conditions the first branch stays; the others, and the
directives, are left out. Those around whole declarations stay as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from devrag.parsing.languages.blanking import VISIBLE, blank

_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(if(?:n?def)?|el\w+|endif)\b((?:\\\n|[^\n])*)", re.MULTILINE
)
# What holds brackets that open and close nothing.
_QUIET = re.compile(
    rb"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL
)
_BRACKETS = re.compile(rb"[{}()]")
_STEPS = {b"{": (1, 0), b"}": (-1, 0), b"(": (0, 1), b")": (0, -1)}
# A statement that goes on after the condition.
_GOES_ON = re.compile(rb"(?:=\s*\{|[,(=|&+*/?<-]|\b(?:do|else|return))\Z")
_BEGINS = re.compile(rb"\s*(?:\|\||&&|[?|+])")
_BEFORE = 300
# Whole declarations, as in an include guard, are not worth a look.
_LONGEST = 20_000
_DEEPEST = 30


@dataclass(slots=True)
class _Group:
    """The directives from an #if to its #endif: start and end, and what is asked."""

    directives: list[tuple[int, int, bytes]] = field(default_factory=list)

    def branches(self) -> list[tuple[int, int]]:
        ends = [end for _, end, _ in self.directives[:-1]]
        starts = [start for start, _, _ in self.directives[1:]]
        return list(zip(ends, starts, strict=True))


def with_whole_branches(data: bytes) -> bytes:
    """Return the text without the branches that stop in the middle."""
    if b"#" not in data:
        return data
    quiet = bytearray(_QUIET.sub(blank, data))
    kept = bytearray(data)
    opened: list[_Group] = []
    for match in _DIRECTIVE.finditer(bytes(quiet)):
        word = match[1]
        if word.startswith(b"if"):
            opened.append(_Group())
        if not opened:
            continue
        opened[-1].directives.append((match.start(), match.end(), match[2].strip()))
        if word == b"endif":
            _settle(opened.pop(), len(opened), quiet, kept)
    return bytes(kept)


def _settle(group: _Group, depth: int, quiet: bytearray, kept: bytearray) -> None:
    """Leave out what a grammar cannot read of a group."""
    start, end = group.directives[0][0], group.directives[-1][1]
    if depth > _DEEPEST or end - start > _LONGEST:
        return
    branches = group.branches()
    before = bytes(quiet[max(0, start - _BEFORE) : start]).rstrip()
    goes_on = _GOES_ON.search(before) is not None or any(
        _BEGINS.match(quiet, a, b) for a, b in branches
    )
    if not goes_on and all(_is_whole(quiet[a:b]) for a, b in branches):
        return
    hidden = [(a, b) for a, b, _ in group.directives]
    # In a list each branch may be an item more.
    if not (goes_on and all(quiet[a:b].rstrip()[-1:] == b"," for a, b in branches)):
        is_off = group.directives[0][2] == b"0" and len(branches) > 1
        hidden += [span for n, span in enumerate(branches) if n != is_off]
    for a, b in hidden:
        for text in (quiet, kept):
            text[a:b] = VISIBLE.sub(b" ", text[a:b])


def _is_whole(branch: bytearray) -> bool:
    """Return whether a branch closes all that it opens, and nothing else."""
    braces = parentheses = 0
    for bracket in _BRACKETS.findall(branch):
        brace, parenthesis = _STEPS[bytes(bracket)]
        braces += brace
        parentheses += parenthesis
        if braces < 0 or parentheses < 0:
            return False
    return braces == parentheses == 0
