"""Code of a model's own in an answer: marked as such, of known names, no command: pure.

It shows a change or a design that no source has. It is the only thing in an answer that
cites nothing, so it says so itself in its first line.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from devrag.ask.writing.markup import address_in
from devrag.ask.writing.prompt import SKETCH
from devrag.wiki.checking.shown_names import KEYWORDS

_MARK = re.compile(
    rf"\A(\s*(?:#|//|--|;|%|/\*|\(\*|<!--)\s*){SKETCH.split(',', 1)[0]}\b[^\n]*?"
    r"(\s*(?:\*/|\*\)|-->))?(?=\n|\Z)",
    re.IGNORECASE,
)
# Whoever copies a command runs it.
_SHELLS = frozenset(
    {"sh", "bash", "zsh", "fish", "shell", "console", "terminal", "cmd", "bat"}
    | {"batch", "powershell", "ps1", "pwsh", "dockerfile", "makefile"}
)
_MOST_LINES, _LEAST_KNOWN = 40, 0.4
_WORD = re.compile(r"[A-Za-z_]\w{2,}")


def is_sketch(code: str) -> bool:
    """Return whether code says that it is of no source."""
    return _MARK.match(code) is not None


def with_mark(code: str, mark: str) -> str:
    """Return a sketch whose first line is a comment with these words."""
    return _MARK.sub(lambda m: f"{m.group(1)}{mark}{m.group(2) or ''}", code)


def sketch_problem(code: str, language: str, known: Collection[str]) -> str:
    """Return why a sketch may not be shown, '' where it may. known: the words of the
    passages and the question."""
    body = _MARK.sub("", code)
    if not body.strip():
        return "the sketch is empty"
    if language.lower() in _SHELLS:
        return "a sketch is no command"
    if body.count("\n") > _MOST_LINES:
        return f"a sketch has {_MOST_LINES} lines at most"
    if address := address_in(body):
        return f"{address[:80]} must not be in it"
    words = set(_WORD.findall(body)) - KEYWORDS
    if len(words & set(known)) < _LEAST_KNOWN * len(words):
        return "most names of the sketch are in no passage"
    return ""
