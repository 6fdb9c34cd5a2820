"""Which pages a model's wiki has: designed once, then kept from version to version.

They are designed anew for who asks for it, and when too much of the code has no topic.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

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
    """An analysis with the topics of a design. outline: these, None as found.

    faults: what the model was asked to put right and did not.
    """

    analysis: Analysis
    outline: Outline | None
    design: WikiDesign
    faults: tuple[str, ...] = ()


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
    if not analysis.topics or analysis.is_of_documents:
        return WikiDesign()
    if is_redesigned or before is None or (before.problem and is_asked):
        return None
    if analysis.is_outline_kept:
        return before
    return WikiDesign(problem=before.problem) if before.problem else None


def request_of_design(analysis: Analysis, brief: Brief, window: int) -> OutlineRequest:
    """Return what a model is asked about the topics that were found."""
    plan = plan_in(analysis, brief.language)
    titles = {page.path: page.title for page in plan.pages if page.topic is None}
    architecture = titles.get(ARCHITECTURE, "")
    return outline_request(analysis, [*titles.values()], architecture, brief, window)


def design_wiki(
    analysis: Analysis,
    before: Outline | None,
    design: WikiDesign | None,
    brief: Brief,
    window: int,
    asking: Asking,
) -> DesignedWiki:
    """Have a model design the pages; without an answer to use they stay as they are.

    before, design: the outline whose pages readers know, so that they keep their
    addresses, and what it was designed as.
    """
    request = request_of_design(analysis, brief, window)
    found = ask_for_outline(request, analysis, brief, asking)
    if isinstance(found, str):
        return _as_before(analysis, before, design or WikiDesign(), problem=found)
    outline = outline_of_pages(
        found.pages, analysis.files, analysis.steering_digest, before or Outline()
    )
    designed = Analysis(analysis.survey, analysis.texts, outline)
    plan = plan_in(designed, brief.language)
    design = _by_path(plan, designed, found)
    return DesignedWiki(designed, outline, design, found.faults)


def _as_before(
    analysis: Analysis, before: Outline | None, design: WikiDesign, problem: str
) -> DesignedWiki:
    """Return the pages that readers know; those found where they do not hold."""
    kept = Analysis(analysis.survey, analysis.texts, before)
    if kept.is_outline_kept:
        return DesignedWiki(kept, before, replace(design, problem=problem))
    return DesignedWiki(kept, before, WikiDesign(problem=problem))


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
