"""From what a model chose to passages: definitions whole, within tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from textwrap import dedent

from devrag.ask.agent.choices import Choice
from devrag.ask.agent.lookups import (
    candidate_of,
    candidate_of_lines,
    cut_lines,
    find_definitions,
    search_hits,
)
from devrag.ask.agent.outline import Outline, OutlineEntry
from devrag.ask.agent.reach import Reach
from devrag.ask.evidence.candidates import PassageCandidate, candidates_of_hits
from devrag.ask.evidence.definitions import with_whole_definitions
from devrag.ask.evidence.docstrings import without_long_docstrings
from devrag.ask.evidence.passages import read_passages
from devrag.ask.types import AskRequest, Location, Passage
from devrag.core.errors import DevragError
from devrag.parsing.path_roles import is_test
from devrag.parsing.tokens import token_weight

# Of the passages that an answer is written from. So many with the ones that were not
# chosen, where few were.
MOST_TOKENS, _FEW_TOKENS = 5_000, 800
_OF_LABEL = 30
# Lines of a definition, of the head of a long class; docstrings of longer ones are cut.
_MOST_LINES, _CLASS_LINES, _WITH_DOCSTRING = 140, 50, 60
_SAME_NAME, _HITS, _OF_SEARCH, _HIT_LINES, _SHORT_LINES = 2, 10, 3, 50, 12
# Lines of what does not fit whole.
_FEWEST_LINES = 12


def find_chosen(
    request: AskRequest,
    outline: Outline,
    choices: Sequence[Choice],
    first: Sequence[Passage],
) -> tuple[Passage, ...]:
    """Return the passages that a model chose, what it wants most first.

    first: of the first search, which keep their ids and follow where few were chosen.
    Nothing is returned where nothing was chosen.
    """
    reach = Reach.of(request)
    found = [(each, _candidates(reach, outline, each)) for each in choices]
    named = _without_overlaps(c for each, some in found if not each.query for c in some)
    wanted = _with_results(
        named, (c for each, some in found if each.query for c in some)
    )
    parts = [part for each in wanted for part in _without_docstring(each, request)]
    read = read_passages(parts, request.principal)
    if not read:
        return ()
    return tuple(_numbered(_fitting(read, first), first))


def _candidates(
    reach: Reach, outline: Outline, choice: Choice
) -> list[PassageCandidate]:
    """Return what a choice means, nothing for what is not there."""
    try:
        return list(_found(reach, outline, choice))
    except DevragError:
        return []


def _found(
    reach: Reach, outline: Outline, choice: Choice
) -> Iterable[PassageCandidate]:
    if choice.query:
        hits = search_hits(reach, choice.query, limit=_HITS)
        best = candidates_of_hits(hits)[:_OF_SEARCH]
        whole = with_whole_definitions(best, reach.principal)
        # Of more, such as a large class, the first lines are not what was found.
        short = [each for each in whole if each.line_count <= _MOST_LINES]
        return [cut_lines(_with_lines_around(each), _HIT_LINES) for each in short]
    if choice.name:
        rows = find_definitions(reach, choice.name)[:_SAME_NAME]
        return [_cut(candidate_of(row.symbol), row.symbol.kind) for row in rows]
    if choice.path and choice.lines:
        _, lines = candidate_of_lines(reach, choice.path, *choice.lines)
        return [cut_lines(lines, _MOST_LINES)]
    if 0 < choice.number <= len(outline.entries):
        return _of_entry(outline.entries[choice.number - 1], choice.lines)
    return []


def _of_entry(
    entry: OutlineEntry, lines: tuple[int, int] | None
) -> Iterator[PassageCandidate]:
    """Yield an entry, or the part of it that was asked for."""
    whole = _candidate_at(entry.location)
    if lines is None:
        yield _cut(whole, entry.kind)
        return
    start, end = max(whole.start_line, lines[0]), min(whole.end_line, lines[1])
    if start <= end:
        part = replace(whole, start_line=start, end_line=end)
        yield cut_lines(part, _MOST_LINES)


def _cut(candidate: PassageCandidate, kind: str) -> PassageCandidate:
    """Return a definition as far as it is read: of a long class only the head."""
    is_long = kind == "class" and candidate.line_count > _MOST_LINES
    return cut_lines(candidate, _CLASS_LINES if is_long else _MOST_LINES)


def _with_lines_around(candidate: PassageCandidate) -> PassageCandidate:
    """Return a short result with the lines that lead to it and follow it."""
    if candidate.line_count >= _SHORT_LINES:
        return candidate
    start = max(1, candidate.start_line - _SHORT_LINES // 2)
    end = candidate.end_line + _SHORT_LINES // 2
    return replace(candidate, start_line=start, end_line=end)


def _candidate_at(location: Location) -> PassageCandidate:
    return PassageCandidate(
        source=location.source,
        path=location.path,
        start_line=location.start_line,
        end_line=location.end_line,
        kind="test" if is_test(location.path) else "definition",
        weight=0.0,
        file_weight=0.0,
        title=location.title,
        symbol_uuid=location.symbol_uuid,
    )


def _without_docstring(
    candidate: PassageCandidate, request: AskRequest
) -> list[PassageCandidate]:
    """Return a definition, without most of its docstring where it is long."""
    if candidate.line_count <= _WITH_DOCSTRING:
        return [candidate]
    return without_long_docstrings([candidate], request.principal)


def _without_overlaps(wanted: Iterable[PassageCandidate]) -> list[PassageCandidate]:
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


def _with_results(
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


def _fitting(read: Sequence[Passage], first: Sequence[Passage]) -> Iterator[Passage]:
    """Yield what fits, the last of it cut; first ones up to fewer tokens."""
    left = float(MOST_TOKENS)
    taken: list[Passage] = []
    for each in [*read, *first]:
        if each in first and left < MOST_TOKENS - _FEW_TOKENS:
            return
        if any(_overlap(each, other) for other in taken):
            continue
        cost = token_weight(dedent(each.text)) + _OF_LABEL
        fits = _shortened(each, left / cost) if cost > left else each
        if fits is None:
            continue
        left -= token_weight(dedent(fits.text)) + _OF_LABEL
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


def _numbered(chosen: Iterable[Passage], first: Sequence[Passage]) -> Iterator[Passage]:
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
