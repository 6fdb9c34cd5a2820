"""The sections of a page before it is written: as designed, else those of its facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from devrag.wiki.analysis.names import escape
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.writing.model.facts import FactSection
from devrag.wiki.writing.outline.types import PageDesign
from devrag.wiki.writing.structural.other_kinds import is_of_other_kind


@dataclass(frozen=True, slots=True)
class SectionPlan:
    """A section to write. about: the question that it answers; evidence: ids.

    The introduction has no title. is_reference: its tables and diagrams belong to it
    whether the text asks for them or not. is_designed: it is told from evidence and
    from what the pages below say; its own facts only stand in where nothing is told.
    """

    title: str
    about: str
    facts: tuple[FactSection, ...] = ()
    evidence: tuple[str, ...] = ()
    is_reference: bool = False
    is_designed: bool = False

    @property
    def is_navigation(self) -> bool:
        """Return whether its facts only list pages."""
        return bool(self.facts) and all(f.is_navigation for f in self.facts)

    @property
    def is_told(self) -> bool:
        """Return whether a model tells it, not its facts alone.

        What the index counted, such as what no test uses, has no lines that prove it.
        """
        if self.is_navigation:
            return False
        texts = (block.text for fact in self.facts for block in fact.blocks)
        return not self.is_reference or any(map(MARKER.search, texts))


def plan_sections(
    facts: Sequence[FactSection], design: PageDesign | None
) -> list[SectionPlan]:
    """Return the page's sections, the introduction first, without evidence as yet.

    Designed ones take no prose from the page's facts: whole definitions tell more. What
    documents say and which tickets are open follows them.
    """
    lead, *rest = facts
    about = design.question if design else ""
    first = SectionPlan("", about, (lead,))
    if design is None or not design.sections:
        return [
            first,
            *(SectionPlan(f.title, "", (f,), is_reference=True) for f in rest),
        ]
    others = (fact for fact in rest if is_of_other_kind(fact.title))
    return [
        replace(first, is_designed=True),
        *(
            SectionPlan(escape(section.title), section.question, is_designed=True)
            for section in design.sections
        ),
        *(SectionPlan(fact.title, "", (fact,), is_reference=True) for fact in others),
    ]
