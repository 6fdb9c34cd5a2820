"""Markdown as words on one line, for the excerpts of a list. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FENCE = re.compile(r"^\s*(?:```|~~~)")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*?)[\s#]*$")
_ITEM = re.compile(r"^\s*[*+-]\s+")
_QUOTATION = re.compile(r"^\s*(?:>\s?)+")
_RULE = re.compile(r"^\s*(?:[-*_]\s*){3,}$|^\s*\|?(?:\s*:?-+:?\s*\|)+[\s:|-]*$")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_REFERENCE = re.compile(r"!?\[([^\[\]]+)\]\[[^\[\]]*\]")
_DEFINITION = re.compile(r"^\s{0,3}\[[^\[\]]+\]:\s+\S")
_STRONG = re.compile(r"(\*\*)(?=\S)(.+?)(?<=\S)\1")
_CODE = re.compile(r"(`+)([^`]+)\1")
_ENDS = ".:;,!?。、：？！"


def to_plain(text: str, heading: str = "") -> str:
    """Return a text's words on one line; of its marks only those of items stay.

    heading: what stands above the excerpt already; the text need not begin with it.
    """
    return " ".join(each for each in _lines(text, heading) if each)


def _lines(text: str, heading: str) -> Iterator[str]:
    is_code, is_begun = False, False
    for line in text.split("\n"):
        if _FENCE.match(line):
            is_code = not is_code
            continue
        if is_code:
            yield " ".join(line.split())
            continue
        if _RULE.match(line) or _DEFINITION.match(line):
            continue
        found = _HEADING.match(line)
        if found and not is_begun and found[1] == heading:
            is_begun = True
            continue
        is_begun = is_begun or bool(line.strip())
        yield _heading(found[1]) if found else _words(line)


def _heading(words: str) -> str:
    plain = _inline(words)
    return plain if plain.endswith(tuple(_ENDS)) else f"{plain}:"


def _words(line: str) -> str:
    bare = _QUOTATION.sub("", line).strip("|")
    item = _ITEM.match(bare)
    return f"• {_inline(bare[item.end() :])}" if item else _inline(bare)


def _inline(words: str) -> str:
    """Return words without the marks of links, code and emphasis."""
    pieces, at = [], 0
    plain = _REFERENCE.sub(r"\1", _LINK.sub(r"\1", words))
    for code in _CODE.finditer(plain):
        pieces += [_STRONG.sub(r"\2", plain[at : code.start()]), code[2]]
        at = code.end()
    return " ".join("".join([*pieces, _STRONG.sub(r"\2", plain[at:])]).split())
