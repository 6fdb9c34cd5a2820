"""Which topics a topic uses, is used by, and consists of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from devrag.wiki.analysis.imports import FileImport
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.summaries import summarise_topic

_NAMES_SHOWN = 6


def related_topics(ctx: PageContext, index: int) -> list[str]:
    """Return one line on who uses the topic and what it builds on."""
    edges = ctx.analysis.topic_edges
    used_by = {
        topic: targets[index] for topic, targets in edges.items() if index in targets
    }
    uses = edges.get(index, {})
    sentences = []
    if used_by:
        pairs = [(topic, index) for topic in ranked(used_by)]
        topics = linked_topics(ctx, pairs, 0, ctx.analysis.tie_of_topics)
        sentences.append(ctx.say("It is used by {parts}.", parts=topics))
    if uses:
        pairs = [(index, topic) for topic in ranked(uses)]
        topics = linked_topics(ctx, pairs, 1, ctx.analysis.tie_of_topics)
        sentences.append(ctx.say("It builds on {parts}.", parts=topics))
    title = ctx.say("## Related topics")
    return [title, " ".join(sentences)] if sentences else []


def parts_of(ctx: PageContext) -> list[str]:
    """Return the topics that this one consists of, each with its first sentence."""
    items = []
    for page in ctx.plan.pages:
        if page.parent == ctx.page.path and page.topic is not None:
            said = summarise_topic(ctx, page.topic)
            items.append(f"- {ctx.topic(page.topic)}{f': {said}' if said else ''}")
    title = ctx.say("## What has a page of its own")
    return [title, "\n".join(items)] if items else []


def ranked(weights: Mapping[int, float]) -> list[int]:
    """Return the keys, heaviest first."""
    return sorted(weights, key=lambda key: (-weights[key], key))


def linked_topics(
    ctx: PageContext,
    pairs: Sequence[tuple[int, int]],
    side: int,
    ties: Mapping[tuple[int, int], FileImport],
) -> str:
    """Return the topics on one side of imports, each with a line that shows it."""
    shown = [
        ctx.topic(pair[side]) + ctx.cite_tie(ties.get(pair))
        for pair in pairs[:_NAMES_SHOWN]
    ]
    return ctx.listed(shown, len(pairs) - len(shown), "other topic")
