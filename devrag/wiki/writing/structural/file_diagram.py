"""Who uses whom inside a part, drawn by files or, where they are many, by folders."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from devrag.wiki.analysis.graph import Edges, components
from devrag.wiki.analysis.prose import cited
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.diagrams import flowchart, readable

_FEWEST_FILES, _MOST_FILES, _FEWEST_ARROWS = 3, 12, 2
_ONE_WAY = 0.7
_USERS_CITED = 12
_Edges = dict[int, dict[int, float]]


def file_diagram(ctx: PageContext, topic: Topic) -> list[str]:
    """Return the section that draws who uses whom inside a part.

    Only a picture that can be read and has a direction is drawn: few files, and most
    arrows not part of a circle.
    """
    files = sorted(topic.files, key=lambda file: file.path)
    edges = _inside(ctx, files)
    labels = _labels(topic, files, edges)
    if len(labels) > _MOST_FILES:
        return _folders(ctx, topic)
    drawn, note = readable(labels, edges, ctx.wording)
    if not _is_readable(labels, drawn):
        return []
    most_used = _most_used(ctx, files, edges, labels)
    told = [most_used, ctx.say("An arrow from A to B means that A uses B."), note]
    return [
        ctx.say("## How its files depend on each other"),
        " ".join(filter(None, told)),
        flowchart(labels, drawn),
    ]


def _is_readable(labels: Collection[int], edges: Edges) -> bool:
    """Return whether the nodes are few and most arrows go one way."""
    if not _FEWEST_FILES <= len(labels) <= _MOST_FILES:
        return False
    circle = {n: k for k, c in enumerate(components(labels, edges)) for n in c}
    arrows = [(a, b) for a in labels for b in edges.get(a, ()) if b in circle]
    one_way = sum(1 for a, b in arrows if circle[a] != circle[b])
    return len(arrows) >= _FEWEST_ARROWS and one_way >= _ONE_WAY * len(arrows)


def _inside(ctx: PageContext, files: Sequence[SurveyFile]) -> _Edges:
    """Return the ties among the files by their places: ids are of versions."""
    place = {file.id: number for number, file in enumerate(files)}
    return {
        place[file.id]: {
            place[target]: weight
            for target, weight in ctx.analysis.file_edges.get(file.id, {}).items()
            if target in place
        }
        for file in files
    }


def _labels(topic: Topic, files: Sequence[SurveyFile], edges: _Edges) -> dict[int, str]:
    touched = {a for a, targets in edges.items() if targets}
    touched |= {b for targets in edges.values() for b in targets}
    return {
        n: topic.inside(files[n])
        for n in sorted(touched)
        if files[n].name != "__init__.py" or files[n].lines > 20
    }


def _most_used(
    ctx: PageContext, files: Sequence[SurveyFile], edges: _Edges, shown: Collection[int]
) -> str:
    users: dict[int, list[int]] = defaultdict(list)
    for source in sorted(shown):
        for target in edges[source]:
            if target in shown:
                users[target].append(source)
    top = max(users, key=lambda t: (len(users[t]), -t), default=None)
    if top is None or len(users[top]) < 2:
        return ""
    ties = ctx.analysis.tie_between
    markers = "".join(
        ctx.cite_tie(ties[files[user].id, files[top].id])
        for user in users[top][:_USERS_CITED]
    )
    if len(users[top]) > _USERS_CITED:
        return ""
    told = ctx.say(
        "{file} is used by {users} of the files drawn here.",
        file=ctx.path(files[top]),
        users=len(users[top]),
    )
    return cited(told, markers)


def _folders(ctx: PageContext, topic: Topic) -> list[str]:
    """Draw a big part by its folders instead of its files."""
    folder: dict[int, str] = {}
    for file in topic.files:
        folder[file.id] = topic.inside(file).split("/")[0]
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
    if not _is_readable(labels, drawn):
        return []
    return [
        ctx.say("## How its pieces depend on each other"),
        " ".join(
            filter(None, [ctx.say("An arrow from A to B means that A uses B."), note])
        ),
        flowchart(labels, drawn),
    ]
