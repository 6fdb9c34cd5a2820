"""Keeps what a section was given: moves within the ranks of search rewrite nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.drafts.record import Given, Record
from devrag.wiki.evidence.digests import words_digest
from devrag.wiki.evidence.location import NormalisedLines
from devrag.wiki.writing.model.chosen_evidence import EvidenceDealer, dealing_order
from devrag.wiki.writing.model.page_context import ModelPageContext, SurveyLines
from devrag.wiki.writing.model.section_evidence import SectionEvidence
from devrag.wiki.writing.model.section_plan import SectionPlan
from devrag.wiki.writing.model.whole_places import WholePlaces


class StableEvidence:
    """Finds what the sections of a published page were given, where it stands now.

    What is found beside it counts only in files that are news to the page: new to the
    product, or changed where they were given. known: `source/path` → content hash, as
    of the version before.
    """

    def __init__(
        self, analysis: Analysis, record: Record, known: Mapping[str, str]
    ) -> None:
        self._analysis = analysis
        self._record = record
        self._files = {f"{f.source}/{f.path}": f for f in analysis.survey.files}
        self._news = {f.id for place, f in self._files.items() if place not in known}

    def choose(
        self,
        plans: Sequence[SectionPlan],
        finder: SectionEvidence,
        context: ModelPageContext,
    ) -> list[SectionPlan]:
        """Return the sections with their evidence of before, and what is news."""
        held = [self._held(number) for number in range(len(plans))]
        order = dealing_order(plans)
        dealer = EvidenceDealer(context, len(order))
        chosen = {}
        for number in order:
            found = finder.best_places(number) if self._news else []
            news = [place for place in found if place.file in self._news]
            chosen[number] = dealer.give(number, plans[number], held[number], news)
        return [chosen.get(number, plan) for number, plan in enumerate(plans)]

    def _held(self, number: int) -> list[SurveyLines]:
        """Return where a section's evidence stands now; files without it are news."""
        found = []
        for given in self._record.sections[number].given:
            file = self._files.get(given.place)
            if file is None:
                continue
            place = _present_place(given, file, self._analysis)
            if place is None:
                self._news.add(file.id)
            else:
                found.append(place)
        return found


def _present_place(
    given: Given, file: SurveyFile, analysis: Analysis
) -> SurveyLines | None:
    """Return where the lines stand now, else what bears their name, None for neither.

    Of several places the nearest.
    """
    near = given.start_line
    if file.content_hash == given.content_hash:
        return SurveyLines(file.id, near, given.end_line, given.name)
    standing = (
        lines
        for lines, words in NormalisedLines(analysis.texts.text(file.id)).runs(
            given.size
        )
        if words_digest(given.place, words) == given.digest
    )
    lines = min(standing, key=lambda found: abs(found[0] - near), default=None)
    if lines is not None:
        return SurveyLines(file.id, *lines, given.name)
    return WholePlaces(analysis).named(file, given.name, near) if given.name else None
