"""Chains of calls from what users call to where the process is left.

A flow begins at a route, command, task or entry point, or at what a library exports,
and ends at a call of the network, a database, a file, another process or a queue. Of
all of them those are chosen that teach most: documented steps, over several files, to a
boundary that matters. Interfaces are followed to a class that implements them.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.boundaries import (
    DATABASE,
    FILE,
    NETWORK,
    PROCESS,
    QUEUE,
    STREAM,
    Boundary,
)
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.flow_calls import (
    Call,
)
from devrag.wiki.analysis.flow_graph import FlowGraph
from devrag.wiki.analysis.product_form import (
    mentions_in_code,
)
from devrag.wiki.analysis.survey import SurveyFact, SurveySymbol

_LONGEST, _SHORTEST = 9, 3
_WIDTH = 14  # unfinished chains that are followed further at each step
_MOST_STARTS = 260
_STARTS_OF_TOPIC = 24
_TELLING_END = {
    NETWORK: 4.0,
    DATABASE: 4.0,
    QUEUE: 4.0,
    PROCESS: 3.5,
    FILE: 2.5,
    STREAM: 2.5,
}
_REPEATED = 6.0  # points
_SAME = 0.75  # of a flow's steps, those that another page traces
MAIN_FLOWS = 3  # that the page on the architecture traces
_TRIVIAL = re.compile(r"^_*(is|has|get|set|can|should|check|validate)(_|[A-Z])")
_HUB_CALLERS = 25
_GATES, _WAY_IN = 10, 5
_KEPT = 8  # of flows that stay inside, from each start
_MOST_GUESSES, _GUESSES_FOLLOWED = 2, 3


@dataclass(frozen=True, slots=True)
class Flow:
    """A chain of calls. entry: the fact that starts it, None for an exported name.

    end: how the last step leaves the process, None where it stays inside.
    """

    entry: SurveyFact | None
    start: SurveySymbol
    calls: tuple[Call, ...]
    end: Boundary | None

    @property
    def symbols(self) -> tuple[int, ...]:
        """The called symbols in order, the first one included."""
        return (self.start.id, *(call.callee for call in self.calls))


@cached_by_analysis
def flows_of(analysis: Analysis) -> Flows:
    """Return the flows of a product, found when first asked for."""
    return Flows(analysis)


class Flows:
    """All flows of a product, and the choice of those that a page tells."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._graph = FlowGraph(analysis)

    def of_topic(self, topic: int) -> Flow | None:
        """Return the flow that teaches most about a topic, and no other tells."""
        return self._by_topic[topic]

    def topic_of(self, flow: Flow) -> int | None:
        """Return the topic that a flow is told of, None for one that no topic has."""
        for topic, each in enumerate(self._by_topic):
            if each is not None and each.symbols == flow.symbols:
                return topic
        return None

    @cached_property
    def _by_topic(self) -> list[Flow | None]:
        """The flow of each topic; what an earlier page traces counts less or not."""
        chosen: list[Flow | None] = []
        for topic in range(len(self._analysis.topics)):
            inside = self._files_of(topic)
            seen = [set(flow.symbols) for flow in chosen if flow]
            ranked = [
                (
                    self._rank(flow, inside)[0] - _REPEATED * _overlap(flow, seen),
                    flow.symbols,
                    flow,
                )
                for flow in self._about(inside)
                if _overlap(flow, seen) < _SAME
            ]
            best = max(ranked, key=lambda each: each[:2], default=None)
            chosen.append(best[2] if best else None)
        return chosen

    def _files_of(self, topic: int) -> set[int]:
        return {
            file.id
            for index, each in enumerate(self._analysis.topics)
            if index == topic or each.parent == topic
            for file in each.files
        }

    def _about(self, inside: set[int]) -> list[Flow]:
        """Return the flows that tell something about files."""
        own = [s for s in self._graph.starts if self._graph.file(s) in inside][
            :_STARTS_OF_TOPIC
        ]
        near = self._graph.starts_reaching(inside, _STARTS_OF_TOPIC // 2)
        more = [s for s in near if s not in own]
        known = {f.symbols: f for f in self._all}
        known |= {f.symbols: f for s in own + more for f in self._from(s)}
        known |= {f.symbols: f for f in self._entering(inside)}
        about = [flow for flow in known.values() if self._is_about(flow, inside)]
        return [flow for flow in about if flow.end or self._is_told(flow)]

    def _entering(self, inside: set[int]) -> Iterator[Flow]:
        """Yield flows from the nearest start into files, and on from there."""
        rank = self._analysis.symbol_rank
        gates = {
            callee: call
            for calls in self._graph.calls.values()
            for call in calls
            if self._graph.file(callee := call.callee) in inside
            and self._graph.file(call.caller) not in inside
        }
        most = sorted(gates, key=lambda s: (-rank[s], s))[:_GATES]
        for gate in most:
            chain = self._from_start(gates[gate])
            if chain is None:
                continue
            start = self._analysis.symbols[chain[0].caller]
            entry = self._analysis.entry_symbols.get(start.id)
            passed = {start.id, *(call.callee for call in chain)}
            for flow in self._from(gate):
                calls = (*chain, *flow.calls)
                is_short = len(calls) < _LONGEST + 2
                if is_short and not passed & set(flow.symbols[1:]):
                    yield Flow(entry, start, calls, flow.end)

    def _from_start(self, last: Call) -> tuple[Call, ...] | None:
        """Return the shortest chain of calls from a start that ends with a call."""
        starts = set(self._graph.starts)
        near: list[tuple[Call, ...]] = [(last,)]
        seen = {last.callee, last.caller}
        for _ in range(_WAY_IN):
            for chain in near:
                if chain[0].caller in starts:
                    return chain
            near = [
                (call, *chain) for chain in near for call in self._new(chain[0], seen)
            ]
        return None

    def _new(self, call: Call, seen: set[int]) -> Iterator[Call]:
        """Yield a call from each caller of a call's caller that was not seen yet."""
        for caller in self._graph.callers.get(call.caller, ()):
            if caller not in seen:
                seen.add(caller)
                calls = self._graph.calls[caller]
                yield next(c for c in calls if c.callee == call.caller)

    def main(self, most: int = MAIN_FLOWS) -> list[Flow]:
        """Return the flows that show most of the product, each from its own start.

        Of flows through functions of the same names, as a class and its asynchronous
        twin have them, one is told. One that stays inside is told if no other is.
        """
        offered = [f for f in self._all if not self._graph.is_aside(f.start.id)]
        ended = [flow for flow in offered if flow.end]
        chosen: list[Flow] = []
        seen: set[str] = set()
        for flow in sorted(ended or offered, key=self._rank, reverse=True):
            names = {
                self._graph.name(s).lower().replace("async", "") for s in flow.symbols
            }
            is_other = len(names & seen) * 2 <= len(names)
            is_wide = len({self._graph.file(s) for s in flow.symbols}) > 1
            if is_other and is_wide and (flow.end or self._is_told(flow)):
                chosen.append(flow)
                seen |= names
            if len(chosen) == most:
                break
        return chosen

    def _is_told(self, flow: Flow) -> bool:
        """Return whether a flow that stays inside is worth telling for its words."""
        symbols = [self._analysis.symbols[s] for s in flow.symbols]
        told = sum(1 for symbol in symbols if symbol.docstring)
        is_long = len(symbols) > _SHORTEST and 3 * told >= len(symbols)
        return is_long and len({s.file for s in symbols}) > 1

    def _is_about(self, flow: Flow, inside: set[int]) -> bool:
        held = sum(1 for s in flow.symbols if self._graph.file(s) in inside)
        begins = self._graph.file(flow.start.id) in inside
        return held >= 2 or (begins and len(inside) == 1)

    def _rank(self, flow: Flow, inside: set[int] | None = None) -> tuple[float, int]:
        score = self._score(flow)
        if inside is not None:
            held = [self._graph.file(s) in inside for s in flow.symbols]
            score += (
                1.5 * min(4, sum(held)) + held[0] + 1.5 * (held[0] and not flow.end)
            )
        return score, -flow.start.id

    def _score(self, flow: Flow) -> float:
        symbols = [self._analysis.symbols[s] for s in flow.symbols]
        files = {symbol.file for symbol in symbols}
        topics = {self._analysis.topic_of.get(file) for file in files}
        told = sum(1 for symbol in symbols if symbol.docstring)
        score = min(len(symbols), 7) * 0.7 + told * 0.8
        score += min(len(files), 5) + 0.5 * min(len(topics), 4)
        score += _TELLING_END[flow.end.kind] if flow.end else 0.0
        score += self._start_weight(flow)
        score -= 5.0 * self._graph.is_aside(flow.start.id)
        score -= sum(self._dullness(symbol) for symbol in symbols[1:])
        return score - 0.8 * sum(call.is_possible for call in flow.calls)

    def _start_weight(self, flow: Flow) -> float:
        """Return how surely users begin here: entries, then what examples call."""
        shown = mentions_in_code(self._analysis)
        name = flow.start.name
        owner = flow.start.qualified_name.rpartition(".")[0].rpartition(".")[2]
        often = 0.3 * math.log1p(shown[name])
        often -= 0.3 * ("async" in flow.start.qualified_name.lower())
        if flow.entry is not None:
            return 2.5
        if flow.start.kind == "class":
            return 0.5
        if flow.start.id in self._graph.exported:
            return 2.0 + often
        return (2.0 if shown[name] and shown[owner] else 0.5) + often

    def _dullness(self, symbol: SurveySymbol) -> float:
        """Return how little a step tells: helpers that all call, checks, getters."""
        height = symbol.end_line - symbol.start_line
        dull = (
            1.5 if len(self._graph.callers.get(symbol.id, ())) > _HUB_CALLERS else 0.0
        )
        dull += 1.5 if height < 3 and not symbol.docstring else 0.0
        dull += 1.0 if _TRIVIAL.match(symbol.name) else 0.0
        return dull

    @cached_property
    def _all(self) -> list[Flow]:
        return [
            flow for s in self._graph.starts[:_MOST_STARTS] for flow in self._from(s)
        ]

    def _from(self, start: int) -> list[Flow]:
        """Return the most telling flows from one start, at most one to each end."""
        if start not in self._found:
            self._found[start] = self._search(start)
        return self._found[start]

    @cached_property
    def _found(self) -> dict[int, list[Flow]]:
        return {}

    def _search(self, start: int) -> list[Flow]:
        """Follow calls, at each length the most promising chains only."""
        symbol = self._analysis.symbols[start]
        entry = self._analysis.entry_symbols.get(start)
        open_chains: list[tuple[Call, ...]] = [()]
        best: dict[int, Flow] = {}
        for _ in range(_LONGEST):
            grown = [c for chain in open_chains for c in self._grown(start, chain)]
            flows = [Flow(entry, symbol, c, self._end(c[-1].callee)) for c in grown]
            for flow in flows:
                last = flow.symbols[-1]
                is_long = len(flow.symbols) >= _SHORTEST
                if is_long and (
                    last not in best or self._score(flow) > self._score(best[last])
                ):
                    best[last] = flow
            flows.sort(key=lambda f: (-self._promise(f), f.symbols))
            open_chains = [f.calls for f in flows[:_WIDTH]]
        ended = [flow for flow in best.values() if flow.end]
        return ended or sorted(best.values(), key=self._rank)[-_KEPT:]

    def _grown(self, start: int, chain: tuple[Call, ...]) -> Iterable[tuple[Call, ...]]:
        last = chain[-1].callee if chain else start
        passed = {start, *(call.callee for call in chain)}
        guesses = sum(call.is_possible for call in chain)
        is_guessed = bool(chain) and chain[-1].is_possible
        names = {self._graph.name(symbol) for symbol in passed}
        possible: dict[int, list[Call]] = defaultdict(list)
        for call in self._graph.calls.get(last, ()):
            if call.callee in passed:
                continue
            if not call.is_possible:
                yield (*chain, call)
            # One that passes the same call on teaches little beside the last of them.
            elif guesses < _MOST_GUESSES and not (
                is_guessed and self._graph.name(call.callee) in names
            ):
                possible[call.line].append(call)
        for calls in possible.values():
            calls.sort(key=lambda c: (self._graph.distance.get(c.callee, 99), c.callee))
            yield from ((*chain, call) for call in calls[:_GUESSES_FOLLOWED])

    def _promise(self, flow: Flow) -> float:
        """Return how good a chain may become; near a boundary is better."""
        distance = self._graph.distance.get(flow.symbols[-1], 12)
        return self._score(flow) - 0.9 * distance

    def _end(self, symbol: int) -> Boundary | None:
        return self._graph.boundaries.get(symbol)

    @property
    def boundaries(self) -> Mapping[int, Boundary]:
        """Symbol → the call by which it leaves the process."""
        return self._graph.boundaries


def _overlap(flow: Flow, seen: Iterable[set[int]]) -> float:
    """Return the largest share of a flow's steps that one of the others has."""
    own = set(flow.symbols)
    return max((len(own & each) / len(own) for each in seen), default=0.0)
