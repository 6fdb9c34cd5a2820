"""Deals what search found out to a page's sections, each place to the one it fits.

So a section is given no more than it can use, and a change of lines reaches one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.drafts.record import Record
from devrag.wiki.evidence.blocks import plain
from devrag.wiki.evidence.digests import evidence_digest
from devrag.wiki.evidence.page_evidence import EvidenceItem
from devrag.wiki.writing.model.outline import SectionPlan
from devrag.wiki.writing.model.page_context import ModelPageContext
from devrag.wiki.writing.model.section import chosen_evidence
from devrag.wiki.writing.model.sections import FactSection

_SHORT = 3  # letters of a word that tells nothing


@dataclass(slots=True)
class _Seat:
    """A section while evidence is dealt. left: tokens that it has room for."""

    plan: SectionPlan
    items: list[EvidenceItem]
    words: set[str]
    left: int

    def take(self, item: EvidenceItem) -> None:
        """Give the item to the section."""
        self.plan = replace(self.plan, evidence=(*self.plan.evidence, item.id))
        self.left -= estimate_tokens(item.excerpt)


def share_out(
    order: Iterable[SectionPlan], page_context: ModelPageContext
) -> list[SectionPlan]:
    """Return the sections with what was found and none of them names yet.

    A place goes where its lines are told of, else where its words are.
    """
    seats = [_seat(plan, page_context) for plan in order]
    common = Counter(word for seat in seats for word in seat.words)
    held = {evidence_digest(item) for seat in seats for item in seat.items}
    for item in page_context.found:
        size = estimate_tokens(item.excerpt)
        roomy = [seat for seat in seats if size <= seat.left]
        if evidence_digest(item) not in held and roomy:
            max(roomy, key=lambda seat: _fit(seat, item, common)).take(item)
    return [seat.plan for seat in seats]


def order_again(
    record: Record, facts: Iterable[FactSection], page_context: ModelPageContext
) -> list[SectionPlan]:
    """Return the order of the page before, each section with what it was given.

    What stands changed in a file follows what it took the place of.
    """
    sections = {section.id: section for section in facts}
    known = {evidence_digest(item): item.id for item in page_context.book.items}
    order = []
    dealt = {given.digest for each in record.sections for given in each.given}
    new = [i for i in page_context.found if evidence_digest(i) not in dealt]
    for each in record.sections:
        gone = {given.place for given in each.given if given.digest not in known}
        held = [known[g.digest] for g in each.given if g.digest in known]
        held += [i.id for i in new if f"{i.source}/{i.path}" in gone]
        new = [i for i in new if i.id not in held]
        covered = tuple(sections[key] for key in each.covers)
        order.append(SectionPlan(each.title, each.about, covered, tuple(held)))
    return share_out(order, page_context)


def _seat(plan: SectionPlan, page_context: ModelPageContext) -> _Seat:
    items = chosen_evidence(page_context, plan)
    used = sum(estimate_tokens(item.excerpt) for item in items)
    topic = plain(" ".join([plan.title, plan.about, *_texts(plan.facts)])).casefold()
    words = {word.strip("`.,:;()*") for word in topic.split()}
    room = 0 if plan.is_navigation else page_context.budget.evidence - used
    return _Seat(plan, items, {word for word in words if len(word) > _SHORT}, room)


def _texts(facts: Sequence[FactSection]) -> list[str]:
    return [section.markdown for section in facts]


def _fit(seat: _Seat, item: EvidenceItem, common: Counter[str]) -> tuple[int, float]:
    """Return how many of the section's lines the item shows, and how like it is.

    A word counts less the more sections have it, and a long section is like anything.
    """
    shown = sum(_overlap(item, other) for other in seat.items)
    text = f"{item.path}\n{item.excerpt}".casefold()
    likeness = sum(1 / common[word] for word in seat.words if word in text)
    return shown, likeness / sqrt(len(seat.words) or 1)


def _overlap(item: EvidenceItem, other: EvidenceItem) -> bool:
    return (
        item.file == other.file
        and item.start_line <= other.end_line
        and other.start_line <= item.end_line
    )
