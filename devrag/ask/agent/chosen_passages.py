"""Candidates and passages that a model chose, without overlaps, within tokens: pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from textwrap import dedent

from devrag.ask.evidence.candidates import PassageCandidate
from devrag.ask.types import Passage
from devrag.parsing.tokens import token_weight

_OF_LABEL = 30  # tokens
# Lines of what does not fit whole.
_FEWEST_LINES = 12


def without_overlaps(wanted: Iterable[PassageCandidate]) -> list[PassageCandidate]:
    """Return candidates without lines that another has.

    What holds an earlier one takes its place; of others only the new lines are left.
    """
    kept: list[PassageCandidate] = []
    for each in wanted:
        inside = [other for other in kept if _holds(each, other)]
        if inside:
            at = kept.index(inside[0])
            others = [_outside(other, each) for other in kept]
            others[at] = each
            kept = [other for other in others if other.line_count > 0]
            continue
        rest = each
        for other in kept:
            rest = _outside(rest, other)
        if rest.line_count > 0:
            kept.append(rest)
    return kept


def with_results(
    named: Sequence[PassageCandidate], results: Iterable[PassageCandidate]
) -> list[PassageCandidate]:
    """Add what searches found that is not chosen already."""
    kept = list(named)
    for each in results:
        known = {other.symbol_uuid for other in kept} - {None}
        if each.symbol_uuid not in known and all(
            _outside(each, o) == each for o in kept
        ):
            kept.append(each)
    return kept


def _holds(one: PassageCandidate, other: PassageCandidate) -> bool:
    return (
        one.file == other.file
        and one.start_line <= other.start_line
        and other.end_line <= one.end_line
    )


def _outside(one: PassageCandidate, other: PassageCandidate) -> PassageCandidate:
    """Return the lines before or behind another candidate, none if it holds all."""
    if one.file != other.file:
        return one
    if other.start_line <= one.start_line <= other.end_line:
        return replace(one, start_line=other.end_line + 1)
    if one.start_line < other.start_line <= one.end_line:
        return replace(one, end_line=other.start_line - 1)
    return one


def passage_tokens(passage: Passage) -> float:
    """Return what a passage takes of a prompt."""
    return token_weight(dedent(passage.text)) + _OF_LABEL


def fitting(groups: Iterable[tuple[Sequence[Passage], float]]) -> Iterator[Passage]:
    """Yield passages of groups in their order, without overlaps.

    Each group comes with the tokens up to which all taken by then may grow; of what
    does not fit the first lines are taken.
    """
    used = 0.0
    taken: list[Passage] = []
    for passages, most in groups:
        for each in passages:
            if any(_overlap(each, other) for other in taken):
                continue
            cost = passage_tokens(each)
            left = most - used
            fits = _shortened(each, left / cost) if cost > left else each
            if fits is not None:
                used += passage_tokens(fits)
                taken.append(fits)
                yield fits


def _shortened(passage: Passage, share: float) -> Passage | None:
    """Return the first lines of a passage, None for too few."""
    count = int(passage.line_count * share)
    if count < _FEWEST_LINES:
        return None
    text = "\n".join(passage.text.split("\n")[:count])
    return replace(passage, text=text, end_line=passage.start_line + count - 1)


def _overlap(one: Passage, other: Passage) -> bool:
    return (one.source, one.path) == (other.source, other.path) and (
        one.start_line <= other.end_line and other.start_line <= one.end_line
    )


def numbered(chosen: Iterable[Passage], first: Sequence[Passage]) -> Iterator[Passage]:
    """Yield passages with ids that no other passage of the question has."""
    known = {_place(each): each.id for each in first}
    number = len(first)
    for each in chosen:
        if _place(each) in known:
            yield replace(each, id=known[_place(each)])
            continue
        number += 1
        yield replace(each, id=f"E{number}")


def _place(passage: Passage) -> tuple[str, str, int, int]:
    return passage.source, passage.path, passage.start_line, passage.end_line
