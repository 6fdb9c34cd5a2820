"""Gives each section the best evidence that there is room for, no line twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.evidence.page_evidence import EvidenceItem
from devrag.wiki.writing.model.page_context import ModelPageContext, SurveyLines
from devrag.wiki.writing.model.section_evidence import SectionEvidence
from devrag.wiki.writing.model.section_plan import SectionPlan

_MOST_PLACES = 14
_FEWEST_LINES = 3  # of what is left of a place beside lines that are taken


class EvidenceDealer:
    """Hands out places to the sections of one page within the budget.

    In requests for a whole page no line is given twice; a request for one section has
    what that section needs.
    """

    def __init__(self, context: ModelPageContext, sections: int) -> None:
        """sections: how many are going to be given something."""
        self._context = context
        self._left = context.budget.evidence
        self._sections = max(1, sections)
        self._taken: list[SurveyLines] = []

    def give(
        self,
        plan: SectionPlan,
        held: Iterable[SurveyLines],
        found: Iterable[SurveyLines],
    ) -> SectionPlan:
        """Return the section with what it was given before and what was found now."""
        budget = self._context.budget
        if not budget.is_whole_page:
            self._left, self._sections, self._taken = budget.evidence, 1, []
        room = self._left // max(1, self._sections)
        self._sections -= 1
        ids: list[str] = []
        for places in (held, found):
            for place in map(self._free, places):
                if place is None or len(ids) >= _MOST_PLACES:
                    continue
                item = self._context.hold(place)
                size = estimate_tokens(item.excerpt)
                if size > room:
                    self._context.cut.append(_address(item))
                    continue
                room -= size
                self._left -= size
                self._taken.append(place)
                ids.append(item.id)
        return replace(plan, evidence=tuple(ids))

    def _free(self, place: SurveyLines) -> SurveyLines | None:
        """Return what of a place no section has, None for too little."""
        for other in self._taken:
            if other.file != place.file or not _overlap(other, place):
                continue
            if place.start_line < other.start_line:
                place = replace(place, end_line=other.start_line - 1)
            else:
                place = replace(place, start_line=other.end_line + 1)
            if place.end_line - place.start_line + 1 < _FEWEST_LINES:
                return None
        return place


def _overlap(one: SurveyLines, other: SurveyLines) -> bool:
    return one.start_line <= other.end_line and other.start_line <= one.end_line


def _address(item: EvidenceItem) -> str:
    return f"{item.path}:{item.start_line}-{item.end_line}"


def choose_evidence(
    plans: Sequence[SectionPlan], finder: SectionEvidence, context: ModelPageContext
) -> list[SectionPlan]:
    """Return the sections with their evidence, the introduction's chosen last."""
    dealer = EvidenceDealer(context, sum(not plan.is_navigation for plan in plans))
    is_shared = context.budget.is_whole_page
    found = finder.best_places if is_shared else finder.places
    chosen = {
        number: dealer.give(plans[number], (), found(number))
        for number in dealing_order(plans)
    }
    return [chosen.get(number, plan) for number, plan in enumerate(plans)]


def dealing_order(plans: Sequence[SectionPlan]) -> list[int]:
    """Return the places of sections that are given evidence, in the order they are."""
    numbers = [n for n, plan in enumerate(plans) if not plan.is_navigation]
    return sorted(numbers, key=lambda n: (plans[n].title == "", n))


def evidence_of(context: ModelPageContext, plan: SectionPlan) -> list[EvidenceItem]:
    """Return the items that a section was given."""
    held = {item.id: item for item in context.book.items}
    return [held[key] for key in plan.evidence if key in held]
