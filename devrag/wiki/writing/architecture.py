"""The page that shows the whole: parts, who depends on whom, how a call travels."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from devrag.wiki.analysis import Analysis
from devrag.wiki.graph import components, layers, shortest_circle
from devrag.wiki.prose import cited
from devrag.wiki.wording import phrase
from devrag.wiki.writing.context import PageContext
from devrag.wiki.writing.contracts import ties_of_sources
from devrag.wiki.writing.diagrams import MOST_NODES, flowchart, readable
from devrag.wiki.writing.feature import cite_import, linked_parts, ranked
from devrag.wiki.writing.paths import main_paths, tell
from devrag.wiki.writing.summaries import part_item

_OUTSIDE_SHOWN = 10
_CYCLES_SHOWN = 5
_LAYER_RULE = phrase(
    "A part uses only parts of its own or an earlier layer; parts of one layer use "
    "each other only where they form a circle."
)


def write_architecture(ctx: PageContext) -> list[str]:
    """Return the page's blocks; the diagram comes from the graph itself (O13)."""
    return [
        f"# {ctx.page.title}",
        *_opening(ctx),
        *_diagram(ctx),
        *ties_of_sources(ctx),
        *_layers(ctx),
        *_cycles(ctx),
        *_flows(ctx),
        *_outside(ctx),
    ]


def _opening(ctx: PageContext) -> list[str]:
    parts = ctx.analysis.parts
    if not parts:
        return [_without_code(ctx)]
    lines = sum(part.lines for part in parts)
    edges = ctx.analysis.part_edges
    importers: dict[int, int] = defaultdict(int)
    for targets in edges.values():
        for target in targets:
            importers[target] += 1
    text = ctx.say(
        "{product} consists of {parts} with {lines} of code.",
        product=ctx.code(ctx.analysis.title),
        parts=ctx.counted(len(parts), "part"),
        lines=ctx.counted(lines, "line"),
    )
    top = max(importers, key=lambda p: (importers[p], -p), default=None)
    if top is None or importers[top] < 2:
        return [text]
    user = next(p for p in sorted(edges) if top in edges[p])
    most = ctx.say(
        "Most depends on {part}, which {importers} other parts use.",
        part=ctx.part(top),
        importers=importers[top],
    )
    return [f"{text} {cited(most, cite_import(ctx, user, top))}"]


def _without_code(ctx: PageContext) -> str:
    return ctx.say(
        "The index holds {files} and no source code whose structure could be read.",
        files=ctx.counted(len(ctx.analysis.survey.files), "file"),
    )


def _diagram(ctx: PageContext) -> list[str]:
    shown = _shown_parts(ctx)
    labels = {p: ctx.part_name(p) for p in shown}
    edges, note = readable(shown, ctx.analysis.part_edges, ctx.wording)
    groups: dict[str, list[int]] = defaultdict(list)
    for p in shown:
        groups[ctx.analysis.parts[p].source].append(p)
    if not labels:
        sources = sorted({file.source for file in ctx.analysis.survey.files})
        return [flowchart(dict(enumerate(sources or [ctx.analysis.title])), {})]
    left = len(ctx.analysis.parts) - len(shown)
    notes = [ctx.say("An arrow reads “uses”.")]
    if note:
        notes.append(note)
    if left:
        few = phrase("The {count} parts with the fewest ties are not drawn.")
        notes.append(ctx.say(few, count=left))
    chart = flowchart(
        labels, edges, direction="TD", groups=groups if len(groups) > 1 else None
    )
    return [ctx.say("## The parts and who uses whom"), " ".join(notes), chart]


def _shown_parts(ctx: PageContext) -> list[int]:
    edges = ctx.analysis.part_edges
    ties: dict[int, float] = defaultdict(float)
    for source, targets in edges.items():
        for target, weight in targets.items():
            ties[source] += weight
            ties[target] += weight
    every = range(len(ctx.analysis.parts))
    return sorted(sorted(every, key=lambda p: (-ties[p], p))[:MOST_NODES])


def _layers(ctx: PageContext) -> list[str]:
    edges = ctx.analysis.part_edges
    level = layers(range(len(ctx.analysis.parts)), edges)
    if not level or max(level.values()) == 0:
        return _untied(ctx)
    blocks = [
        ctx.say("## Layers, from the ground up"),
        ctx.say(_LAYER_RULE),
    ]
    for number in range(max(level.values()) + 1):
        members = [p for p in sorted(level) if level[p] == number]
        blocks.append(ctx.say("### Layer {number}", number=number + 1))
        blocks += _layer(ctx, members)
    return blocks


def _untied(ctx: PageContext) -> list[str]:
    """Where no part uses another, say what each is for."""
    items = [part_item(ctx, part) for part in _shown_parts(ctx)]
    return [ctx.say("## The parts"), "\n".join(items)] if items else []


def _layer(ctx: PageContext, members: Sequence[int]) -> list[str]:
    """Return what the parts of a layer use; those that use none in one sentence."""
    edges = ctx.analysis.part_edges
    items = [
        "- "
        + ctx.say(
            "**{part}** uses {parts}.",
            part=ctx.part(part),
            parts=linked_parts(ctx, [(part, o) for o in ranked(edges[part])], 1),
        )
        for part in members
        if edges.get(part)
    ]
    alone = ctx.listed([ctx.part(part) for part in members if not edges.get(part)])
    told = ctx.say("Without the other parts get along: {parts}.", parts=alone)
    return [*([told] if alone else []), *(["\n".join(items)] if items else [])]


def _cycles(ctx: PageContext) -> list[str]:
    edges = ctx.analysis.part_edges
    if not edges:
        return []
    circles = [
        c for c in components(range(len(ctx.analysis.parts)), edges) if len(c) > 1
    ]
    title = ctx.say("## Circles")
    if not circles:
        none = phrase("No part uses itself through others: there are no circles.")
        return [title, ctx.say(none)]
    items = [f"- {_circle(ctx, circle)}" for circle in circles[:_CYCLES_SHOWN]]
    return [title, "\n".join(items)]


def _circle(ctx: PageContext, circle: Sequence[int]) -> str:
    """Tell a circle by the shortest way round from the part most ties end at."""
    around = shortest_circle(circle, ctx.analysis.part_edges)
    steps = [
        ctx.part(target) + cite_import(ctx, source, target)
        for source, target in pairwise(around)
    ]
    told = ctx.say(
        "{part} uses {steps}.",
        part=ctx.part(around[0]),
        steps=ctx.say(" and this ").join(steps),
    )
    names = ctx.listed([ctx.part(p) for p in circle])
    parts = ctx.counted(len(circle), "part")
    if len(circle) <= len(steps):
        return told
    all_of = ctx.say("{parts} use each other: {names}.", parts=parts, names=names)
    return f"{all_of} {ctx.say('For example {told}', told=told)}"


def _flows(ctx: PageContext) -> list[str]:
    blocks = [text for path in main_paths(ctx.analysis) for text in tell(ctx, path)]
    return [ctx.say("## How a call travels"), *blocks] if blocks else []


def _outside(ctx: PageContext) -> list[str]:
    users = _outside_users(ctx)
    by_users = sorted(users, key=lambda name: (-len(users[name]), name))
    items = []
    for name in by_users[:_OUTSIDE_SHOWN]:
        parts = sorted(users[name])
        shown = [
            ctx.part(p) + ctx.book.cite(file, line, line)
            for p in parts[:3]
            for file, line in [users[name][p]]
        ]
        told = ctx.say(
            "**{name}**, imported by {parts}.",
            name=ctx.code(name),
            parts=ctx.listed(shown, len(parts) - len(shown)),
        )
        items.append(f"- {told}")
    return [ctx.say("## What it stands on"), "\n".join(items)] if items else []


def _outside_users(ctx: PageContext) -> dict[str, dict[int, tuple[int, int]]]:
    """Return package → part that imports it → file and line of its first import."""
    resolved = {(i.file, i.name) for i in ctx.analysis.imports}
    users: dict[str, dict[int, tuple[int, int]]] = defaultdict(dict)
    for reference in ctx.analysis.survey.references:
        part = ctx.analysis.part_of.get(reference.file)
        if reference.kind != "import" or part is None:
            continue
        name = reference.name.split(".")[0]
        is_python = ctx.analysis.files[reference.file].language == "python"
        is_own = (reference.file, reference.name) in resolved
        if is_own or not is_python or name in sys.stdlib_module_names:
            continue
        users[name].setdefault(part, (reference.file, reference.line))
    return users


def plain_diagram(analysis: Analysis) -> str:
    """Return a diagram that any Mermaid accepts, for when another fails."""
    names = [
        "".join(c for c in part.name if c.isascii() and (c.isalnum() or c in "._-/ "))
        for part in analysis.parts[:MOST_NODES]
    ]
    return flowchart(dict(enumerate(names or ["product"])), {})
