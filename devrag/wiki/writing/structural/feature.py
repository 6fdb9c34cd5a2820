"""The page of one part: what it is for, what is in it, who uses and tests it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from devrag.wiki.analysis.analysis import is_of_build
from devrag.wiki.analysis.imports import FileImport
from devrag.wiki.analysis.survey import SurveyFact
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.class_diagram import class_diagram
from devrag.wiki.writing.structural.contents import contents_of
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.contracts import ties_of_topic
from devrag.wiki.writing.structural.file_diagram import file_diagram
from devrag.wiki.writing.structural.flows import flow_of_topic
from devrag.wiki.writing.structural.state_diagram import states_of_topic
from devrag.wiki.writing.structural.summaries import purpose, summarise_topic

_NAMES_SHOWN = 6
_SURFACES = (
    (phrase("Entry points: {names}."), "entry_point", "interfaces"),
    (phrase("Commands: {names}."), "command", "interfaces"),
    (phrase("Routes: {names}."), "route", "interfaces"),
    (phrase("Background tasks: {names}."), "task", "interfaces"),
    (phrase("Data: {names}."), "model", "data-model"),
    (phrase("Settings that it reads: {names}."), "setting", "configuration"),
)


def write_feature(ctx: PageContext) -> list[str]:
    """Return the page's blocks."""
    index = ctx.page.topic or 0
    topic = ctx.analysis.topics[index]
    return [
        f"# {ctx.page.title}",
        *purpose(ctx, topic),
        *_position(ctx, index),
        *_nested(ctx),
        *contents_of(ctx, index),
        *file_diagram(ctx, topic),
        *class_diagram(ctx, topic),
        *states_of_topic(ctx, topic),
        *ties_of_topic(ctx, index),
        *_flow(ctx, index),
        *_surfaces(ctx, topic),
        *_tests(ctx, topic),
    ]


def _position(ctx: PageContext, index: int) -> list[str]:
    edges = ctx.analysis.topic_edges
    used_by = {
        topic: targets[index] for topic, targets in edges.items() if index in targets
    }
    uses = edges.get(index, {})
    sentences = []
    if used_by:
        pairs = [(topic, index) for topic in ranked(used_by)]
        parts = linked_topics(ctx, pairs, 0, ctx.analysis.tie_of_topics)
        sentences.append(ctx.say("It is used by {parts}.", parts=parts))
    if uses:
        pairs = [(index, topic) for topic in ranked(uses)]
        parts = linked_topics(ctx, pairs, 1, ctx.analysis.tie_of_topics)
        sentences.append(ctx.say("It builds on {parts}.", parts=parts))
    return [" ".join(sentences)] if sentences else []


def ranked(weights: Mapping[int, float]) -> list[int]:
    """Return the keys, heaviest first."""
    return sorted(weights, key=lambda key: (-weights[key], key))


def linked_topics(
    ctx: PageContext,
    pairs: Sequence[tuple[int, int]],
    side: int,
    ties: Mapping[tuple[int, int], FileImport],
) -> str:
    """Return the parts on one side of these imports, each with a line that shows it."""
    shown = [
        ctx.topic(pair[side]) + ctx.cite_tie(ties.get(pair))
        for pair in pairs[:_NAMES_SHOWN]
    ]
    return ctx.listed(shown, len(pairs) - len(shown), "other part")


def _nested(ctx: PageContext) -> list[str]:
    """Return the pages below this one, each with its first sentence."""
    items = []
    for page in ctx.plan.pages:
        if page.parent == ctx.page.path and page.topic is not None:
            said = summarise_topic(ctx, page.topic)
            items.append(f"- {ctx.topic(page.topic)}{f': {said}' if said else ''}")
    title = ctx.say("## What has a page of its own")
    return [title, "\n".join(items)] if items else []


def _flow(ctx: PageContext, index: int) -> list[str]:
    blocks = flow_of_topic(ctx, index)
    return [ctx.say("## How a call travels"), *blocks] if blocks else []


def _surfaces(ctx: PageContext, topic: Topic) -> list[str]:
    """Return what the part offers and reads, a line each; their pages say more."""
    own = {file.id for file in topic.files}
    items = []
    for told, kind, page in _SURFACES:
        facts = {f.name: f for f in ctx.analysis.facts(kind) if f.file in own}
        if not facts or is_of_build(next(iter(facts.values()))):
            continue
        shown = [
            _name_of(ctx, fact)
            + ctx.book.cite(fact.file, fact.start_line, fact.end_line)
            for fact in list(facts.values())[:_NAMES_SHOWN]
        ]
        names = ctx.listed(shown, len(facts) - len(shown))
        title = next((p.title for p in ctx.plan.pages if p.kind == page), "")
        link = ctx.say("More: {link}.", link=ctx.link(title, ctx.kind(page).path))
        items.append(f"- {ctx.say(told, names=names)} {link}")
    title = ctx.say("## What it offers and reads")
    return [title, "\n".join(items)] if items else []


def _name_of(ctx: PageContext, fact: SurveyFact) -> str:
    if fact.kind == "entry_point":
        return ctx.path(ctx.analysis.files[fact.file])
    return ctx.code(fact.name)


def _tests(ctx: PageContext, topic: Topic) -> list[str]:
    own = {file.id for file in topic.files}
    reached: dict[int, set[int]] = defaultdict(set)
    first: dict[int, int] = {}
    for item in ctx.analysis.ties:
        if item.target in own and ctx.analysis.roles[item.file] == "test":
            reached[item.file].add(item.target)
            first.setdefault(item.file, item.line)
    ranked = sorted(
        reached, key=lambda f: (-len(reached[f]), ctx.analysis.files[f].path)
    )
    if not ranked:
        return []
    shown = [
        ctx.path(ctx.analysis.files[f]) + ctx.book.cite(f, first[f], first[f])
        for f in ranked[:3]
    ]
    names = ctx.listed(shown, len(ranked) - len(shown), "other test file")
    link = ctx.link_to("testing")
    told = ctx.say("It is exercised by {names}.", names=names)
    where = ctx.say("How to run them: {link}.", link=link)
    return [ctx.say("## Tests"), f"{told} {where}"]
