"""Links from the nodes of a diagram: Mermaid's `click n0 href "features/search.md"`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_CLICK = re.compile(
    r"""^[ \t]*click[ \t]+(?P<node>\w+)[ \t]+(?:href[ \t]+)?"(?P<target>[^"\n]+)".*$"""
    r"""|^[ \t]*click[ \t].*$""",
    re.MULTILINE,
)
_LABEL = r"""(?<!\w){}[ \t]*[\[({{>|]+"(?P<label>[^"\n]*)\""""
_NODE = re.compile(r"""(?<!\w)(?<!subgraph )(\w+)[ \t]*[\[({{>|]+"[^"\n]*\"""")
_CLASS = re.compile(r"""^[ \t]*class[ \t]+(\w+)(?:\["([^"\n]*)"\])?""", re.MULTILINE)
_ENTITIES = {"#quot;": '"', "#lt;": "<", "#gt;": ">"}


@dataclass(frozen=True, slots=True)
class NodeLink:
    """A node that leads somewhere. label: its words in the diagram, else its id."""

    node: str
    target: str
    label: str


def links_of(diagram: str) -> list[NodeLink]:
    """Return the links of a flowchart's nodes, in order."""
    return [
        NodeLink(match["node"], match["target"], _label_of(diagram, match["node"]))
        for match in _CLICK.finditer(diagram)
        if match["node"]
    ]


def nodes_of(diagram: str) -> list[NodeLink]:
    """Return the named nodes of a flowchart and the classes of a class diagram.

    Their labels are what may lead somewhere; their targets are empty.
    """
    if diagram.lstrip().startswith("classDiagram"):
        names = dict.fromkeys(match[1] for match in _CLASS.finditer(diagram))
        labels = {m[1]: m[2] for m in _CLASS.finditer(diagram) if m[2]}
        return [NodeLink(name, "", labels.get(name, name)) for name in names]
    ids = dict.fromkeys(match[1] for match in _NODE.finditer(diagram))
    return [NodeLink(node, "", _label_of(diagram, node)) for node in ids]


def without_links(diagram: str, is_good: Callable[[str], bool]) -> str:
    """Return a diagram without the links whose target is not good.

    What `click` does besides, such as calling a function, goes, too.
    """

    def keep(match: re.Match[str]) -> str:
        return match[0] if match["node"] and is_good(match["target"]) else ""

    kept = _CLICK.sub(keep, diagram)
    return diagram if kept == diagram else re.sub(r"\n{2,}", "\n", kept).rstrip()


def _label_of(diagram: str, node: str) -> str:
    found = re.search(_LABEL.format(re.escape(node)), diagram)
    label = found["label"] if found else node
    for entity, character in _ENTITIES.items():
        label = label.replace(entity, character)
    return label
