"""The page that shows the whole: components, their dependencies, how a call travels."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.graph import components, layers, shortest_circle
from devrag.wiki.analysis.imports import FileImport
from devrag.wiki.analysis.product_form import form_of
from devrag.wiki.analysis.script_exports import SCRIPTS
from devrag.wiki.analysis.survey import SurveyReference, SurveySymbol
from devrag.wiki.analysis.visibility import is_exposed
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.context_diagram import context_diagram
from devrag.wiki.writing.structural.contracts import ties_of_sources
from devrag.wiki.writing.structural.diagrams import flowchart, readable
from devrag.wiki.writing.structural.flows import main_flows
from devrag.wiki.writing.structural.overview import (
    MOST_COMPONENTS,
    Overview,
    overview_of,
)
from devrag.wiki.writing.structural.program_path import program_path
from devrag.wiki.writing.structural.run_path import run_path
from devrag.wiki.writing.structural.summaries import summarise_topic
from devrag.wiki.writing.structural.tables import table
from devrag.wiki.writing.structural.topic_page.relations import ranked

_OUTSIDE_SHOWN = 40
_USERS_SHOWN = 4
_USERS_NAMED = 4
_NAMES_SHOWN = 3
_CYCLES_SHOWN = 5
_WITHIN = phrase("A component includes the topics that its page lists below it.")
_MANY = 4  # components of a circle that are no use to name
_ALL_AROUND = phrase(
    "All {count} components depend on each other, directly or through others, so they "
    "do not form layers."
)
_MOST_AROUND = phrase(
    "{count} of the {all} components depend on each other, directly or through others, "
    "and so form one layer. Not among them: {others}."
)
_LAYER_RULE = phrase("Each component uses only components in lower layers.")
_LAYER_RULE_BESIDE = phrase(
    "Components that depend on each other share a layer. All others use only "
    "components in lower layers."
)
_EACH_OTHER = phrase(
    "These {count} depend on each other, directly or through others: {components}."
)
_LAYER_PROOF = phrase("For the exact lines, see “Related topics” on their pages.")
_FEWEST_LAYERED = 4  # components; of fewer the diagram says the same


def write_architecture(ctx: PageContext) -> list[str]:
    """Return the page's blocks; the diagram comes from the graph itself."""
    seen = overview_of(ctx.analysis, ctx.plan)
    return [
        f"# {ctx.page.title}",
        *_opening(ctx, seen),
        *_surroundings(ctx),
        *_diagram(ctx, seen),
        *_components(ctx, seen),
        *ties_of_sources(ctx),
        *_layers(ctx, seen),
        *_cycles(ctx, seen),
        *_flows(ctx),
        *_outside(ctx, seen),
    ]


def _opening(ctx: PageContext, seen: Overview) -> list[str]:
    if not seen.components:
        return [_without_code(ctx)]
    lines = sum(seen.lines.values())
    importers: dict[int, int] = defaultdict(int)
    for targets in seen.edges.values():
        for target in targets:
            importers[target] += 1
    text = ctx.say(
        "{product} consists of {components} with {lines} of code.",
        product=ctx.code(ctx.analysis.title),
        components=ctx.counted(len(seen.components), "component"),
        lines=ctx.counted(lines, "line"),
    )
    top = max(importers, key=lambda p: (importers[p], -p), default=None)
    if top is None or importers[top] < 2:
        return [text]
    users = [p for p in sorted(seen.edges) if top in seen.edges[p]]
    shown = [_user(ctx, seen.ties.get((p, top)), p) for p in users[:_USERS_SHOWN]]
    most = ctx.say(
        "The most used component is {component}, used by {users}.",
        component=ctx.topic(top),
        users=ctx.listed(shown, len(users) - len(shown)),
    )
    return [f"{text} {most}"]


def _user(ctx: PageContext, tie: FileImport | None, topic: int) -> str:
    """Return a component's name with the line by which it uses another."""
    line = ctx.book.cite(tie.file, tie.line, tie.line) if tie else ""
    return ctx.topic_title(topic) + line


def _without_code(ctx: PageContext) -> str:
    return ctx.say(
        "{product} has no source code whose structure could be read: {files} in all.",
        product=ctx.code(ctx.analysis.title),
        files=ctx.counted(len(ctx.analysis.survey.files), "file"),
    )


def _diagram(ctx: PageContext, seen: Overview) -> list[str]:
    shown = _drawn(seen)
    labels = {p: ctx.topic_title(p) for p in shown}
    edges, note = readable(shown, seen.edges, ctx.wording)
    groups: dict[str, list[int]] = defaultdict(list)
    for p in shown:
        groups[ctx.analysis.topics[p].source].append(p)
    if not labels:
        sources = sorted({file.source for file in ctx.analysis.survey.files})
        return [flowchart(dict(enumerate(sources or [ctx.analysis.title])), {})]
    left = len(seen.components) - len(shown)
    notes = [ctx.say("An arrow from A to B means that A uses B.")]
    if len(seen.components) < len(seen.shown_in):
        notes.append(ctx.say(_WITHIN))
    if note:
        notes.append(note)
    if left:
        few = phrase("The {count} smallest components are not drawn.")
        notes.append(ctx.say(few, count=left))
    chart = flowchart(
        labels,
        edges,
        direction="TD",
        groups=groups if len(groups) > 1 else None,
        links={p: page for p in shown if (page := ctx.path_to_topic(p))},
    )
    return [ctx.say("## Components and dependencies"), " ".join(notes), chart]


def _drawn(seen: Overview) -> list[int]:
    by_size = sorted(seen.components, key=lambda c: (-seen.lines[c], c))
    return sorted(by_size[:MOST_COMPONENTS])


def _components(ctx: PageContext, seen: Overview) -> list[str]:
    """Return what each component is for and its main names, the largest first."""
    by_size = sorted(seen.components, key=lambda c: (-seen.lines[c], c))
    head = [
        ctx.say("Component"),
        ctx.say("What it does"),
        ctx.say("Central definitions"),
    ]
    rows = [
        [ctx.topic(c), summarise_topic(ctx, c), _central_names(ctx, c)] for c in by_size
    ]
    told = table(head, rows)
    return [ctx.say("## What each component does"), *told] if rows else []


def _central_names(ctx: PageContext, topic: int) -> str:
    """Return the most used definitions of a component, each cited by its name."""
    defined = ctx.defined_in(ctx.analysis.topics[topic])
    own = [s for s in defined if is_exposed(ctx.analysis, s)] or defined
    distinct = {ctx.symbol_name(s): s for s in reversed(own)}
    most = sorted(distinct, key=lambda name: own.index(distinct[name]))[:_NAMES_SHOWN]
    return ", ".join(name + _cite_name(ctx, distinct[name]) for name in most)


def _cite_name(ctx: PageContext, symbol: SurveySymbol) -> str:
    line = ctx.declaration(symbol).named
    return ctx.book.cite(symbol.file, line, line)


def _layers(ctx: PageContext, seen: Overview) -> list[str]:
    level = layers(seen.components, seen.edges)
    is_small = len(seen.components) < _FEWEST_LAYERED
    if is_small or max(level.values(), default=0) == 0:
        return []
    circles = [c for c in components(seen.components, seen.edges) if len(c) > 1]
    rule = ctx.say(_LAYER_RULE_BESIDE if circles else _LAYER_RULE)
    blocks = [
        ctx.say("## Layers, from the bottom up"),
        f"{rule} {ctx.say(_LAYER_PROOF)}",
    ]
    for number in range(max(level.values()) + 1):
        members = [p for p in sorted(level) if level[p] == number]
        blocks.append(ctx.say("### Layer {number}", number=number + 1))
        for circle in circles:
            if len(circle) > 2 and level[circle[0]] == number:
                names = ctx.listed([ctx.topic(topic) for topic in sorted(circle)])
                told = ctx.say(_EACH_OTHER, count=len(circle), components=names)
                blocks.append(told)
        blocks += _layer(ctx, seen, members)
    return blocks


def _layer(ctx: PageContext, seen: Overview, members: Sequence[int]) -> list[str]:
    """Return what the components of a layer use; those that use none together."""
    items = []
    for topic in members:
        used = [ctx.topic(other) for other in ranked(seen.edges.get(topic, {}))]
        if used:
            told = ctx.say(
                "**{component}** uses {components}.",
                component=ctx.topic(topic),
                components=ctx.listed(used),
            )
            items.append(f"- {told}")
    alone = [ctx.topic(topic) for topic in members if not seen.edges.get(topic)]
    one = phrase("{components} uses no other component.")
    some = phrase("{components} use no other component.")
    told = ctx.say(one if len(alone) == 1 else some, components=ctx.listed(alone))
    return [*([told] if alone else []), *(["\n".join(items)] if items else [])]


def _cycles(ctx: PageContext, seen: Overview) -> list[str]:
    if not seen.edges:
        return []
    circles = [c for c in components(seen.components, seen.edges) if len(c) > 1]
    title = ctx.say("## Circular dependencies")
    if not circles:
        none = phrase("There are no circular dependencies between the components.")
        return [title, ctx.say(none)]
    longest = max(circles, key=len)
    if len(longest) * 2 > len(seen.components) >= _MANY:
        return [title, _great_circle(ctx, seen, longest)]
    items = [f"- {_circle(ctx, seen, circle)}" for circle in circles[:_CYCLES_SHOWN]]
    return [title, "\n".join(items)]


def _great_circle(ctx: PageContext, seen: Overview, circle: Sequence[int]) -> str:
    """Tell of a circle of most components, which has no order worth showing."""
    outside = [c for c in seen.components if c not in circle]
    if not outside:
        return ctx.say(_ALL_AROUND, count=len(circle))
    return ctx.say(
        _MOST_AROUND,
        count=len(circle),
        all=len(seen.components),
        others=ctx.listed([ctx.topic(other) for other in outside]),
    )


def _circle(ctx: PageContext, seen: Overview, circle: Sequence[int]) -> str:
    """Tell a circle by the shortest way round from the component most ties end at."""
    around = shortest_circle(circle, seen.edges)
    told = _around(ctx, seen, around)
    if len(circle) < len(around):
        return told
    names = ctx.listed([ctx.topic(p) for p in circle])
    components = ctx.counted(len(circle), "component")
    some = phrase("{components} use each other: {names}.")
    all_of = ctx.say(some, components=components, names=names)
    return f"{all_of} {ctx.say('For example {told}', told=told)}"


def _around(ctx: PageContext, seen: Overview, around: Sequence[int]) -> str:
    """Tell the way round; around: its first component is its last, too."""
    steps = [
        ctx.topic(pair[1]) + _proof(ctx, seen.ties.get(pair))
        for pair in pairwise(around)
    ]
    if len(steps) == 2:
        pair = phrase("{one} and {other} use each other.")
        return ctx.say(pair, one=steps[1], other=steps[0])
    return ctx.say(
        "{component} uses {steps}.",
        component=ctx.topic(around[0]),
        steps=ctx.say(", which uses ").join(steps),
    )


def _proof(ctx: PageContext, tie: FileImport | None) -> str:
    """Return the name that ties two components, cited."""
    name = ctx.tie_name(tie) if tie else ""
    return f" ({name}{ctx.cite_tie(tie)})" if name else ""


def _surroundings(ctx: PageContext) -> list[str]:
    blocks = context_diagram(ctx)
    return [ctx.say("## What surrounds it"), *blocks] if blocks else []


def _flows(ctx: PageContext) -> list[str]:
    """Return how a call travels: first what the main function calls."""
    form = form_of(ctx.analysis)
    is_used = form.is_library and not form.is_application
    tree = run_path(ctx) if is_used else program_path(ctx)
    flows = main_flows(ctx, is_beside_tree=bool(tree), kept=0 if is_used else 1)
    blocks = [*tree, *flows]
    blocks = blocks or run_path(ctx)
    return [ctx.say("## How a call travels"), *blocks] if blocks else []


def _outside(ctx: PageContext, seen: Overview) -> list[str]:
    users = _outside_users(ctx, seen)
    by_users = sorted(users, key=lambda name: (-len(users[name]), name))
    items = []
    for name in by_users[:_OUTSIDE_SHOWN]:
        files = ctx.listed_cited(
            [ctx.path(ctx.analysis.files[file]) for file in users[name]],
            partial(_cite_line, ctx, list(users[name].items())),
            _USERS_NAMED,
            "other file",
        )
        package = ctx.code(name)
        told = ctx.say("**{name}**, imported by {files}.", name=package, files=files)
        items.append(f"- {told}")
    if not items:
        return []
    left = len(by_users) - len(items)
    more = [ctx.say("There are {count} more of this kind.", count=left)]
    rest = _only_in_manifest(ctx, set(users))
    return [
        ctx.say("## External dependencies"),
        "\n".join(items),
        *(more if left else []),
        *([rest] if rest else []),
    ]


def _only_in_manifest(ctx: PageContext, imported: set[str]) -> str:
    """Return a sentence on packages that a manifest names and no component imports."""
    facts = {
        fact.name: fact
        for fact in ctx.analysis.facts("dependency")
        if not fact.data.get("group") and fact.data.get("manager") == "npm"
        if fact.name not in imported and "/" not in ctx.analysis.files[fact.file].path
    }
    if not facts:
        return ""
    names = sorted(facts)
    shown = ctx.listed_cited(
        [ctx.code(name) for name in names],
        lambda n: ctx.book.cite(
            facts[names[n]].file, facts[names[n]].start_line, facts[names[n]].end_line
        ),
        _OUTSIDE_SHOWN,
    )
    told = phrase("The manifest also names {names}.")
    return ctx.say(told, names=shown)


def _cite_line(ctx: PageContext, places: Sequence[tuple[int, int]], at: int) -> str:
    file, line = places[at]
    return ctx.book.cite(file, line, line)


def _outside_users(ctx: PageContext, seen: Overview) -> dict[str, dict[int, int]]:
    """Return package → file of a component → line of its first import of that."""
    resolved = {(i.file, i.name) for i in ctx.analysis.imports}
    users: dict[str, dict[int, int]] = defaultdict(dict)
    facts = ctx.analysis.facts("dependency")
    packages = frozenset(f.name for f in facts if f.data.get("manager") == "npm")
    for reference in ctx.analysis.survey.references:
        topic = ctx.analysis.topic_of.get(reference.file)
        if reference.kind != "import" or topic is None:
            continue
        name = _package(ctx.analysis, reference, packages)
        is_own = (reference.file, reference.name) in resolved
        if name and not is_own and topic in seen.shown_in:
            users[name].setdefault(reference.file, reference.line)
    return users


def _package(
    analysis: Analysis, reference: SurveyReference, packages: frozenset[str]
) -> str:
    """Return the package that an import is of, '' of none from outside.

    packages: those that the manifests of JavaScript name.
    """
    language = analysis.files[reference.file].language
    if language == "python":
        name = reference.name.split(".")[0]
        return "" if name in sys.stdlib_module_names else name
    if language not in SCRIPTS:
        return ""
    pieces = (reference.target or reference.name).split("/")
    names = (*_heads("/".join(pieces[:2])), *_heads(pieces[0]))
    return next((name for name in names if name in packages), "")


def _heads(name: str) -> Iterator[str]:
    """Yield a name and what stands before its dots: `cookie.sign`, `cookie`."""
    while name:
        yield name
        name = name.rpartition(".")[0]


def plain_diagram(analysis: Analysis) -> str:
    """Return a diagram that any Mermaid accepts, for when another fails."""
    names = [
        "".join(c for c in topic.title if c.isascii() and (c.isalnum() or c in "._-/ "))
        for topic in analysis.topics[:MOST_COMPONENTS]
    ]
    return flowchart(dict(enumerate(names or ["product"])), {})
