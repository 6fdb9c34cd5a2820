"""The sentences of a traced answer, made of facts, with their citations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext

from devrag.ask.trace.citations import CALL_LINES, HEAD_LINES, Citations
from devrag.ask.types import PassageKind
from devrag.core.text import code_text
from devrag.navigation.call_paths import (
    CallEdge,
    CallGraph,
    CallPath,
    Definition,
    Uncertainty,
)

_LONGEST_NAME = 120
_STEPS: Mapping[Uncertainty, Promise] = {
    "": gettext_lazy("In `%(path)s`, line %(line)s, `%(caller)s` calls `%(callee)s`."),
    "implementation": gettext_lazy(
        "In `%(path)s`, line %(line)s, `%(caller)s` calls `%(named)s`. `%(callee)s` is "
        "one of %(choices)s definitions that may run, depending on the object."
    ),
    "overload": gettext_lazy(
        "In `%(path)s`, line %(line)s, `%(caller)s` calls `%(callee)s`, one of "
        "%(choices)s overloads."
    ),
    "table": gettext_lazy(
        "In `%(path)s`, line %(line)s, `%(caller)s` calls a function from a table. "
        "`%(callee)s` is one of %(choices)s in it."
    ),
    "type": gettext_lazy(
        "In `%(path)s`, line %(line)s, `%(caller)s` calls `%(named)s` on an object "
        "that may have several types. `%(callee)s` is one of %(choices)s possible "
        "definitions."
    ),
    "name": gettext_lazy(
        "In `%(path)s`, line %(line)s, `%(caller)s` calls `%(named)s` on an object of "
        "unknown type. `%(callee)s` is the only method with this name."
    ),
    "guess": gettext_lazy(
        "In `%(path)s`, line %(line)s, `%(caller)s` calls `%(named)s` on an object of "
        "unknown type. `%(callee)s` is one of %(choices)s methods with this name."
    ),
}
_CONSTRUCTS = gettext_lazy("Creating `%(caller)s` runs `%(callee)s`.")
_OVERRIDES = gettext_lazy(
    "`%(callee)s` is one of %(choices)s definitions that may run as `%(caller)s`, "
    "depending on the object."
)


def code(name: str) -> str:
    """Return a name that can stand between backticks on one line."""
    text = code_text(name)
    return text if len(text) <= _LONGEST_NAME else text[: _LONGEST_NAME - 1] + "…"


class PathWriter:
    """Writes the paths of one graph."""

    def __init__(self, graph: CallGraph, citations: Citations) -> None:
        self._graph = graph
        self._citations = citations

    def name(self, key: int) -> str:
        """Return the name of a definition; of a file its path."""
        own = self._graph[key]
        return code(own.path if own.kind == "module" else own.qualified_name)

    def load(self, paths: Sequence[CallPath]) -> None:
        """Read what paths name, and their files, together."""
        named = (edge.named for path in paths for edge in path.edges)
        self._graph.load(key for key in named if key is not None)
        keys = {key for path in paths for key in path.keys}
        self._citations.load({self._graph[key].file for key in keys})

    def steps(self, path: CallPath) -> str:
        """Return the calls as a numbered list, each with its lines and the callee."""
        first = path.keys[0]
        lines = []
        for number, edge in enumerate(path.edges, 1):
            marks = self.definition(first, "definition") if number == 1 else ""
            is_last = number == len(path.edges)
            marks += self._call(edge)
            marks += self.definition(edge.callee, "definition" if is_last else "callee")
            lines.append(f"{number}. {self._sentence(edge)}{marks}")
        return "\n".join(lines)

    def definition(self, key: int, kind: PassageKind) -> str:
        """Return the citation of a definition's first lines."""
        own = self._graph[key]
        if own.kind == "module":
            return ""
        end = min(own.end_line, own.start_line + HEAD_LINES - 1)
        return self._citations.cite(
            own.file,
            (own.start_line, end),
            kind,
            title=own.qualified_name,
            why=gettext("definition"),
            uuid=own.uuid,
        )

    def _call(self, edge: CallEdge) -> str:
        """Return the citation of a call's lines; a constructor is called by none."""
        if edge.kind != "call":
            return ""
        caller = self._graph[edge.caller]
        last = caller.end_line if caller.kind != "module" else edge.line
        end = min(max(last, edge.line), edge.line + CALL_LINES - 1)
        return self._citations.cite(
            caller.file,
            (edge.line, end),
            "caller",
            title=caller.qualified_name,
            why=gettext("call to %(name)s") % {"name": self.name(edge.callee)},
            uuid=caller.uuid,
        )

    def _sentence(self, edge: CallEdge) -> str:
        said = {"construct": _CONSTRUCTS, "override": _OVERRIDES}.get(edge.kind)
        callee = self._graph[edge.callee]
        named = edge.named
        return str(said or _STEPS[edge.uncertainty]) % {
            "path": code(self._graph[edge.caller].path),
            "line": edge.line,
            "caller": self.name(edge.caller),
            "callee": self.name(edge.callee),
            "named": code(callee.name) if named is None else self.name(named),
            "choices": edge.choices,
        }

    def head(self, path: CallPath) -> str:
        """Return who reaches whom, in how many calls, and what of it is possible."""
        count = sum(edge.kind == "call" for edge in path.edges)
        return ngettext(
            "`%(start)s` reaches `%(end)s` in %(count)s call:",
            "`%(start)s` reaches `%(end)s` in %(count)s calls:",
            count,
        ) % {
            "start": self.name(path.keys[0]),
            "end": self.name(path.keys[-1]),
            "count": count,
        }

    def uncertainties(self, path: CallPath) -> str:
        """Return which steps are only possible, "" for none."""
        steps = [str(n) for n, e in enumerate(path.edges, 1) if e.is_possible]
        if not steps:
            return ""
        return ngettext(
            "Step %(steps)s is possible, not certain.",
            "Steps %(steps)s are possible, not certain.",
            len(steps),
        ) % {"steps": gettext(", ").join(steps)}

    def other(self, path: CallPath) -> str:
        """Return another path in one line, with the lines of its calls."""
        chain = " → ".join(f"`{self.name(key)}`" for key in path.keys)
        marks = "".join(map(self._call, path.edges))
        said = gettext("Another path: %(chain)s.") % {"chain": chain}
        return said + marks


def place_of(own: Definition) -> str:
    """Return where a definition stands, for lists."""
    return gettext("`%(name)s` in `%(path)s`, line %(line)s") % {
        "name": code(own.qualified_name),
        "path": code(own.path),
        "line": own.start_line,
    }
