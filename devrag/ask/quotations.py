"""Quote lines in an answer that no model wrote, as they stand: code, lists, tables.

Text of repositories is escaped, so that Markdown shows it as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import dedent
from typing import Literal

from devrag.ask.directives import is_note, shown_lines
from devrag.ask.types import Passage
from devrag.core.plain_markdown import FRONT_MATTER, to_plain
from devrag.core.text import shorten

BlockKind = Literal["text", "list", "code", "table", "heading"]
Worth = Callable[[str, BlockKind], float]
_MOST_LINES, _TICKS = 14, re.compile(r"`{3,}")
_LANGUAGE = re.compile(r"[a-z+#-]+")
_FENCE = re.compile(
    r"^\s*(?P<marks>`{3,}|~{3,})\s*"
    r"(?:\{(?P<directive>[\w:.+-]+)\}\s*)?(?P<language>[\w+#-]*)"
)
_ITEM = re.compile(r"^(?P<indent>\s*)(?P<mark>[-*+•]|\d{1,3}[.)])\s+(?P<text>\S.*)$")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s|^\s*([=~^-])\1{2,}\s*$")
_TABLE = re.compile(r"^\s*\|.*\|\s*$")
_RULE = re.compile(r"^[\s|:-]+$")
_CONTAINER = re.compile(r"^\s*(?::{3,}|\.\.\s|\[\[?toc\]\]?|<!--|---\s*$)")
_MOST_TEXT = 400
_ROLE = re.compile(r"\{[a-z:-]+\}(?=`)")
_SPACES = re.compile(r"\s+")
_SPECIAL = re.compile(r"[\\`*\[\]<>#|]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of a document that belong together. language: of a block of code.

    first, last: where it stands in the text, from 0, with its fences.
    """

    kind: BlockKind
    lines: tuple[str, ...]
    language: str = ""
    first: int = 0
    last: int = 0

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def code_block(passage: Passage, indent: str) -> str:
    """Return the first lines of a passage as a block of code, within a list item."""
    lines = dedent(passage.text).split("\n")
    shown = lines[:_MOST_LINES]
    return indented(fenced("\n".join(shown).rstrip(), passage.language), indent)


def fenced(code: str, language: str) -> str:
    """Return code between fences that none of its lines ends."""
    longest = max(map(len, _TICKS.findall(code)), default=2)
    fence = "`" * (longest + 1)
    name = language if _LANGUAGE.fullmatch(language) else ""
    return f"{fence}{name}\n{code}\n{fence}"


@dataclass(frozen=True, slots=True)
class Quotation:
    """Blocks of a section as Markdown, with the first and last line, from 0."""

    markdown: str
    first: int
    last: int


def quote_blocks(text: str, worth: Worth, indent: str) -> Quotation | None:
    """Return the block of a section with the most worth, and what it introduces.

    worth: of a sentence with the first list, table or code behind it, and what kind
    that is. None where none has any, or it is a sentence alone: that is quoted on one
    line.
    """
    found = [each for each in read_blocks(text) if each.kind != "heading"]
    groups = [
        found[at : at + 2] if is_begun else found[at : at + 1]
        for at, is_begun in enumerate(map(_introduces, found, found[1:]))
    ] + [[each] for each in found[-1:]]
    values = [worth("\n".join(e.text for e in each), each[-1].kind) for each in groups]
    if not any(values):
        return None
    chosen = list(_with_introduced(found[values.index(max(values)) :]))
    if all(each.kind == "text" for each in chosen):
        return None
    said = "\n\n".join(indented(_rendered(each), indent) for each in chosen)
    return Quotation(said, chosen[0].first, chosen[-1].last)


def _introduces(block: Block, after: Block) -> bool:
    """Return whether a sentence is followed by a list, a table or code."""
    return block.kind == "text" and after.kind != "text"


def _with_introduced(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield the first block, and of a sentence the lists, tables and code behind it.

    No more lines than fit.
    """
    lines, chosen = len(blocks[0].lines), list(blocks[:1])
    is_open = blocks[0].kind == "text" or blocks[0].text.rstrip().endswith((":", "："))
    for each in blocks[1:] if is_open else ():
        lines += len(each.lines)
        is_introduced = each.kind != "text" or len(chosen) > 1
        is_next_item = each.kind == chosen[0].kind == "list"
        if (
            is_next_item
            or not is_introduced
            or (lines > _MOST_LINES and len(chosen) > 1)
        ):
            break
        chosen.append(each)
    while len(chosen) > 1 and chosen[-1].kind == "text":
        chosen.pop()
    yield from chosen


def read_blocks(text: str) -> list[Block]:
    """Return the blocks of Markdown or reST, marks of containers left out."""
    found: list[Block] = []
    front = FRONT_MATTER.match(text)
    begin = front[0].count("\n") if front else 0
    lines = iter(list(enumerate(text.split("\n")))[begin:])
    open_kind: BlockKind | None = None
    for at, line in lines:
        if fence := _FENCE.match(line):
            block = _read_fence(lines, fence["marks"], fence["language"], at)
            found += _read_directive(block, fence["directive"] or "")
            open_kind = None
            continue
        kind = _kind_of(line, open_kind)
        if kind is None:
            open_kind = open_kind if open_kind == "list" and not line.strip() else None
        elif kind == open_kind and kind != "heading" and found:
            last = found.pop()
            found.append(replace(last, lines=(*last.lines, line), last=at))
        else:
            found.append(Block(kind, (line,), first=at, last=at))
            open_kind = kind
    return found


def _kind_of(line: str, open_kind: BlockKind | None) -> BlockKind | None:
    """Return what a line belongs to, None for nothing that is shown."""
    if not line.strip() or _CONTAINER.match(line):
        return None
    if _HEADING.match(line):
        return "heading"
    if _TABLE.match(line):
        return "table"
    if _ITEM.match(line) or (open_kind == "list" and line.startswith(" ")):
        return "list"
    return "text"


def _read_fence(
    lines: Iterator[tuple[int, str]], marks: str, language: str, first: int
) -> Block:
    inside: list[str] = []
    last = first
    for at, line in lines:
        last = at
        if line.strip().startswith(marks):
            break
        inside.append(line)
    return Block("code", tuple(inside), language.lower(), first, last)


def _read_directive(block: Block, directive: str) -> list[Block]:
    """Return what a fence shows, nothing of one that lists pages."""
    lines = tuple(shown_lines(directive, block.lines))
    if not lines and directive:
        return []
    kind: BlockKind = "text" if is_note(directive) else "code"
    return [replace(block, kind=kind, lines=lines)]


def _rendered(block: Block) -> str:
    """Return a block as Markdown that shows what it says and does nothing else."""
    lines = list(block.lines[:_MOST_LINES])
    is_cut = len(block.lines) > _MOST_LINES and block.kind != "code"
    while is_cut and len(lines) > 1 and lines[-1].rstrip().endswith((":", "：")):
        lines.pop()  # what it introduces is not shown
    if block.kind == "code":
        return fenced(dedent("\n".join(lines)).rstrip(), block.language)
    if block.kind == "table":
        return "\n".join(map(_row, lines))
    if block.kind == "list":
        return "\n".join(map(_list_line, lines))
    said = plain_words(block.text)
    return escaped(shorten(said, _MOST_TEXT))


def _list_line(line: str) -> str:
    item = _ITEM.match(line)
    if item is None:
        indent = " " * (len(line) - len(line.lstrip()))
        return indent + escaped(plain_words(line.strip()))
    mark = "-" if item["mark"] in "-*+•" else item["mark"]
    return f"{item['indent']}{mark} {escaped(plain_words(item['text']))}"


def _row(line: str) -> str:
    if _RULE.match(line):
        return line.strip()
    cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    return (
        "| " + " | ".join(escaped(plain_words(cell.strip())) for cell in cells) + " |"
    )


def plain_words(text: str, heading: str = "") -> str:
    """Return words without marks, those of MyST and of code in bold words too."""
    return to_plain(_ROLE.sub("", text), heading).replace("**", "")


def escaped(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\g<0>", _SPACES.sub(" ", text))


def indented(text: str, indent: str) -> str:
    """Return text as part of a list item."""
    return "\n".join(f"{indent}{line}" if line else "" for line in text.split("\n"))
