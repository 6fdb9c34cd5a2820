"""Mermaid text drawn from the graph: few nodes, quoted labels, stable order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from devrag.wiki.graph import Edges

MOST_NODES = 25
_MOST_EDGES = 34
_ESCAPES = str.maketrans({'"': "#quot;", "<": "#lt;", ">": "#gt;", "`": "", "\n": " "})


def flowchart(
    labels: Mapping[int, str],
    edges: Edges,
    *,
    direction: str = "LR",
    groups: Mapping[str, Sequence[int]] | None = None,
) -> str:
    """Return a flowchart block of the labelled nodes and the edges between them."""
    order = {node: f"n{index}" for index, node in enumerate(sorted(labels))}
    lines = [f"flowchart {direction}"]
    for name, members in sorted((groups or {}).items()):
        inside = [node for node in sorted(members) if node in order]
        lines.append(f'  subgraph {name_id(name)}["{label(name)}"]')
        lines += [f'    {order[n]}["{label(labels[n])}"]' for n in inside]
        lines.append("  end")
    grouped = {node for members in (groups or {}).values() for node in members}
    lines += [
        f'  {order[n]}["{label(labels[n])}"]' for n in sorted(labels) if n not in grouped
    ]
    for source in sorted(order):
        for target in sorted(edges.get(source, ())):
            if target in order and target != source:
                lines.append(f"  {order[source]} --> {order[target]}")
    return fence("\n".join(lines))


def sequence(steps: Sequence[tuple[str, str, str]]) -> str:
    """Return a sequence diagram of (caller, callee, message) steps."""
    people = list(dict.fromkeys(p for a, b, _ in steps for p in (a, b)))
    ids = {person: f"p{index}" for index, person in enumerate(people)}
    lines = ["sequenceDiagram"]
    lines += [f"  participant {ids[p]} as {_message(p)}" for p in people]
    lines += [f"  {ids[a]}->>{ids[b]}: {_message(text)}" for a, b, text in steps]
    return fence("\n".join(lines))


def fence(diagram: str) -> str:
    """Return the diagram as a fenced block (S2-8.8-11)."""
    return f"```mermaid\n{diagram}\n```"


def label(text: str) -> str:
    """Escape text for a quoted label."""
    return text.translate(_ESCAPES)


def name_id(text: str) -> str:
    """Return an id for a subgraph that no Mermaid keyword equals."""
    return "g_" + "".join(c if c.isascii() and c.isalnum() else "_" for c in text)


def _message(text: str) -> str:
    return label(text).replace("#quot;", "'").replace(";", ",").replace(":", " ")


def readable(nodes: Iterable[int], edges: Edges) -> tuple[dict[int, dict[int, float]], bool]:
    """Return the edges to draw, and whether implied ones were left out.

    Above a number of edges, an edge is left out when a longer path implies it.
    """
    inside = set(nodes)
    kept = {
        a: {b: w for b, w in edges.get(a, {}).items() if b in inside and b != a}
        for a in sorted(inside)
    }
    if sum(len(targets) for targets in kept.values()) <= _MOST_EDGES:
        return kept, False
    reduced = {
        a: {b: w for b, w in targets.items() if not _implied(a, b, kept)}
        for a, targets in kept.items()
    }
    return reduced, True


def _implied(source: int, target: int, edges: Edges) -> bool:
    """Say whether target is reached from source through another node."""
    seen = {source, target}
    stack = [node for node in edges[source] if node != target]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        following = edges.get(node, {})
        if target in following and source not in following:
            return True
        stack.extend(following)
    return False
