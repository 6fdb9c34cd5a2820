"""Mermaid text drawn from the graph: few nodes, quoted labels, stable order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.graph import Edges, components
from devrag.wiki.wording import Wording

MOST_NODES = 25
_MOST_EDGES = 26
_STRONGEST = 2
_ESCAPES = str.maketrans({'"': "#quot;", "<": "#lt;", ">": "#gt;", "`": "", "\n": " "})


def flowchart(
    labels: Mapping[int, str],
    edges: Edges,
    *,
    direction: str = "LR",
    groups: Mapping[str, Sequence[int]] | None = None,
    links: Mapping[int, str] | None = None,
) -> str:
    """Return a flowchart block of the labelled nodes and the edges between them.

    links: node → the page that it leads to, relative to the diagram's.
    """
    order = {node: f"n{index}" for index, node in enumerate(sorted(labels))}
    lines = [f"flowchart {direction}"]
    for name, members in sorted((groups or {}).items()):
        inside = [node for node in sorted(members) if node in order]
        lines.append(f'  subgraph {name_id(name)}["{label(name)}"]')
        lines += [f'    {order[n]}["{label(labels[n])}"]' for n in inside]
        lines.append("  end")
    grouped = {node for members in (groups or {}).values() for node in members}
    lines += [
        f'  {order[n]}["{label(labels[n])}"]'
        for n in sorted(labels)
        if n not in grouped
    ]
    for source in sorted(order):
        for target in sorted(edges.get(source, ())):
            if target in order and target != source:
                lines.append(f"  {order[source]} --> {order[target]}")
    for node, page in sorted((links or {}).items()):
        lines += [f'  click {order[node]} href "{page}"'] if node in order else []
    return fence("\n".join(lines))


@dataclass(frozen=True, slots=True)
class Message:
    """An arrow of a sequence diagram. arrow: as Mermaid writes it."""

    sender: str
    receiver: str
    text: str
    arrow: str = "->>"


def sequence_diagram(messages: Sequence[Message], *, actor: str = "") -> str:
    """Return a sequence diagram, its participants in the order in which they appear.

    actor: the participant that is drawn as a person, first of all.
    """
    names = dict.fromkeys(n for each in messages for n in (each.sender, each.receiver))
    names.pop(actor, None)
    ids = {name: f"p{number}" for number, name in enumerate(names, bool(actor))}
    lines = ["sequenceDiagram"]
    if actor:
        lines.append(f"  actor p0 as {message(actor)}")
    lines += [f"  participant {ids[name]} as {message(name)}" for name in names]
    ids.setdefault(actor, "p0")
    lines += [
        f"  {ids[each.sender]}{each.arrow}{ids[each.receiver]}: {message(each.text)}"
        for each in messages
    ]
    return "\n".join(lines)


def fence(diagram: str) -> str:
    """Return the diagram as a fenced block."""
    return f"```mermaid\n{diagram}\n```"


def label(text: str) -> str:
    """Escape text for a quoted label."""
    return text.translate(_ESCAPES)


def name_id(text: str) -> str:
    """Return an id for a subgraph that no Mermaid keyword equals."""
    return "g_" + "".join(c if c.isascii() and c.isalnum() else "_" for c in text)


def message(text: str) -> str:
    """Escape text that stands behind a colon, or where no label has quotes."""
    return label(text).replace("#quot;", "'").replace(";", ",").replace(":", " ")


def readable(
    nodes: Iterable[int], edges: Edges, wording: Wording
) -> tuple[dict[int, dict[int, float]], str]:
    """Return the edges to draw, and a sentence on what was left out ('' if nothing).

    Above a number of edges, circles count as one: of the edges between two the
    strongest stays, none where a longer path implies it. Within a circle, where every
    path implies every other, each node keeps its strongest ones.
    """
    inside = set(nodes)
    kept = {
        a: {b: w for b, w in edges.get(a, {}).items() if b in inside and b != a}
        for a in sorted(inside)
    }
    if sum(len(targets) for targets in kept.values()) <= _MOST_EDGES:
        return kept, ""
    circle = {
        node: number
        for number, members in enumerate(components(inside, kept))
        for node in members
    }
    reduced = _between(kept, circle)
    for a, targets in kept.items():
        own = [b for b in targets if circle[b] == circle[a]]
        own.sort(key=lambda b: (-targets[b], b))
        reduced[a] |= {b: targets[b] for b in own[:_STRONGEST]}
    if len(set(circle.values())) == len(circle):
        return reduced, wording.say("Arrows that a longer path implies are left out.")
    return reduced, wording.say(
        "Only the strongest arrows are drawn, and none that others imply."
    )


def _between(edges: Edges, circle: Mapping[int, int]) -> dict[int, dict[int, float]]:
    """Return the strongest edge of each pair of circles that no longer way joins."""
    strongest: dict[tuple[int, int], tuple[float, int, int]] = {}
    for a, targets in edges.items():
        for b, weight in targets.items():
            pair = circle[a], circle[b]
            if pair[0] != pair[1]:
                strongest[pair] = max(
                    strongest.get(pair, (0.0, 0, 0)), (weight, -a, -b)
                )
    joined: dict[int, set[int]] = {number: set() for number in circle.values()}
    for one, other in strongest:
        joined[one].add(other)
    drawn: dict[int, dict[int, float]] = {a: {} for a in edges}
    for (one, other), (weight, a, b) in strongest.items():
        if not _is_implied(one, other, joined):
            drawn[-a][-b] = weight
    return drawn


def _is_implied(source: int, target: int, joined: Mapping[int, set[int]]) -> bool:
    """Return whether target is reached from source through another circle."""
    seen = {target}
    stack = [node for node in joined[source] if node != target]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if target in joined[node]:
            return True
        stack.extend(joined[node])
    return False
