"""Where the blocks of a document or a docstring stand in their file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from devrag.parsing.tokens import count_cjk
from devrag.wiki.analysis.contradicted import is_denied
from devrag.wiki.analysis.documents import DocumentBlock
from devrag.wiki.analysis.passages import is_dangling
from devrag.wiki.analysis.prose import told_sentences
from devrag.wiki.analysis.stale_names import has_stale_name
from devrag.wiki.evidence.page_evidence import MOST_LINES
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.quoted_names import names_of_lines

_HEAD = 24  # characters by which a line is found again
_LEAST_HEAD = 7
_BESIDE = 12  # characters of a text that stand in the line of its name
_TAIL = 12  # characters by which a text's end is found
_LONGEST_TEXT = 20  # lines
_NO_LETTERS = re.compile(r"[\W_]+")
_TABLE_ROW = re.compile(r"(?<=\S)\\?\|(?=\S)")
_CODE = re.compile(r"`[^`]*`")
_MARKUP = re.compile(r"\{@\w+ |[`{}<>]")


@dataclass(frozen=True, slots=True)
class Home:
    """A file, and the lines of the docstring in it that blocks are of.

    Without a docstring the blocks know their own lines.
    """

    file: int
    docstring: tuple[int, int] | None = None

    def lines(
        self, ctx: PageContext, first: DocumentBlock, last: DocumentBlock
    ) -> tuple[int, int]:
        """Return the lines of the file from one block to another."""
        start, end = first.start_line, last.end_line
        if self.docstring is not None:
            found = line_of(ctx.book.lines(self.file), first.text, self.docstring)
            height = end - start
            start, end = self.docstring
            if found is not None:
                start, end = found, min(end, found + height)
        return start, min(end, start + MOST_LINES - 1)

    def cite(self, ctx: PageContext, first: DocumentBlock, last: DocumentBlock) -> str:
        """Return the marker of the lines from one block to another."""
        return ctx.book.cite(self.file, *self.lines(ctx, first, last))

    def sentences(
        self, ctx: PageContext, first: DocumentBlock, last: DocumentBlock
    ) -> list[str]:
        """Return what the first block says; names stay code that its lines have."""
        lines = ctx.book.lines(self.file)
        start, end = self.lines(ctx, first, last)
        names = names_of_lines(ctx, first.text, lines[start - 1 : end])
        found = told_sentences(first.text, names)
        if first.kind == "text":
            found = [s for s in found if not _TABLE_ROW.search(_CODE.sub("", s))]
        if self.docstring is None:
            found = _undenied(found, "\n".join(lines))
        return [s for s in found if not has_stale_name(ctx.analysis, s)]


def _undenied(found: Sequence[str], document: str) -> list[str]:
    """Return sentences without those that are denied, and what leans on them."""
    kept: list[str] = []
    is_left_out = False
    for sentence in found:
        is_left_out = is_denied(sentence, document) or (
            is_left_out and is_dangling(sentence)
        )
        if not is_left_out:
            kept.append(sentence)
    return kept


def line_of(lines: Sequence[str], text: str, within: tuple[int, int]) -> int | None:
    """Return the line in which a text begins, None where it cannot be found."""
    pieces = (piece.strip()[:_HEAD] for piece in _MARKUP.split(text[: 3 * _HEAD]))
    head = next((piece for piece in pieces if len(piece) >= _LEAST_HEAD), "")
    if not head:
        return None
    words = head.rpartition(" ")[0] or head
    below = range(within[0], min(within[1], len(lines)) + 1)
    exact = next((n for n in below if head in lines[n - 1]), None)
    ends = (n for n in below if lines[n - 1].rstrip().endswith(words))
    # Japanese lines are joined without a blank.
    begins = (n for n in below if _begins(head, lines[n - 1]))
    return exact or next(ends, None) or next(begins, None)


def _begins(head: str, line: str) -> bool:
    bare = line.strip(" \t*/#\"'")
    is_long = len(bare) >= _LEAST_HEAD
    return is_long and count_cjk(bare) > 0 and head.startswith(bare)


def line_of_name(
    lines: Sequence[str], name: str, text: str, within: tuple[int, int]
) -> int | None:
    """Return the line that explains a name, None where it cannot be found."""
    bare = name.strip("*")
    below = range(within[0], min(within[1], len(lines)) + 1)
    words = text[:_BESIDE].partition("`")[0].strip()
    named = [n for n in below if bare in lines[n - 1]]
    beside = (n for n in named if words and words in lines[n - 1])
    above = (n for n in named if n < len(lines) and words and words in lines[n])
    return next(beside, None) or next(above, None)


def end_of_text(lines: Sequence[str], text: str, start: int, last: int) -> int:
    """Return the line in which a text ends that begins at or below a line."""
    tail = _bare(text)[-_TAIL:]
    below = range(start, min(last, start + _LONGEST_TEXT, len(lines)) + 1)
    shown = ((end, _bare("".join(lines[start - 1 : end]))) for end in below)
    return next((end for end, text in shown if tail in text), start)


def _bare(text: str) -> str:
    return _NO_LETTERS.sub("", text)
