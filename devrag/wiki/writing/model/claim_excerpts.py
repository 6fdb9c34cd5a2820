"""Shows the excerpts of many claims, each line of a file once: pure.

Excerpts of a file that share lines are cut where one of them begins or ends, so that a
claim is held against exactly the lines that it cites.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from textwrap import dedent

from devrag.core.text import one_line

_LEAST_SHARED = 3  # lines, for two excerpts to continue each other
# Signs of a comment and nothing said: `/// <summary>`.
_EMPTY_COMMENT = re.compile(
    r"\s*(?://[/!]?|/\*\*?|\*+)\s*(?:</?[A-Za-z]+/?>\s*)*(?:\*/)?"
)


@dataclass(frozen=True, slots=True)
class ShownExcerpts:
    """Excerpts as a request has them. keys: excerpt → the numbers of its pieces.

    files: the file of each piece.
    """

    pieces: tuple[tuple[str, str, str], ...]
    keys: dict[str, tuple[int, ...]]

    @property
    def files(self) -> list[str]:
        """Return the path of each piece, of the first one first."""
        return [path for path, _, _ in self.pieces]

    def text(self, word: str) -> str:
        """Return the pieces, each below a line with a word that no text has."""
        lines: list[str] = []
        above = ""
        for number, (path, beside, body) in enumerate(self.pieces, 1):
            if path != above:
                lines.append(f"{word} {one_line(path)}")
            lines += [f"{word} P{number} {one_line(beside)}".rstrip(), body]
            above = path
        return "\n".join(lines)

    def references(self, excerpts: Iterable[str]) -> str:
        """Return the pieces of a claim's excerpts as it names them: P1, P4-P6."""
        numbers = sorted(
            {number for text in excerpts for number in self.keys.get(text, ())}
        )
        runs: list[list[int]] = []
        for number in numbers:
            if runs and number == runs[-1][-1] + 1:
                runs[-1].append(number)
            else:
                runs.append([number])
        return ", ".join(
            f"P{run[0]}-P{run[-1]}" if len(run) > 1 else f"P{run[0]}" for run in runs
        )


@dataclass(slots=True)
class _Run:
    """Lines of a file without a gap. spans: excerpt → its lines, from and to."""

    lines: list[str]
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)

    def take(self, text: str, lines: list[str]) -> bool:
        """Take an excerpt in if it is in these lines or continues them."""
        size = len(lines)
        for start in range(len(self.lines) - size + 1):
            if self.lines[start : start + size] == lines:
                self.spans[text] = start, start + size
                return True
        if shared := _shared(self.lines, lines):
            start = len(self.lines) - shared
            self.lines += lines[shared:]
            self.spans[text] = start, start + size
            return True
        if shared := _shared(lines, self.lines):
            more = size - shared
            self.lines = lines[:more] + self.lines
            self.spans = {t: (a + more, b + more) for t, (a, b) in self.spans.items()}
            self.spans[text] = 0, size
            return True
        return False


def show_excerpts(excerpts: Iterable[str]) -> ShownExcerpts:
    """Return excerpts, each as it was shown to its writer, in pieces by file."""
    by_path: dict[str, list[str]] = {}
    for text in dict.fromkeys(excerpts):
        by_path.setdefault(text.partition("\n")[0], []).append(text)
    pieces: list[tuple[str, str, str]] = []
    keys: dict[str, tuple[int, ...]] = {}
    for path, texts in by_path.items():
        for run in _runs(texts):
            cuts = sorted({end for span in run.spans.values() for end in span})
            for start, end in pairwise(cuts):
                body = _compact(run.lines[start:end])
                if not body:
                    continue
                holding = [t for t, (a, b) in run.spans.items() if a <= start < b]
                for text in holding:
                    keys[text] = (*keys.get(text, ()), len(pieces) + 1)
                inner = min(holding, key=len)
                pieces.append((path, _split(inner)[0], body))
    return ShownExcerpts(tuple(pieces), keys)


def _runs(texts: Iterable[str]) -> list[_Run]:
    runs: list[_Run] = []
    for text in sorted(texts, key=len, reverse=True):
        lines = _split(text)[1]
        if not any(run.take(text, lines) for run in runs):
            runs.append(_Run(list(lines), {text: (0, len(lines))}))
    return runs


def _split(text: str) -> tuple[str, list[str]]:
    """Return what stands beside an excerpt's path, and its lines."""
    _, *lines = text.split("\n")
    return (lines[0], lines[1:]) if len(lines) > 1 else ("", lines or [text])


def _shared(one: list[str], other: list[str]) -> int:
    """Return how many lines at the end of one are those at the start of the other."""
    most = min(len(one), len(other))
    sizes = range(most, _LEAST_SHARED - 1, -1)
    return next((size for size in sizes if one[-size:] == other[:size]), 0)


def _compact(lines: Iterable[str]) -> str:
    """Return lines without common indentation and without empty comments."""
    told = [line.rstrip() for line in lines if not _EMPTY_COMMENT.fullmatch(line)]
    return dedent("\n".join(told)).strip("\n")
