"""Places that may become passages, before any is chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.utils.translation import gettext

from devrag.ask.evidence.actions import Action
from devrag.ask.types import Location, PassageKind, Scope
from devrag.parsing.path_roles import is_test
from devrag.search.api import read_question
from devrag.search.types import Hit
from devrag.wiki.api import plain_text

# What a result weighs by its place: 1 / (5 + place). Further ones of a file add to it.
_FIRST_PLACE, _NEXT_OF_FILE = 5, 0.25

_KINDS: dict[str, PassageKind] = {
    "code": "definition",
    "config": "configuration",
    "doc": "documentation",
}
_OF_TESTS = 3.0
_TESTED = re.compile(r"\b(?:un)?tested\b", re.IGNORECASE)
_ABOUT_CHANGES = re.compile(
    r"\b(version|release|chang(e|ed|es|elog)|deprecat\w+|history|upgrad\w+|migrat\w+"
    r"|since)\b|\d\.\d|バージョン|変更|リリース|履歴|廃止|非推奨|移行",
    re.IGNORECASE,
)
# Repeat the documentation in other languages.
_TRANSLATIONS = "po"

# Of Markdown, or of reST by the line below it.
_HEADING = re.compile(
    r"\s*(?:#{1,6} +(.+?) *#*(?:\n|$)|(\S.*)\n([=~^-])\3{2,} *(?:\n|$))"
)
FileKey = tuple[str, str]  # source, path


@dataclass(frozen=True, slots=True)
class PassageCandidate:
    """Lines that may be shown. weight: how useful they are, comparable between kinds.

    file_weight: what they add to their file's weight. why: what they show.
    """

    source: str
    path: str
    start_line: int
    end_line: int
    kind: PassageKind
    weight: float
    file_weight: float
    title: str = ""
    why: str = ""
    symbol_uuid: UUID | None = None

    @property
    def file(self) -> FileKey:
        return self.source, self.path

    @property
    def line_count(self) -> int:
        return self.end_line - self.start_line + 1


def candidates_of_hits(
    hits: Sequence[Hit],
    *,
    share: float = 1.0,
    action: Action = Action(),  # noqa: B008 - frozen
) -> list[PassageCandidate]:
    """Return the results of a search as candidates, in its order.

    share: of the weight that they would have. action: what definitions should do.
    """
    seen: set[FileKey] = set()
    found = []
    of_text = [hit for hit in hits if hit.language != _TRANSLATIONS]
    for place, hit in enumerate(of_text or hits):
        weight = share / (_FIRST_PLACE + place)
        if kind_of(hit) == "definition":
            weight *= action.worth(hit.symbol_name, hit.text)
        is_next = (hit.source_name, hit.path) in seen
        seen.add((hit.source_name, hit.path))
        found.append(
            PassageCandidate(
                source=hit.source_name,
                path=hit.path,
                start_line=hit.start_line,
                end_line=hit.end_line,
                kind=kind_of(hit),
                weight=weight,
                file_weight=weight * (_NEXT_OF_FILE if is_next else 1.0),
                title=hit.symbol_name or heading_of(hit),
                symbol_uuid=hit.symbol_uuid,
            )
        )
    return found


def asks_for_changes(question: str) -> bool:
    """Return whether a question is about versions and what they changed."""
    return _ABOUT_CHANGES.search(question) is not None


def asks_for_tests(question: str) -> bool:
    """Return whether a question wants to see tests: “and where is it tested?”"""
    return (
        read_question(question).is_about_tests or _TESTED.search(question) is not None
    )


def prefer_tests(candidates: Iterable[PassageCandidate]) -> list[PassageCandidate]:
    """Let tests weigh more than what they test."""
    return [
        replace(c, weight=c.weight * _OF_TESTS, file_weight=c.file_weight * _OF_TESTS)
        if c.kind == "test"
        else c
        for c in candidates
    ]


def distinct(candidates: Iterable[PassageCandidate]) -> list[PassageCandidate]:
    """Return candidates once for the same lines, with the most that they weigh."""
    best: dict[tuple[FileKey, int, int], PassageCandidate] = {}
    for each in candidates:
        lines = (each.file, each.start_line, each.end_line)
        if lines not in best or best[lines].weight < each.weight:
            best[lines] = each
    return list(best.values())


def locations_of(candidates: Iterable[PassageCandidate]) -> tuple[Location, ...]:
    """Return where candidates are, the most useful first."""
    return tuple(
        Location(
            each.source,
            each.path,
            each.start_line,
            each.end_line,
            each.title,
            each.symbol_uuid,
        )
        for each in sorted(candidates, key=lambda c: -c.weight)
    )


def heading_of(hit: Hit) -> str:
    """Return the heading of a section, of documentation without its markup."""
    if hit.file_kind != "doc":
        return hit.heading
    first = _HEADING.match(hit.text)
    return plain_text(hit.heading or (first[1] or first[2] if first else ""))


def lines_asked_about(scope: Scope) -> list[PassageCandidate]:
    """Return the lines that a question is about, before everything else."""
    if scope.lines is None or not (scope.source and scope.path):
        return []
    start, end = scope.lines
    return [
        PassageCandidate(
            source=scope.source,
            path=scope.path,
            start_line=start,
            end_line=end,
            kind="definition",
            weight=1.0,
            file_weight=1.0,
            why=gettext("The lines that the question is about"),
        )
    ]


def kind_of(hit: Hit) -> PassageKind:
    """Return what a result is."""
    if is_test(hit.path):
        return "test"
    if hit.file_kind in _KINDS:
        return _KINDS[hit.file_kind]
    return "data"


def file_weights(candidates: Iterable[PassageCandidate]) -> dict[FileKey, float]:
    """Return how much each file is wanted, most first."""
    weights: dict[FileKey, float] = {}
    for each in candidates:
        weights[each.file] = weights.get(each.file, 0.0) + each.file_weight
    return dict(sorted(weights.items(), key=lambda item: -item[1]))
