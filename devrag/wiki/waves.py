"""In which order pages are written: leaves, the pages above them, then the whole."""

from __future__ import annotations

from devrag.wiki.plan import ARCHITECTURE, INDEX, Plan

WAVES = 3


def waves_of(plan: Plan, *, is_ordered: bool) -> list[list[str]]:
    """Return the pages' paths by wave; within one they do not need each other.

    is_ordered: without, no page needs another and all are in the first.
    """
    if not is_ordered:
        return [[page.path for page in plan.pages], *([] for _ in range(1, WAVES))]
    parents = {page.parent for page in plan.pages}
    waves: list[list[str]] = [[] for _ in range(WAVES)]
    for page in plan.pages:
        if page.path in {INDEX, ARCHITECTURE}:
            waves[2].append(page.path)
        else:
            waves[page.path in parents].append(page.path)
    return waves
