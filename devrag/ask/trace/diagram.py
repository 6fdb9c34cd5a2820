"""A path of calls as a sequence diagram: classes and files, and what they call."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.utils.translation import gettext

from devrag.navigation.call_paths import CallGraph, CallPath, Definition, is_constructor
from devrag.wiki.api import Message, sequence_diagram

_MOST_MESSAGES = 12
_LONGEST = 60
_TYPES = frozenset({"class", "interface", "enum", "type", "extension"})


def draw_path(graph: CallGraph, path: CallPath) -> str:
    """Return the Mermaid text of a path; a possible call is a dotted arrow."""
    # Calling a class is creating it, which its constructor says no better.
    edges = [e for e in path.edges if e.kind != "construct"] or path.edges
    names = _participants(graph[key] for key in path.keys)
    return sequence_diagram(
        [
            Message(
                names[edge.caller],
                names[edge.callee],
                _called(graph[edge.callee], is_possible=edge.is_possible),
                "-->>" if edge.is_possible else "->>",
            )
            for edge in edges[:_MOST_MESSAGES]
        ]
    )


def _called(own: Definition, *, is_possible: bool) -> str:
    name = own.qualified_name.rpartition(".")[2]
    is_made = own.kind == "class" or is_constructor(own)
    call = f"new {_owner(own) or name}()" if is_made else f"{name}()"
    call = _plain(call)
    return gettext("%(call)s, possible") % {"call": call} if is_possible else call


def _owner(own: Definition) -> str:
    """Return the type that a definition is or belongs to, "" for none."""
    if own.kind in _TYPES:
        return own.qualified_name.rpartition(".")[2]
    owner = own.qualified_name.rpartition(".")[0].rpartition(".")[2]
    return owner if own.kind == "method" else ""


def _participants(definitions: Iterable[Definition]) -> dict[int, str]:
    """Return who takes part by key; of one name in two places with the path."""
    owners: dict[int, tuple[str, str]] = {}
    paths: dict[str, set[str]] = defaultdict(set)
    for own in definitions:
        name = _plain(_owner(own) or own.path.rpartition("/")[2])
        owners[own.key] = name, own.path
        paths[name].add(own.path)
    return {
        key: name if len(paths[name]) == 1 else f"{name} ({_plain(path)})"
        for key, (name, path) in owners.items()
    }


def _plain(text: str) -> str:
    """Return text on one line, not too long, that begins no syntax of Mermaid."""
    line = " ".join(text.replace("#", "＃").replace("%%", "％％").split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
