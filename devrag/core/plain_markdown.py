"""Markdown as words on one line, for the excerpts of a list. Pure."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

_FENCE = re.compile(r"^\s*(?:```|~~~)")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*?)[\s#]*$")
_COMMENT = re.compile(r"^\s*#{1,6}\s+(?=\S)")
_ITEM = re.compile(r"^\s*[*+-]\s+")
_QUOTATION = re.compile(r"^\s*(?:>\s?)+")
_RULE = re.compile(
    r"^\s*(?:[-*_]\s*){3,}$|^\s{0,3}=+\s*$|^\s*+\|?(?:\s*:?-+:?\s*\|)+[\s:|-]*$"
)
_TARGET = (
    r"\(\s*(?:<[^<>\n]*>|[^()<>\s]|\([^()<>\s]*\))*(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)"
)
_LINK = re.compile(rf"!?\[([^\[\]]*)\]{_TARGET}")
_REFERENCE = re.compile(r"!?\[([^\[\]]+)\]\[[^\[\]]*\]")
FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?s:.)*?\n---[ \t]*(?:\n|\Z)")
# An image that is a link: its words name what it measures, not its value.
_BADGE = re.compile(
    rf"\[!\[[^\[\]]*\](?:{_TARGET}|\[[^\[\]]*\])\](?:{_TARGET}|\[[^\[\]]*\])"
)
_ADDRESS = re.compile(r"<((?:https?://|mailto:)[^<>\s]+)>")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_CONTAINER = re.compile(
    r"^\s*:{3,}\s*(?:\{[^{}]*\}|[a-z-]*)\s*|^\s*\[\[?toc\]\]?\s*$", re.IGNORECASE
)
# Tags and comments, but not within code.
_MARKUP = re.compile(
    r"(?P<code>^[ \t]*(?P<fence>```|~~~)(?s:.)*?(?:^[ \t]*(?P=fence)|\Z)"
    r"|(?P<ticks>`+)[^`\n]+(?P=ticks))"
    r"|<!--(?s:.)*?(?:-->|\Z)"
    r"|</?(?P<tag>a|abbr|b|big|blockquote|br|center|code|dd|del|details|div|dl|dt|em|"
    r"figcaption|figure|font|h[1-6]|hr|i|iframe|img|ins|kbd|li|ol|p|picture|pre|small|"
    r"source|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul|video)"
    r"(?=[\s/>])(?:\"[^\"]*\"|'[^']*'|[^<>\"'])*>",
    re.IGNORECASE | re.MULTILINE,
)
_WITHIN_WORDS = frozenset(
    {
        *("a", "abbr", "b", "big", "code", "del", "em", "font", "i", "ins", "kbd"),
        *("small", "span", "strong", "sub", "sup", "u"),
    }
)
_ROW = re.compile(r"^\s*\|.*\|\s*$")
_BETWEEN_CELLS = re.compile(r"(?<!\\)\|")
_DEFINITION = re.compile(r"^\s{0,3}\[[^\[\]]+\]:\s+\S")
_STRONG = re.compile(r"(\*\*)(?=\S)(.+?)(?<=\S)\1")
_CODE = re.compile(r"(`+)([^`]+)\1")
_ENDS = ".:;,!?。、：？！"


def to_plain(text: str, heading: str = "") -> str:
    """Return a text's words on one line; of its marks only those of items stay.

    Rows of tables end with a semicolon, dots are between their cells.

    heading: what stands above the excerpt already; the text need not begin with it.
    """
    bare = _MARKUP.sub(_without_markup, FRONT_MATTER.sub("", text))
    return " ".join(each for each in _lines(bare, heading) if each).removesuffix(";")


def _without_markup(found: re.Match[str]) -> str:
    if found["code"]:
        return found["code"]
    is_within = (found["tag"] or "").lower() in _WITHIN_WORDS
    return "" if is_within else " "


def _lines(text: str, heading: str) -> Iterator[str]:
    is_code, is_begun = False, False
    for line in text.split("\n"):
        if _FENCE.match(line):
            is_code = not is_code
            continue
        if is_code:
            yield _code(line)
            continue
        if _RULE.match(line) or _DEFINITION.match(line):
            continue
        found = _HEADING.match(line)
        words = found[1] if found else line.strip()
        if heading and words == heading and not is_begun:
            is_begun = True
            continue
        is_begun = is_begun or bool(line.strip())
        yield _heading(words) if found else _words(line)


def _code(line: str) -> str:
    """Return a line of code; a comment says what follows, as a heading does."""
    words = " ".join(_COMMENT.sub("", line).split())
    is_comment = _COMMENT.match(line) and not words.endswith(tuple(_ENDS))
    return f"{words}:" if is_comment else words


def _heading(words: str) -> str:
    plain = _inline(words)
    return plain if plain.endswith(tuple(_ENDS)) else f"{plain}:"


def _words(line: str) -> str:
    if _ROW.match(line):
        cells = _BETWEEN_CELLS.split(line.strip()[1:-1])
        return " · ".join(filter(None, map(_inline, cells))) + ";"
    bare = _CONTAINER.sub("", _QUOTATION.sub("", line)).strip("|")
    item = _ITEM.match(bare)
    return f"• {_inline(bare[item.end() :])}" if item else _inline(bare)


def _inline(words: str) -> str:
    """Return words without badges and the marks of links, code and emphasis."""
    pieces, at = [], 0
    plain = _REFERENCE.sub(r"\1", _LINK.sub(r"\1", _BADGE.sub("", words)))
    for code in _CODE.finditer(plain):
        pieces += [_unmarked(plain[at : code.start()]), code[2]]
        at = code.end()
    return " ".join("".join([*pieces, _unmarked(plain[at:])]).split())


def _unmarked(words: str) -> str:
    """Return words outside code without emphasis, escapes and entities."""
    plain = _STRONG.sub(r"\2", _ADDRESS.sub(r"\1", words))
    return html.unescape(_ESCAPE.sub(r"\1", plain))
