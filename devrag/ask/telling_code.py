"""The few lines of a definition that have most words of a question: pure."""

from __future__ import annotations

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
        first = _best_window(counts)
        last = first + _MOST_LINES
    shown = "\n".join(lines[first:last]).rstrip()
    code = fenced(dedent(shown), passage.language)
    is_whole = len(lines) <= _WHOLE
    return TellingCode(passage.start_line + first, code, is_whole)


def _best_window(counts: list[float]) -> int:
    """Return where the lines begin that have most words, each line by itself."""
    sums = [sum(counts[at : at + _MOST_LINES]) for at in range(len(counts))]
    best = max(sums)
    starts = [at for at, total in enumerate(sums) if total == best and counts[at]]
    return starts[0] if starts else sums.index(best)
