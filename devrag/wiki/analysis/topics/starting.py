"""Finds the files that start the product, to name what is hardly more than one."""

from __future__ import annotations

from devrag.wiki.analysis.topics.material import TopicInput

_STEMS = {"main", "program"}  # of what no entry point is known of


def starting_files(found: TopicInput) -> frozenset[int]:
    """Return the file with the product's entry point, and those named like one.

    Scripts beside the product start, too: an entry point counts that no other code
    uses and that is the only one so near the top.
    """
    named = {f.id for f in found.files if f.stem.strip("_").lower() in _STEMS}
    used = {target for targets in found.edges.values() for target in targets}
    started = {fact.file for fact in found.facts if fact.kind == "entry_point"}
    entries = [f for f in found.files if f.id in started - used]
    depth = min((f.path.count("/") for f in entries), default=0)
    nearest = {f.id for f in entries if f.path.count("/") == depth}
    return frozenset(named | (nearest if len(nearest) == 1 else set()))
