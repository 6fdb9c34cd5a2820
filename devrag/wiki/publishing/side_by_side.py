"""Two texts beside each other: which rows are the same, new, gone and changed. Pure."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)
# Code and words of Latin scripts whole, others by letter: Japanese has no blanks.
_WORD = re.compile(r"`[^`\n]+`|[A-Za-z0-9_]+|\s+|.", re.DOTALL)
# What is the same for fewer characters between two changes reads as changed.
_SHORTEST_SAME = 3
_MOST_PAIRS = 250_000
_AROUND = 2


@dataclass(frozen=True, slots=True)
class Row(Generic[T]):
    """kind: same, changed, added, removed. before, after: None where there is none."""

    kind: str
    before: T | None
    after: T | None


@dataclass(frozen=True, slots=True)
class RowGroup(Generic[T]):
    """Rows that belong together. is_folded: unchanged ones far from any change."""

    is_folded: bool
    rows: tuple[Row[T], ...]


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A piece of a changed line. is_marked: only this side has it."""

    text: str
    is_marked: bool


@dataclass(frozen=True, slots=True)
class ChangedPiece:
    """A piece of two lines in one. kind: '' for both, added, removed."""

    text: str
    kind: str = ""


def pair(
    before: Sequence[T],
    after: Sequence[T],
    keys: tuple[Sequence[Hashable], Sequence[Hashable]] | None = None,
) -> list[Row[T]]:
    """Return the rows of both sides in order. keys: what makes rows equal."""
    old, new = keys or (before, after)
    rows: list[Row[T]] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes():
        both = min(b - a, d - c)
        kind = "same" if tag == "equal" else "changed"
        rows += [Row(kind, before[a + n], after[c + n]) for n in range(both)]
        rows += [Row("removed", each, None) for each in before[a + both : b]]
        rows += [Row("added", None, each) for each in after[c + both : d]]
    return rows


def fold(rows: Sequence[Row[T]]) -> Iterator[RowGroup[T]]:
    """Put unchanged rows that are far from any change aside."""
    runs = [
        (same, list(run)) for same, run in groupby(rows, lambda r: r.kind == "same")
    ]
    for number, (is_same, run) in enumerate(runs):
        head = 0 if number == 0 else _AROUND
        tail = 0 if number == len(runs) - 1 else _AROUND
        if not is_same or len(run) <= head + tail + 1:
            yield RowGroup(False, tuple(run))
            continue
        end = len(run) - tail
        yield RowGroup(False, tuple(run[:head]))
        yield RowGroup(True, tuple(run[head:end]))
        yield RowGroup(False, tuple(run[end:]))


def compare_words(before: str, after: str) -> tuple[list[TextPiece], list[TextPiece]]:
    """Return two lines in pieces, marked where they differ."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    if len(old) * len(new) > _MOST_PAIRS:
        return [TextPiece(before, True)], [TextPiece(after, True)]
    left: list[TextPiece] = []
    right: list[TextPiece] = []
    for tag, a, b, c, d in _opcodes(old, new):
        if b > a:
            left.append(TextPiece("".join(old[a:b]), tag != "equal"))
        if d > c:
            right.append(TextPiece("".join(new[c:d]), tag != "equal"))
    return left, right


def merge_words(before: str, after: str) -> list[ChangedPiece]:
    """Return two lines as one: what went stands before what came in its place."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    if len(old) * len(new) > _MOST_PAIRS:
        return [ChangedPiece(before, "removed"), ChangedPiece(after, "added")]
    pieces: list[ChangedPiece] = []
    for tag, a, b, c, d in _opcodes(old, new):
        if tag == "equal":
            pieces.append(ChangedPiece("".join(new[c:d])))
            continue
        pieces += [ChangedPiece("".join(old[a:b]), "removed")] if b > a else []
        pieces += [ChangedPiece("".join(new[c:d]), "added")] if d > c else []
    return pieces


def _opcodes(
    old: Sequence[str], new: Sequence[str]
) -> list[tuple[str, int, int, int, int]]:
    """Return runs of equal and other words; tiny equal ones join their neighbours."""
    found = SequenceMatcher(None, old, new, False).get_opcodes()
    joined: list[tuple[str, int, int, int, int]] = []
    for number, (tag, a, b, c, d) in enumerate(found):
        is_inner = 0 < number < len(found) - 1
        is_tiny = is_inner and len("".join(old[a:b])) < _SHORTEST_SAME
        own = "replace" if is_tiny else tag
        if joined and own != "equal" and joined[-1][0] != "equal":
            _, first, _, other, _ = joined.pop()
            joined.append(("replace", first, b, other, d))
        else:
            joined.append((own, a, b, c, d))
    return joined
