"""Evidence as compact text for an agent that answers itself: best first, in a budget.

Each passage has a header `path:lines what`, and comes whole when it fits. What does not
fit is cut to half of what is left, or named only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from devrag.ask.types import Passage
from devrag.mcp.budget import fit_text
from devrag.parsing.tokens import estimate_tokens

# A part of a definition that is shorter says too little of it.
_SHORTEST_PART = 150
# Names of more are not worth what they cost.
_MOST_LEFT_OUT = 8


@dataclass(frozen=True, slots=True)
class Context:
    """left_out: headers of the first passages that did not fit."""

    text: str
    left_out: tuple[str, ...]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class _Piece:
    """Lines of a passage that no better one has shown."""

    header: str
    text: str

    @property
    def tokens(self) -> int:
        return estimate_tokens(f"{self.header}\n{self.text}\n\n")

    def cut(self, tokens: int, terms: Collection[str]) -> _Piece | None:
        """Return what fits, None where that would say too little."""
        left = tokens - estimate_tokens(f"{self.header}\n\n")
        if left < _SHORTEST_PART:
            return None
        return _Piece(self.header, fit_text(self.text, left, terms))


def render_context(
    passages: Sequence[Passage], tokens: int, terms: Collection[str] = ()
) -> Context:
    """Return what fits of passages, most useful first, no line twice.

    terms: what a passage that is cut is cut around.
    """
    has_sources = len({each.source for each in passages}) > 1
    shown: list[str] = []
    left_out: list[str] = []
    is_cut = False
    for piece in _pieces(passages, has_sources=has_sources):
        part = piece if piece.tokens <= tokens else piece.cut(tokens // 2, terms)
        if part is None:
            left_out.append(piece.header)
            continue
        is_cut |= part is not piece
        shown.append(f"{part.header}\n{part.text}")
        tokens -= part.tokens
    return Context("\n\n".join(shown), tuple(left_out[:_MOST_LEFT_OUT]), is_cut)


def _pieces(passages: Iterable[Passage], *, has_sources: bool) -> Iterable[_Piece]:
    """Yield passages without the lines that were in one before."""
    seen: dict[tuple[str, str, str], set[int]] = {}
    for passage in passages:
        key = (passage.product, passage.source, passage.path)
        known = seen.setdefault(key, set())
        lines = passage.text.rstrip("\n").split("\n")
        wanted = range(passage.start_line, passage.start_line + len(lines))
        for run in _runs([number for number in wanted if number not in known]):
            text = "\n".join(lines[number - passage.start_line] for number in run)
            if text.strip():
                yield _Piece(_header(passage, run, has_sources=has_sources), text)
        known.update(wanted)


def _runs(numbers: Sequence[int]) -> list[list[int]]:
    """Return numbers as runs of consecutive ones."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def _header(passage: Passage, run: Sequence[int], *, has_sources: bool) -> str:
    source = f"{passage.source}:" if has_sources else ""
    lines = f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0])
    what = passage.title or passage.kind
    return f"{source}{passage.path}:{lines} {what}"
