"""Gives each section the best evidence that fits, no line twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.evidence.page_evidence import EvidenceItem
from devrag.wiki.writing.model.page_context import ModelPageContext, SurveyLines
from devrag.wiki.writing.model.section_evidence import SectionEvidence
from devrag.wiki.writing.model.section_plan import SectionPlan

_MOST_PLACES = 14
_NO_LIMIT = 1_000_000
_OF_REFERENCE = 0.6
_OF_FIRST = 2  # times its share a section may take for its best place
_FEWEST_TOKENS = 500  # for each section after one that takes more than its share
_MOST_WAITING = 4  # of a section, when others left some
_GAP = 2  # of lines, from the last of a piece to the first of the next
_FEWEST_LINES = 3  # of what is left of a place beside lines that are taken


class EvidenceDealer:
    """Hands out places to the sections of one page within the budget.

    In requests for a whole page no line is given twice, and what some sections leave is
    given to those whose places did not fit; a request for one section has what that
    section needs.
    """

    def __init__(
        self, context: ModelPageContext, sections: int, *, share: float = 1.0
    ) -> None:
        """sections: how many are going to be given something; share: of the budget."""
        self._context = context
        self._left = round(context.budget.evidence * share)
        self._sections = max(1, sections)
        self._taken: list[SurveyLines] = []
        self._waiting: dict[int, list[SurveyLines]] = {}

    def give(
        self,
        number: int,
        plan: SectionPlan,
        held: Iterable[SurveyLines],
        found: Iterable[SurveyLines],
    ) -> SectionPlan:
        """Return a section with what it was given before and what was found now.

        What it was given before fitted then, and stays.
        """
        budget = self._context.budget
        if not budget.is_whole_page:
            self._left, self._sections, self._taken = budget.evidence, 1, []
        most_tokens = self._left // max(1, self._sections)
        self._sections -= 1
        waiting = self._waiting[number] = []
        ids: list[str] = []
        before, kept = self._left, _FEWEST_TOKENS * self._sections
        for place in held:
            ids += self._take(place, _NO_LIMIT)
        for place in found:
            if len(ids) >= _MOST_PLACES:
                break
            of_first = min(most_tokens * _OF_FIRST, before - kept)
            most = most_tokens if ids else max(most_tokens, of_first)
            taken = self._take(place, min(most - (before - self._left), self._left))
            ids += taken
            if not taken and self._free(place):
                waiting.append(place)
        if not budget.is_whole_page:
            self._context.cut += map(self._address, waiting)
        return replace(plan, evidence=tuple(ids))

    def give_rest(self, plans: Mapping[int, SectionPlan]) -> dict[int, SectionPlan]:
        """Return sections with the best of what did not fit, while tokens are left."""
        ids = {number: list(plan.evidence) for number, plan in plans.items()}
        free = {n: [*filter(self._free, self._waiting.get(n, ()))] for n in plans}
        for turn in range(_MOST_WAITING):
            for number, places in free.items():
                for place in places[turn : turn + 1]:
                    ids[number] += self._take(place, self._left)
        left = (place for places in free.values() for place in places)
        self._context.cut += map(self._address, filter(self._free, left))
        return {n: replace(p, evidence=tuple(ids[n])) for n, p in plans.items()}

    def _take(self, place: SurveyLines, most_tokens: int) -> list[str]:
        """Return the items of a place if it is free and fits."""
        pieces = self._free(place)
        items = [self._context.hold(piece) for piece in pieces]
        size = sum(estimate_tokens(item.excerpt) for item in items)
        if size > most_tokens:
            return []
        self._left -= size
        self._taken += pieces
        return [item.id for item in items]

    def _address(self, place: SurveyLines) -> str:
        item = self._context.hold(place)
        return f"{item.path}:{item.start_line}-{item.end_line}"

    def _free(self, place: SurveyLines) -> list[SurveyLines]:
        """Return what of a place no section has, without pieces of a few lines."""
        pieces = [place]
        for other in self._taken:
            pieces = [rest for piece in pieces for rest in _without(piece, other)]
        return [p for p in pieces if p == place or p.size >= _FEWEST_LINES]


def _without(place: SurveyLines, other: SurveyLines) -> list[SurveyLines]:
    """Return a place without the lines of another one."""
    if place.file != other.file or not _overlap(place, other):
        return [place]
    before = replace(place, end_line=other.start_line - 1)
    after = replace(place, start_line=other.end_line + 1)
    return [piece for piece in (before, after) if piece.size > 0]


def _overlap(one: SurveyLines, other: SurveyLines) -> bool:
    return one.start_line <= other.end_line and other.start_line <= one.end_line


def choose_evidence(
    plans: Sequence[SectionPlan], finder: SectionEvidence, context: ModelPageContext
) -> list[SectionPlan]:
    """Return the sections with their evidence, the introduction's chosen last."""
    order = dealing_order(plans)
    # Reference sections have most of what they tell in their facts.
    is_reference = any(plan.is_reference for plan in plans)
    share = _OF_REFERENCE if is_reference else 1.0
    dealer = EvidenceDealer(context, len(order), share=share)
    is_shared = context.budget.is_whole_page
    found = finder.best_places if is_shared else finder.places
    chosen = {n: dealer.give(n, plans[n], (), found(n)) for n in order}
    if is_shared:
        chosen = dealer.give_rest(chosen)
    return [
        _joined(chosen[number], context) if number in chosen else plan
        for number, plan in enumerate(plans)
    ]


def _joined(plan: SectionPlan, context: ModelPageContext) -> SectionPlan:
    """Return a section whose pieces of one definition are one place again."""
    places: list[SurveyLines] = []
    for item in evidence_of(context, plan):
        name = context.names.get(item.id, "")
        place = SurveyLines(item.file, item.start_line, item.end_line, name)
        for other in [p for p in places if _are_pieces(p, place)]:
            places.remove(other)
            place = _around(other, place)
        places.append(place)
    return replace(plan, evidence=tuple(context.hold(p).id for p in places))


def _are_pieces(one: SurveyLines, other: SurveyLines) -> bool:
    """Return whether two places follow each other in one definition, or are inside."""
    first, second = sorted((one, other), key=lambda p: p.start_line)
    is_next = one.file == other.file and second.start_line - first.end_line <= _GAP
    outer, inner = sorted((one.name, other.name), key=len)
    return is_next and bool(outer) and f"{inner}.".startswith(f"{outer}.")


def _around(one: SurveyLines, other: SurveyLines) -> SurveyLines:
    outer = min(one, other, key=lambda p: len(p.name))
    start, end = (
        min(one.start_line, other.start_line),
        max(one.end_line, other.end_line),
    )
    return replace(outer, start_line=start, end_line=end)


def dealing_order(plans: Sequence[SectionPlan]) -> list[int]:
    """Return the places of sections that are given evidence, in the order they are."""
    numbers = [n for n, plan in enumerate(plans) if plan.is_told]
    return sorted(numbers, key=lambda n: (plans[n].title == "", n))


def evidence_of(context: ModelPageContext, plan: SectionPlan) -> list[EvidenceItem]:
    """Return the items that a section was given."""
    held = {item.id: item for item in context.book.items}
    return [held[key] for key in plan.evidence if key in held]
