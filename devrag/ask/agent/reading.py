"""From what a model chose to passages: definitions whole, within tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from devrag.ask.agent.choices import Choice
from devrag.ask.agent.chosen_passages import (
    fitting,
    numbered,
    passage_tokens,
    with_results,
    without_overlaps,
)
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
from devrag.ask.evidence.definitions import seeds_of, with_whole_definitions
from devrag.ask.evidence.docstrings import without_long_docstrings
from devrag.ask.evidence.neighbours import find_callees
from devrag.ask.evidence.passages import read_passages
from devrag.ask.types import AskRequest, Location, Passage
from devrag.core.errors import DevragError
from devrag.parsing.path_roles import is_test

# Tokens of the passages that an answer is written from; of those that are beside what
# was chosen: what that calls, and where few were chosen, passages of the first search.
MOST_TOKENS, _OF_CALLEES, _FEW_TOKENS = 5_000, 1_000, 800
_CALLEES, _FEWEST_LINES, _CALLEE_LINES = 12, 3, 40
# Lines of a definition, of the head of a long class; docstrings of longer ones are cut.
_MOST_LINES, _LONG_CLASS, _CLASS_LINES, _WITH_DOCSTRING = 200, 140, 50, 60
_SAME_NAME, _HITS, _OF_SEARCH, _HIT_LINES, _SHORT_LINES = 2, 10, 3, 50, 12


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
    named = without_overlaps(c for each, some in found if not each.query for c in some)
    results = (c for each, some in found if each.query for c in some)
    wanted = with_results(named, results)
    chosen = read_passages(_without_docstrings(wanted, request), request.principal)
    if not chosen:
        return ()
    called = with_results(wanted, _callees(reach, request, named))[len(wanted) :]
    used = sum(passage_tokens(each) for each in chosen)
    groups = (
        (chosen, MOST_TOKENS),
        (
            read_passages(called, request.principal),
            min(MOST_TOKENS, used + _OF_CALLEES),
        ),
        (first, _FEW_TOKENS),
    )
    return tuple(numbered(fitting(groups), first))


def _callees(
    reach: Reach, request: AskRequest, named: Sequence[PassageCandidate]
) -> list[PassageCandidate]:
    """Return the short definitions that chosen ones call, the most wanted first."""
    keys = [each.symbol_uuid for each in named if each.symbol_uuid is not None]
    seeds = seeds_of(keys, reach.source_ids)
    return [
        each
        for each in find_callees(request.question, seeds)[:_CALLEES]
        if _FEWEST_LINES <= each.line_count <= _CALLEE_LINES
        and each.path.startswith(reach.path)
        and not is_test(each.path)
    ]


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
        short = [each for each in whole if each.line_count <= _LONG_CLASS]
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
    is_long = kind == "class" and candidate.line_count > _LONG_CLASS
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


def _without_docstrings(
    candidates: Iterable[PassageCandidate], request: AskRequest
) -> list[PassageCandidate]:
    """Return definitions, long ones without most of their docstrings."""
    return [
        part
        for each in candidates
        for part in (
            without_long_docstrings([each], request.principal)
            if each.line_count > _WITH_DOCSTRING
            else [each]
        )
    ]
