"""Splits a page's Markdown into blocks and sentences, and puts it together again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from devrag.core.text import slugify_ascii
from devrag.wiki.analysis.prose import sentences
from devrag.wiki.evidence.page_evidence import MARKER

_FENCE = re.compile(r"^(```+|~~~+)\s*([\w+-]*)\s*$")
_ITEM = re.compile(r"^(\s*(?:[-*+]|\d+[.)])\s+)(.*)$")
_HEADING = re.compile(r"^(#{1,6})\s+(.*)$")
# Looks for the end first, which is quick: text may have thousands of brackets.
_LINK = re.compile(r"\[(?=[^\]]{0,2000}\])((?:[^\]\\]|\\.){0,1000})\]\(([^)\s]*)\)")
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_MARKUP = re.compile(r"\*\*|\\(?=[\\`*_\[\]<>])")
_MARKERS = re.compile(
    rf"(?:\s*{MARKER.pattern})+(?:\s+(?=[,.!?:](?:\s|$)|[、。！？：]))?"
)
_TICKS = re.compile(r"`{3,}")
CODE_SPAN = re.compile(r"(?<!\\)(`++)(.+?)(?<!`)\1(?!`)")
_HIDDEN = re.compile("\0(\\d+)\0")


@dataclass(frozen=True, slots=True)
class MarkdownBlock:
    """A block of Markdown. kind: heading, fence, item, table, paragraph.

    text: for fences the body, for items what follows the bullet. lead: a heading's
    hashes, an item's bullet, a fence's language.
    """

    kind: str
    text: str
    lead: str = ""

    @property
    def is_prose(self) -> bool:
        return self.kind in {"paragraph", "item"}

    def sentences(self) -> list[str]:
        """Return the sentences of prose, the lines of anything else."""
        return sentences(self.text) if self.is_prose else self.text.split("\n")


def split_blocks(markdown: str) -> list[MarkdownBlock]:
    """Return the page's blocks in order."""
    blocks: list[MarkdownBlock] = []
    lines = markdown.split("\n")
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        block, at = _next_block(lines, at)
        blocks.append(block)
    return blocks


def _next_block(lines: list[str], at: int) -> tuple[MarkdownBlock, int]:
    line = lines[at]
    if fence := _FENCE.match(line):
        return _fence(lines, at, fence.group(1), fence.group(2))
    if heading := _HEADING.match(line):
        return MarkdownBlock(
            "heading", heading.group(2).strip(), heading.group(1)
        ), at + 1
    if item := _ITEM.match(line):
        end = _end(lines, at + 1)
        text = " ".join(
            [item.group(2), *(part.strip() for part in lines[at + 1 : end])]
        )
        return MarkdownBlock("item", text, item.group(1)), end
    end = _end(lines, at + 1)
    if line.startswith("|"):
        return MarkdownBlock("table", "\n".join(lines[at:end])), end
    return MarkdownBlock(
        "paragraph", " ".join(part.strip() for part in lines[at:end])
    ), end


def _fence(
    lines: list[str], at: int, mark: str, language: str
) -> tuple[MarkdownBlock, int]:
    closing = re.compile(rf"\s*{mark}{mark[0]}*\s*")
    end = at + 1
    while end < len(lines) and not closing.fullmatch(lines[end]):
        end += 1
    return MarkdownBlock("fence", "\n".join(lines[at + 1 : end]), language), end + 1


def _end(lines: list[str], at: int) -> int:
    while at < len(lines) and lines[at].strip():
        if any(pattern.match(lines[at]) for pattern in (_FENCE, _HEADING, _ITEM)):
            break
        at += 1
    return at


def cells_of(table: MarkdownBlock) -> list[list[str]]:
    """Return a table's cells row by row, its head first, its rule left aside."""
    lines = table.text.split("\n")
    rows = [lines[0], *lines[2:]]
    return [
        [cell.strip() for cell in _CELL_BORDER.split(row.strip().strip("|"))]
        for row in rows
    ]


def table_of(rows: Sequence[Sequence[str]], sides: Sequence[str] = ()) -> MarkdownBlock:
    """Return a table of these cells, its head first.

    sides: of each column where its cells are aligned, as Markdown has it: `---:`.
    """
    head, *others = (f"| {' | '.join(row)} |" for row in rows)
    rule = f"| {' | '.join(sides or ['---'] * len(rows[0]))} |"
    return MarkdownBlock("table", "\n".join([head, rule, *others]))


def join_blocks(blocks: Iterable[MarkdownBlock]) -> str:
    """Return Markdown with one blank line between blocks, list items kept together."""
    text, previous = "", ""
    for block in blocks:
        if text:
            text += "\n" if previous == block.kind == "item" else "\n\n"
        text += _as_markdown(block)
        previous = block.kind
    return text + "\n"


def _as_markdown(block: MarkdownBlock) -> str:
    if block.kind == "heading":
        return f"{block.lead} {block.text}"
    if block.kind == "fence":
        return fenced(block.text, block.lead)
    return block.lead + block.text


def fenced(code: str, language: str = "") -> str:
    """Return code as a block that no line of it can close."""
    longest = max((len(run) for run in _TICKS.findall(code)), default=2)
    mark = "`" * (longest + 1)
    return f"{mark}{language}\n{code}\n{mark}"


def map_prose(
    blocks: Iterable[MarkdownBlock], change: Callable[[str], str]
) -> list[MarkdownBlock]:
    """Return the blocks with `change` applied to the text of prose and tables."""
    return [
        block
        if block.kind in {"fence", "heading"}
        else replace(block, text=change(block.text))
        for block in blocks
    ]


def without_empty_headings(
    blocks: list[MarkdownBlock], *, leads_on: bool = False
) -> list[MarkdownBlock]:
    """Drop headings below which nothing is left. leads_on: more follows the last."""
    kept: list[MarkdownBlock] = []
    for block in reversed(blocks):
        following = kept[-1] if kept else None
        is_empty = (
            not leads_on
            if following is None
            else following.kind == "heading" and len(following.lead) <= len(block.lead)
        )
        if block.kind != "heading" or not is_empty:
            kept.append(block)
    return kept[::-1]


def anchors_of(blocks: Iterable[MarkdownBlock]) -> set[str]:
    """Return the anchors that the page's headings get."""
    return {anchor(b.text) for b in blocks if b.kind == "heading"}


def anchor(heading: str) -> str:
    """Return a heading's anchor."""
    return slugify_ascii(plain(heading), fallback="section")


def links_in(text: str) -> list[tuple[str, str]]:
    """Return (label, target) of each link in prose; in code there are none."""
    hidden, spans = _hide_code(text)
    found = _LINK.finditer(hidden)
    return [(_show_code(m.group(1), spans), m.group(2)) for m in found]


def unlink(text: str, is_good: Callable[[str], bool]) -> str:
    """Replace links whose target is not good by their label."""
    hidden, spans = _hide_code(text)
    kept = _LINK.sub(lambda m: m.group() if is_good(m.group(2)) else m.group(1), hidden)
    return _show_code(kept, spans)


def plain(text: str) -> str:
    """Return prose without markers, links, emphasis and escapes; code spans stay."""
    hidden, spans = _hide_code(text)
    bare = _MARKUP.sub("", _LINK.sub(r"\1", _MARKERS.sub("", hidden)))
    return _show_code(" ".join(bare.split()), spans)


def _hide_code(text: str) -> tuple[str, list[str]]:
    """Return text with a number for each code span, and the spans."""
    spans: list[str] = []

    def hide(match: re.Match[str]) -> str:
        spans.append(match.group())
        return f"\0{len(spans) - 1}\0"

    return CODE_SPAN.sub(hide, text.replace("\0", "")), spans


def _show_code(text: str, spans: Sequence[str]) -> str:
    return _HIDDEN.sub(lambda match: spans[int(match.group(1))], text)
