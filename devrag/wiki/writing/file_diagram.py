"""Who uses whom inside a part, drawn by files or, where they are many, by folders."""

from __future__ import annotations

from collections import defaultdict

from devrag.wiki.packages import Part
from devrag.wiki.prose import cited
from devrag.wiki.writing.context import PageContext
from devrag.wiki.writing.diagrams import MOST_NODES, flowchart, readable


def file_diagram(ctx: PageContext, part: Part) -> list[str]:
    """Return the section that draws who uses whom inside a part."""
    labels = _nodes(ctx, part)
    if len(labels) > MOST_NODES:
        return _folders(ctx, part)
    edges, note = readable(labels, ctx.analysis.file_edges, ctx.wording)
    if sum(len(targets) for targets in edges.values()) < 2:
        return []
    told = [_most_used(ctx, labels), ctx.say("An arrow means “uses”."), note]
    return [
        ctx.say("## How its files depend on each other"),
        " ".join(filter(None, told)),
        flowchart(labels, edges),
    ]


def _nodes(ctx: PageContext, part: Part) -> dict[int, str]:
    own = {file.id: file for file in part.files}
    edges = ctx.analysis.file_edges
    touched = {a for a in own if any(b in own for b in edges.get(a, ()))}
    touched |= {b for a in own for b in edges.get(a, ()) if b in own}
    return {
        i: own[i].path.removeprefix(f"{part.path}/") if part.path else own[i].path
        for i in sorted(touched)
        if own[i].name != "__init__.py" or own[i].lines > 20
    }


def _most_used(ctx: PageContext, labels: dict[int, str]) -> str:
    users: dict[int, list[int]] = defaultdict(list)
    for source in labels:
        for target in ctx.analysis.file_edges.get(source, ()):
            if target in labels:
                users[target].append(source)
    top = max(users, key=lambda t: (len(users[t]), -t), default=None)
    if top is None or len(users[top]) < 2:
        return ""
    markers = "".join(
        ctx.cite_tie(ctx.analysis.tie_between[source, top]) for source in users[top][:2]
    )
    told = ctx.say(
        "{file} is used by {users} of the {files} files here.",
        file=ctx.path(ctx.analysis.files[top]),
        users=len(users[top]),
        files=len(labels),
    )
    return cited(told, markers)


def _folders(ctx: PageContext, part: Part) -> list[str]:
    """Draw a big part by its folders instead of its files."""
    folder: dict[int, str] = {}
    for file in part.files:
        inside = file.path.removeprefix(f"{part.path}/") if part.path else file.path
        folder[file.id] = inside.split("/")[0]
    names = sorted(set(folder.values()))
    order = {name: number for number, name in enumerate(names)}
    edges: dict[int, dict[int, float]] = defaultdict(dict)
    for source, targets in ctx.analysis.file_edges.items():
        for target in targets:
            if source in folder and target in folder:
                a, b = order[folder[source]], order[folder[target]]
                edges[a][b] = edges[a].get(b, 0.0) + 1
    labels = {
        n: names[n]
        for n in order.values()
        if edges.get(n) or any(n in t for t in edges.values())
    }
    drawn, note = readable(labels, edges, ctx.wording)
    if len(labels) > MOST_NODES or sum(len(t) for t in drawn.values()) < 2:
        return []
    return [
        ctx.say("## How its pieces depend on each other"),
        " ".join(filter(None, [ctx.say("An arrow means “uses”."), note])),
        flowchart(labels, drawn),
    ]
