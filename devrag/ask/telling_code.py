"""The few lines of a definition that have most words of a question: pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import dedent

from devrag.ask.quotations import fenced
from devrag.ask.reasons import AskedWords
from devrag.ask.types import Passage

_MOST_LINES, _WHOLE = 7, 12


@dataclass(frozen=True, slots=True)
class TellingCode:
    """Lines of a passage as Markdown. line: the first of them, in the file."""

    line: int
    markdown: str
    is_whole: bool


def telling_code(passage: Passage, asked: AskedWords) -> TellingCode | None:
    """Return the lines that tell most, all of a short definition.

    None where no line has a word of the question.
    """
    lines = passage.text.split("\n")
    counts = [asked.count_in(line) for line in lines]
    if not any(count >= 1 for count in counts):
        return None
    first, last = 0, len(lines)
    if len(lines) > _WHOLE:
        first = _best_window(lines, counts, asked)
        last = first + _MOST_LINES
    shown = "\n".join(lines[first:last]).rstrip()
    code = fenced(dedent(shown), passage.language)
    is_whole = len(lines) <= _WHOLE
    return TellingCode(passage.start_line + first, code, is_whole)


@dataclass(frozen=True, slots=True)
class BestLines:
    """Consecutive lines of a text. first: where they begin in it, from 0."""

    first: int
    text: str


def best_lines(text: str, asked: AskedWords) -> BestLines | None:
    """Return the lines of a text with most words of a question, None without any."""
    lines = text.split("\n")
    counts = [asked.count_in(line) for line in lines]
    if not any(count >= 1 for count in counts):
        return None
    first = _best_window(lines, counts, asked)
    return BestLines(first, "\n".join(lines[first : first + _MOST_LINES]).rstrip())


def _best_window(
    lines: Sequence[str], counts: Sequence[float], asked: AskedWords
) -> int:
    """Return where the lines begin that have most words, then most lines with some."""

    def worth(at: int) -> tuple[float, float]:
        window = slice(at, at + _MOST_LINES)
        return asked.count_in("\n".join(lines[window])), sum(counts[window])

    starts = [at for at, count in enumerate(counts) if count]
    return max(starts, key=worth)
