"""In which order pages are written: leaves, level by level those above, the whole."""

from __future__ import annotations

from devrag.wiki.planning.page_kind import ARCHITECTURE, INDEX
from devrag.wiki.planning.plan import Plan

# Of a tree that is deeper still, the upper levels share a wave.
WAVE_NAMES = (
    "write",
    "write level 2",
    "write level 3",
    "write level 4",
    "write overview",
)
_LEVELS = len(WAVE_NAMES) - 1


def waves_of(plan: Plan, *, is_ordered: bool) -> list[list[str]]:
    """Return the pages' paths by wave; within one they do not need each other.

    is_ordered: without, no page needs another and all are in the first.
    """
    waves: list[list[str]] = [[] for _ in WAVE_NAMES]
    if not is_ordered:
        waves[0] = [page.path for page in plan.pages]
        return waves
    heights = _heights(plan)
    for page in plan.pages:
        is_whole = page.path in {INDEX, ARCHITECTURE}
        waves[-1 if is_whole else min(heights[page.path], _LEVELS - 1)].append(
            page.path
        )
    return waves


def _heights(plan: Plan) -> dict[str, int]:
    """Return how many levels stand below each page."""
    parents = {page.path: page.parent for page in plan.pages}
    heights = dict.fromkeys(parents, 0)
    for path in parents:
        above = [path]
        while (parent := parents.get(above[-1], "")) and parent not in above:
            above.append(parent)
        for level, page in enumerate(above):
            if page in heights:
                heights[page] = max(heights[page], level)
    return heights
