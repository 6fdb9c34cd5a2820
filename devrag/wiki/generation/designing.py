"""Which pages a model's wiki has: designed once, then kept from version to version.

They are designed anew for who asks for it, and when too much of the code has no topic.
"""

from __future__ import annotations

from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.topics.outline import Outline
from devrag.wiki.generation.prepare import plan_in
from devrag.wiki.planning.page_kind import ARCHITECTURE
from devrag.wiki.planning.plan import Plan
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.model.calls import Asking
from devrag.wiki.writing.outline.cover import Checked
from devrag.wiki.writing.outline.design import (
    OutlineRequest,
    ask_for_outline,
    outline_of_pages,
    outline_request,
)
from devrag.wiki.writing.outline.types import PageDesign, WikiDesign


@dataclass(frozen=True, slots=True)
class DesignedWiki:
    """An analysis with the topics of a design. outline: these, None as found."""

    analysis: Analysis
    outline: Outline | None
    design: WikiDesign


def kept_design(
    analysis: Analysis,
    before: WikiDesign | None,
    *,
    is_redesigned: bool = False,
    is_asked: bool = False,
) -> WikiDesign | None:
    """Return the design that stays, None where the model is to be asked for one.

    is_asked: somebody waits for the run, so that what failed is tried again.
    """
    if not analysis.topics:
        return WikiDesign()
    if is_redesigned or before is None or (before.problem and is_asked):
        return None
    return before if before.problem or analysis.is_outline_kept else None


def request_of_design(analysis: Analysis, brief: Brief, window: int) -> OutlineRequest:
    """Return what a model is asked about the topics that were found."""
    plan = plan_in(analysis, brief.language)
    titles = {page.path: page.title for page in plan.pages if page.topic is None}
    architecture = titles.get(ARCHITECTURE, "")
    return outline_request(analysis, [*titles.values()], architecture, brief, window)


def design_wiki(
    analysis: Analysis,
    before: Outline | None,
    brief: Brief,
    window: int,
    asking: Asking,
) -> DesignedWiki:
    """Have a model design the pages; what it cannot leaves the topics as found.

    before: the outline whose pages readers know, so that they keep their addresses.
    """
    request = request_of_design(analysis, brief, window)
    found = ask_for_outline(request, analysis, brief, asking)
    if isinstance(found, str):
        return DesignedWiki(analysis, None, WikiDesign(problem=found))
    outline = outline_of_pages(
        found.pages, analysis.files, analysis.steering_digest, before or Outline()
    )
    designed = Analysis(analysis.survey, analysis.texts, outline)
    plan = plan_in(designed, brief.language)
    return DesignedWiki(designed, outline, _by_path(plan, designed, found))


def _by_path(plan: Plan, analysis: Analysis, checked: Checked) -> WikiDesign:
    designs = {page.title: page.design for page in checked.pages}
    found: dict[str, PageDesign] = {}
    if checked.architecture is not None:
        found[ARCHITECTURE] = checked.architecture
    for page in plan.pages:
        if page.topic is not None:
            design = designs.get(analysis.topics[page.topic].title)
            if design is not None and design != PageDesign():
                found[page.path] = design
    return WikiDesign(found)
