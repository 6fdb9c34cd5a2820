"""The graph that flows are paths of: calls, where they start, where they leave."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.boundaries import Boundaries, Boundary
from devrag.wiki.analysis.exports import exports_of, public_members
from devrag.wiki.analysis.flow_calls import (
    CALLABLE,
    SIDE,
    Call,
    calls_of,
    is_constructor,
)
from devrag.wiki.analysis.product_form import is_aside, main_functions


class FlowGraph:
    """Calls of a product, with the starts and the ends of flows."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis

    def file(self, symbol: int) -> int:
        """Return the file of a symbol."""
        return self._analysis.symbols[symbol].file

    @cached_property
    def boundaries(self) -> Mapping[int, Boundary]:
        """Symbol → the call by which it leaves the process."""
        analysis = self._analysis
        code = {file.id for file in analysis.with_role("code")}
        languages = {file.id: file.language for file in analysis.survey.files}
        own = {file.module.partition(".")[0] for file in analysis.survey.files}
        found = Boundaries(
            analysis.symbols, languages, analysis.texts, frozenset(own - {""})
        )
        inside = {(u.source, u.line) for u in analysis.uses if u.kind == "call"}
        references = [r for r in analysis.survey.references if r.file in code]
        known = found.of(
            references, frozenset((s, line) for s, line in inside if s is not None)
        )
        return {s: b for s, b in known.items() if not SIDE.match(self.name(s))}

    def name(self, symbol: int) -> str:
        """Return the bare name of a symbol."""
        return self._analysis.symbols[symbol].name

    @cached_property
    def calls(self) -> Mapping[int, Sequence[Call]]:
        """Caller → its calls worth telling, in the order in which they stand."""
        return calls_of(self._analysis)

    @cached_property
    def callers(self) -> Mapping[int, Sequence[int]]:
        """Symbol → what calls it."""
        callers: dict[int, list[int]] = defaultdict(list)
        for caller, calls in self.calls.items():
            for call in calls:
                callers[call.callee].append(caller)
        return callers

    @cached_property
    def distance(self) -> Mapping[int, int]:
        """Symbol → the fewest calls from it to one that leaves the process."""
        distance = dict.fromkeys(sorted(self.boundaries), 0)
        near = list(distance)
        while near:
            found: list[int] = []
            for symbol in near:
                for caller in self.callers.get(symbol, ()):
                    if caller not in distance:
                        distance[caller] = distance[symbol] + 1
                        found.append(caller)
            near = found
        return distance

    @cached_property
    def exported(self) -> frozenset[int]:
        """What a library exports."""
        return frozenset(e.symbol.id for e in exports_of(self._analysis))

    @cached_property
    def starts(self) -> list[int]:
        """What users call: entry points first, then what is exported, by rank.

        What another start calls is told on the way from there.
        """
        analysis = self._analysis
        entries = [s for s in analysis.entry_symbols if self._is_code(s)]
        entries += [s.id for s in main_functions(analysis) if s.id not in entries]
        entries.sort(key=self.is_aside)
        members = public_members(analysis, exports_of(analysis))
        public = {s.id for s in members if self._is_code(s.id)}
        public -= analysis.exceptions
        public -= {s for s in public if is_constructor(analysis.symbols[s])}
        reached = {
            c.callee for s in public for c in self.calls.get(s, ()) if c.callee != s
        }
        rank = analysis.symbol_rank
        public = {s for s in public - set(entries) if not SIDE.match(self.name(s))}
        first = sorted(public - reached, key=lambda s: (-rank[s], s))
        second = sorted(public & reached, key=lambda s: (-rank[s], s))
        return [s for s in [*entries, *first, *second] if self.calls.get(s)]

    def is_aside(self, symbol: int) -> bool:
        """Return whether a symbol stands beside the product, as in a script."""
        return is_aside(self._analysis.files[self.file(symbol)].path)

    def _is_code(self, symbol: int) -> bool:
        found = self._analysis.symbols[symbol]
        return self._analysis.roles[found.file] == "code" and found.kind in CALLABLE

    def starts_reaching(self, inside: set[int], most: int) -> list[int]:
        """Return the starts that reach these files soonest, at most so many."""
        reached = [s for s in self.callers if self.file(s) in inside]
        starts = set(self.starts)
        found: list[int] = []
        seen, near = set(reached), sorted(reached)
        while near and len(found) < most:
            found += [s for s in near if s in starts]
            near = sorted(
                {c for s in near for c in self.callers.get(s, ())}.difference(seen)
            )
            seen.update(near)
        return found[:most]
