"""Text of Python nodes: flattened signatures, cleaned docstrings, literals."""

from __future__ import annotations

import inspect
import re

from tree_sitter import Node

from devrag.parsing.code.text import node_text
from devrag.parsing.source import SourceText

_COMMENT_TAIL = re.compile(r"#[^\n\"']*$", re.MULTILINE)
_OPEN_GAP = re.compile(r"([(\[{])\s+")
_CLOSE_GAP = re.compile(r",?\s+([)\]}])")
_QUOTES = re.compile(r"([A-Za-z]*)(\"\"\"|'''|\"|')")


def flat(text: str) -> str:
    """Return the text on one line, as a person would write it on one."""
    if "\n" not in text:
        return text
    joined = " ".join(_COMMENT_TAIL.sub("", text).split())
    return _CLOSE_GAP.sub(r"\1", _OPEN_GAP.sub(r"\1", joined))


def docstring_of(source: SourceText, body: Node | None) -> str:
    """Return the cleaned docstring that a body or module starts with, or ''."""
    if body is None:
        return ""
    for child in body.named_children[:20]:
        if child.type == "comment":
            continue
        if child.type != "string":
            return ""
        return inspect.cleandoc(string_value(node_text(source, child))).strip()
    return ""


def string_value(literal: str) -> str:
    """Return what stands between the quotes; '' for bytes and f-strings."""
    match = _QUOTES.match(literal)
    if not match or set(match[1].lower()) - {"r", "u"}:
        return ""
    quotes = match[2]
    return literal[match.end() :].removesuffix(quotes)
