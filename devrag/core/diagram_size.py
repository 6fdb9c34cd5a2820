"""About how large Mermaid draws a diagram, before it is drawn: space is kept for it.

An estimate by the number of nodes, layers and messages; what is drawn is fitted into
the space that was kept.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

# Heights that a page keeps, in rem; static/css/diagrams.css has a class for each.
HEIGHTS = (8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 48)
_WIDE = 640  # pixels: a wider diagram leaves the column of text
_REM = 16
_PADDING = 32  # pixels above and below the picture
_COLUMN, _WIDEST = 640, 976  # pixels of the picture in the text's column, beyond it
_DEEPEST = 12
_DIRECTION = re.compile(r"^\s*(?:(?:flowchart|graph)|direction)\s+(\w+)", re.MULTILINE)
_EDGE = re.compile(
    r"^\s*(\w+)\b.*?\s(?:<\|--|<\|\.\.|--\|>|\.\.\|>|--?>|-\.->|==>|---|\S*--\S*)"
    r"\s*(?:\|([^|]*)\|\s*)?(\w+)"
)
_LABEL = re.compile(r'"([^"\n]*)"')
_MESSAGE = re.compile(r"^\s*\w+\s*-?-?[->x)]+[+-]?\s*\w+\s*:")
_CLASS = re.compile(r"^\s*(?:class\s+)?(\w+)(?:\[[^\]]*\])?\s*(\{)?\s*$")


@dataclass(frozen=True, slots=True)
class DiagramSize:
    """height: rem, of HEIGHTS. is_wide: whether it is wider than the text."""

    height: int
    is_wide: bool

    @property
    def css(self) -> str:
        """The classes of its figure."""
        return f"mermaid-h-{self.height}" + (" is-wide" if self.is_wide else "")


def estimate_size(diagram: str) -> DiagramSize:
    """Return about how large a diagram will be."""
    width, height = _measure(diagram)
    is_wide = width > _WIDE
    space = _WIDEST if is_wide else _COLUMN
    shown = height * min(1.0, space / max(width, 1)) + _PADDING
    found = next((each for each in HEIGHTS if each * _REM >= shown), HEIGHTS[-1])
    return DiagramSize(found, is_wide)


def _measure(diagram: str) -> tuple[float, float]:
    lines = [line for line in diagram.split("\n") if line.strip()]
    first = lines[0].strip() if lines else ""
    if first.startswith("sequenceDiagram"):
        return _sequence(lines)
    direction = _DIRECTION.search(diagram)
    is_across = bool(direction and direction[1] in {"LR", "RL"})
    if first.startswith(("classDiagram", "erDiagram")):
        return _boxes(lines, is_across)
    return _graph(lines, is_across)


def _sequence(lines: list[str]) -> tuple[float, float]:
    people = sum(bool(re.match(r"\s*(participant|actor)\b", each)) for each in lines)
    messages = sum(bool(_MESSAGE.match(each)) for each in lines)
    return 60 + 210 * people, 275 + 46 * messages


def _boxes(lines: list[str], is_across: bool) -> tuple[float, float]:
    """Classes and entities: boxes as high as their members, in layers."""
    heights = _box_heights(lines)
    layers, _ = _layers(lines)
    placed = set().union(*layers.values())
    layers.setdefault(0, set()).update(set(heights) - placed)
    rows = [[heights.get(name, 60.0) for name in names] for names in layers.values()]
    if is_across:
        tallest = max(sum(row) + 42 * (len(row) - 1) for row in rows)
        return 215.0 * len(rows), 16 + tallest
    gaps = 70.0 * (len(rows) - 1)
    return 200.0 * max(map(len, rows)), 16 + sum(map(max, rows)) + gaps


def _box_heights(lines: list[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    name = ""
    for line in lines[1:]:
        if (box := _CLASS.match(line)) and not name:
            found[box[1]] = 62.0
            name = box[1] if box[2] else ""
        elif line.strip() == "}":
            name = ""
        elif name:
            found[name] += 24
    return found


def _graph(lines: list[str], is_across: bool) -> tuple[float, float]:
    layers, label = _layers(lines)
    depth = max(1, len(layers))
    across = max(map(len, layers.values()), default=1)
    groups = any(each.strip().startswith("subgraph") for each in lines)
    labels = [len(found) for each in lines for found in _LABEL.findall(each)]
    wide = 60 + 7.5 * (sum(labels) / len(labels) if labels else 8)
    more = 70.0 if groups else 0.0
    if is_across:
        gap = 50 + 8.0 * label
        return depth * wide + (depth - 1) * gap + more, 16 + across * 100 + more
    return across * (wide + 50) + more, 16 + depth * 54 + (depth - 1) * 55 + more


def _layers(lines: list[str]) -> tuple[dict[int, set[str]], int]:
    """Return the nodes that have edges by layer, and the longest label of an edge.

    A layer is the longest way to its nodes; what closes a circle does not count.
    """
    edges = [(m[1], m[3], m[2] or "") for each in lines if (m := _EDGE.match(each))]
    layer: dict[str, int] = {}
    targets: dict[str, list[str]] = defaultdict(list)
    for source, target, _ in edges:
        targets[source].append(target)

    def place(node: str, depth: int, above: frozenset[str]) -> None:
        if depth <= layer.get(node, -1) or depth > _DEEPEST:
            return
        layer[node] = depth
        for target in targets[node]:
            if target not in above and target != node:
                place(target, depth + 1, above | {node})

    entered = {target for _, target, _ in edges}
    for node in [n for n in targets if n not in entered] or list(targets)[:1]:
        place(node, 0, frozenset())
    found: dict[int, set[str]] = defaultdict(set)
    for node, depth in layer.items():
        found[depth].add(node)
    return found, max((len(label) for *_, label in edges), default=0)
