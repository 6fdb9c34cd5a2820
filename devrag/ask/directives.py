"""What a directive of MyST or Sphinx shows of a document: code, a note, or nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from textwrap import dedent

_CODE = frozenset(
    (
        "code",
        "code-block",
        "code-cell",
        "sourcecode",
        "literalinclude",
        "parsed-literal",
    )
)
_NOTES = frozenset(
    (
        "note",
        "tip",
        "hint",
        "info",
        "important",
        "warning",
        "caution",
        "danger",
        "attention",
        "error",
        "seealso",
        "admonition",
        "versionadded",
        "versionchanged",
        "deprecated",
    )
)
_RST = "eval-rst"
_DIRECTIVE = re.compile(r"^\s*\.\.\s+[\w:.+-]+::")
_BLOCK = re.compile(
    r"^(?P<marks>`{3,})\{(?P<directive>[\w:.+-]+)\}[^\n]*\n"
    r"(?P<text>.*?)^(?P=marks)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_OPTION = re.compile(r"^\s*(?::[\w-]+:(?:\s|$)|---\s*$|[\w-]+:\s*\w*\s*$)")


def without_directives(text: str) -> str:
    """Return a text with what its directives show, without their marks."""

    def shown(fence: re.Match[str]) -> str:
        lines = fence["text"].split("\n")
        return "\n".join(shown_lines(fence["directive"], lines))

    return _BLOCK.sub(shown, text)


def is_note(directive: str) -> bool:
    """Return whether a directive has text of the document, set apart."""
    return directive in _NOTES


def shown_lines(directive: str, lines: Sequence[str]) -> list[str]:
    """Return the lines that readers of the document see, none of a list of pages.

    directive: "" for a block of code without one. Of reST the first example.
    """
    if not directive or directive in _CODE | _NOTES:
        return _without_options(lines) if directive else list(lines)
    return _first_example(lines) if directive == _RST else []


def _without_options(lines: Sequence[str]) -> list[str]:
    head = list(takewhile(lambda line: not line.strip() or _OPTION.match(line), lines))
    has_options = any(line.strip() for line in head)
    return list(lines[len(head) :]) if has_options else list(lines)


def _first_example(lines: Sequence[str]) -> list[str]:
    """Return what stands indented below the first directive that has something."""
    found: list[str] = []
    for line in lines:
        is_own = line.startswith((" ", "\t")) and not _OPTION.match(line)
        if is_own and not _DIRECTIVE.match(line):
            found.append(line)
        elif found and not line.strip():
            found.append("")
        elif found:
            break
    return dedent("\n".join(found)).rstrip().split("\n") if found else []
