"""Redmine's Textile as Markdown, in time that grows with its length. Pure.

The dialect is RedCloth 3 as Redmine has it: a line break is one, quotes and dashes stay
as they are written, HTML is text. Code, macros and links to issues and pages were put
aside before (`markup.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby

from devrag.sources.connectors.pages.markdown import image, link, quoted
from devrag.sources.connectors.redmine.aside import Aside, is_piece
from devrag.sources.connectors.redmine.textile_tables import is_row, textile_table

_MAX_QUOTES = 10
_MAX_LEVELS = 10
# Classes, styles, language and alignment, which are dropped.
_ATTRIBUTES = r"(?:\{[^}\n]{0,200}\}|\([^)\n]{0,100}\)|\[[^\]\n]{0,20}\]|[<>=()]){0,5}"
_BLOCK = re.compile(rf"(h[1-6]|bq|p|fn\d{{1,4}}){_ATTRIBUTES}\.[ \t]+(.*)", re.DOTALL)
_ITEM = re.compile(r"[ \t]{0,10}([*#]{1,20})(?:\{[^}\n]{0,200}\})?[ \t]+(.*)")
_RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_LINK = re.compile(r'(?<![\w"])"([^"\n]+)":([^\s"]+)')
_TITLE = re.compile(r"[ ]?\([^()]*\)$")
_AFTER = re.compile(r"[.,;:!?*_'\]]+$")
_IMAGE = re.compile(
    r"(?<![\w!])!(?:[<>=]|\{[^}\n]{0,200}\}|\([^)\n]{0,100}\))*"
    r"([^\s!(){}\"|]{1,2000})(?:\(([^)\n]{0,300})\))?!(?::([^\s|]+))?"
)
_IS_IMAGE = re.compile(r"[/.][^.]*[A-Za-z]")
# What stands before the first mark of a phrase; after the last no word goes on.
_BEFORE = r"(?<![^\s>(|*_\"'\[])"


def _phrase(mark: str, double: bool = False) -> re.Pattern[str]:
    one, whole = re.escape(mark), re.escape(mark * (2 if double else 1))
    inside = rf"(?:[^{one}\n]|(?<=\w){one}(?=\w)){{1,400}}"
    return re.compile(
        rf"{_BEFORE}{whole}(?![\s{one}])({inside})(?<!\s){whole}(?![\w{one}])"
    )


_PHRASES = (
    (_phrase("*", double=True), "**"),
    (_phrase("*"), "**"),
    (_phrase("_", double=True), "*"),
    (_phrase("_"), "*"),
    (_phrase("?", double=True), "*"),
    (_phrase("-"), "~~"),
    *((_phrase(mark), "") for mark in "+^~%"),
)
_STYLE = re.compile(r"(?:\{[^}\n]*\})+")


class TextileWriter:
    """Writes one text. file: the address of a file that the text names."""

    def __init__(self, aside: Aside, file: Callable[[str], str]) -> None:
        self._aside, self._file = aside, file

    def write(self, text: str) -> str:
        """Return the Markdown of a text."""
        return "\n\n".join(self._blocks(text.split("\n"), 0))

    # -- blocks -------------------------------------------------------------------

    def _blocks(self, lines: list[str], depth: int) -> Iterator[str]:
        for has_words, part in groupby(lines, key=lambda line: bool(line.strip())):
            if has_words:
                yield from self._block(list(part), depth)

    def _block(self, lines: list[str], depth: int) -> Iterator[str]:
        """Yield what is in lines without a blank one among them."""
        at = 0
        while at < len(lines):
            kind = _kind(lines[at])
            end = at + 1
            while end < len(lines) and _goes_on(
                kind, lines[at], lines[end - 1], lines[end]
            ):
                end += 1
            yield from self._piece(kind, lines[at:end], depth)
            at = end

    def _piece(self, kind: str, lines: list[str], depth: int) -> Iterator[str]:
        if kind == "quote" and depth < _MAX_QUOTES:
            inside = [line.lstrip()[1:].removeprefix(" ") for line in lines]
            yield quoted(list(self._blocks(inside, depth + 1)))
        elif kind == "list":
            yield "\n".join(self._items(lines))
        elif kind == "table":
            yield from textile_table(lines, self.inline)
        elif kind == "rule":
            yield "---"
        elif kind == "block":
            yield self._named(lines)
        else:
            yield self._lines(lines)

    def _named(self, lines: list[str]) -> str:
        found = _BLOCK.fullmatch("\n".join(lines))
        name, rest = (found[1], found[2]) if found else ("p", "\n".join(lines))
        if name[0] == "h":
            return f"{'#' * int(name[1])} {self.inline(rest).strip()}"
        text = self._lines(rest.split("\n"))
        if name == "bq":
            return quoted([text])
        return f"[{name[2:]}] {text}" if name.startswith("fn") else text

    def _items(self, lines: list[str]) -> Iterator[str]:
        """Yield the lines of a list, nested by indentation."""
        counts: list[tuple[str, int]] = []
        indent = ""
        for line in lines:
            found = _ITEM.fullmatch(line)
            if found is None:
                yield indent + self.inline(line.strip())
                continue
            depth = min(len(found[1]), len(counts) + 1, _MAX_LEVELS)
            kind = found[1][-1]
            before = counts[depth - 1] if len(counts) >= depth else (kind, 0)
            number = before[1] + 1 if before[0] == kind else 1
            counts[depth - 1 :] = [(kind, number)]
            mark = "- " if kind == "*" else f"{number}. "
            above = "".join("  " if k == "*" else "   " for k, _ in counts[:-1])
            indent = above + " " * len(mark)
            yield above + mark + self.inline(found[2])

    def _lines(self, lines: list[str]) -> str:
        return "  \n".join(self.inline(line.strip()) for line in lines)

    # -- within a line --------------------------------------------------------------

    def inline(self, text: str) -> str:
        """Return what is in a line: links, images, phrases."""
        text = _IMAGE.sub(self._image, text)
        text = _LINK.sub(self._link, text)
        text = _TAG.sub(r"\\<", text)
        return _phrases(text)

    def _link(self, found: re.Match[str]) -> str:
        address = found[2]
        after = _AFTER.search(address)
        if after:
            address = address[: after.start()]
        while address.endswith(")") and address.count(")") > address.count("("):
            address = address[:-1]
        rest = found[2][len(address) :]
        words = _phrases(_TAG.sub(r"\\<", _TITLE.sub("", found[1]) or found[1]))
        return self._aside.put(link(words, address)) + rest

    def _image(self, found: re.Match[str]) -> str:
        name = found[1]
        if not _IS_IMAGE.search(name):
            return found[0]
        words = found[2] or name.rpartition("/")[2]
        written = image(words, name if "/" in name else self._file(name))
        if found[3]:
            written = link(written, found[3])
        return self._aside.put(written)


def _phrases(text: str) -> str:
    for pattern, mark in _PHRASES:
        text = pattern.sub(partial(_marked, mark), text)
    return text


def _marked(mark: str, found: re.Match[str]) -> str:
    return f"{mark}{_STYLE.sub('', found[1], count=1)}{mark}"


def _kind(line: str) -> str:
    if line.lstrip().startswith(">"):
        return "quote"
    if _ITEM.fullmatch(line):
        return "list"
    if is_row(line):
        return "table"
    if _RULE.fullmatch(line):
        return "rule"
    if _BLOCK.match(line):
        return "block"
    return "piece" if is_piece(line) else "text"


def _goes_on(kind: str, first: str, before: str, line: str) -> bool:
    """Return whether a line belongs to the first one and to the one before it."""
    following = _kind(line)
    if kind == "table":
        return following == "table" or not before.rstrip().endswith("|")
    if kind == "list":
        return following in {"list", "text"}
    if kind == "block":
        return following == "text" and first[0] != "h"
    return kind == following and kind in {"quote", "text"}
