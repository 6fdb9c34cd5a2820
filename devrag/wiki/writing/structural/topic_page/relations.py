"""Which topics a topic uses, is used by, and consists of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from devrag.wiki.analysis.imports import FileImport
from devrag.wiki.analysis.prose import cited
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.summaries import summarise_topic

_NAMES_SHOWN = 6
_USES = phrase("{user} uses {name} of {path}.")
_IMPORTS = phrase("{user} imports {name} of {path}.")
_IMPORTS_FILE = phrase("{user} imports {path}.")


def related_topics(ctx: PageContext, index: int) -> list[str]:
    """Return one line on who uses the topic and what it builds on."""
    edges = ctx.analysis.topic_edges
    used_by = {
        topic: targets[index] for topic, targets in edges.items() if index in targets
    }
    uses = edges.get(index, {})
    users = [(topic, index) for topic in ranked(used_by)]
    used = [(index, topic) for topic in ranked(uses)]
    blocks = [
        *_shown(ctx, ctx.say("### Used by"), users, 0),
        *_shown(ctx, ctx.say("### Builds on"), used, 1),
    ]
    return [ctx.say("## Related topics"), *blocks] if blocks else []


def _shown(
    ctx: PageContext, title: str, pairs: Sequence[tuple[int, int]], side: int
) -> list[str]:
    """Return topics with the use or import that ties each; the others as links."""
    items = []
    for pair in pairs[:_NAMES_SHOWN]:
        tie = ctx.analysis.tie_of_topics.get(pair)
        said = f": {_tied(ctx, tie)}" if tie else ""
        items.append(f"- {ctx.topic(pair[side])}{said}")
    if rest := [ctx.topic(pair[side]) for pair in pairs[_NAMES_SHOWN:]]:
        items.append(f"- {ctx.listed(rest)}")
    return [title, "\n".join(items)] if items else []


def _tied(ctx: PageContext, tie: FileImport) -> str:
    """Return the sentence on a use or an import, cited."""
    files = ctx.analysis.files
    told = _USES if tie.symbol else _IMPORTS
    name = ctx.tie_name(tie)
    said = ctx.say(
        told if name else _IMPORTS_FILE,
        user=ctx.path(files[tie.file]),
        name=name,
        path=ctx.path(files[tie.target]),
    )
    return cited(said, ctx.cite_tie(tie))


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
    """Return the topics on one side of ties, each with the name that is used of it."""
    shown = []
    for pair in pairs:
        tie = ties.get(pair)
        name = ctx.tie_name(tie) if tie else ""
        proof = f" ({name}{ctx.cite_tie(tie)})" if name else ""
        shown.append(ctx.topic(pair[side]) + proof)
    return ctx.listed(shown)
