"""The parts as the whole shows them: one that is told within another counts to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.imports import FileImport
from devrag.wiki.planning.plan import Plan
from devrag.wiki.writing.structural.diagrams import MOST_NODES


@dataclass(frozen=True, slots=True)
class Overview:
    """Parts by their index in the analysis.

    parts: those shown. shown_in: any part → the one that shows it. edges: shown part →
    shown part → number of imports. ties: the same pairs → the first line of their
    strongest imports.
    """

    parts: tuple[int, ...]
    shown_in: Mapping[int, int]
    edges: Mapping[int, Mapping[int, float]]
    ties: Mapping[tuple[int, int], FileImport]


def overview_of(analysis: Analysis, plan: Plan) -> Overview:
    """Show parts as deep as one diagram holds them, the outermost in any case."""
    chains = _chains(analysis, plan)
    shown_in = {topic: chain[0] for topic, chain in chains.items()}
    for depth in range(1, max((len(c) for c in chains.values()), default=1)):
        deeper = {topic: chain[: depth + 1][-1] for topic, chain in chains.items()}
        if len(set(deeper.values())) > MOST_NODES:
            break
        shown_in = deeper
    weights, ties = _joined(analysis, shown_in)
    return Overview(tuple(sorted(set(shown_in.values()))), shown_in, weights, ties)


def _chains(analysis: Analysis, plan: Plan) -> dict[int, Sequence[int]]:
    """Return part → the parts around it from the outermost to itself."""
    pages = {page.path: page for page in plan.pages}
    chains: dict[int, Sequence[int]] = {}
    for topic in range(len(analysis.topics)):
        chain = [topic]
        page = plan.page_of_topic(topic)
        while page and (page := pages.get(page.parent)) and page.topic is not None:
            chain.append(page.topic)
        chains[topic] = chain[::-1]
    return chains


def _joined(
    analysis: Analysis, shown_in: Mapping[int, int]
) -> tuple[dict[int, dict[int, float]], dict[tuple[int, int], FileImport]]:
    edges: dict[int, dict[int, float]] = defaultdict(dict)
    strongest: dict[tuple[int, int], float] = defaultdict(float)
    ties: dict[tuple[int, int], FileImport] = {}
    for source, targets in sorted(analysis.topic_edges.items()):
        for target, weight in sorted(targets.items()):
            pair = a, b = shown_in[source], shown_in[target]
            if a == b:
                continue
            edges[a][b] = edges[a].get(b, 0.0) + weight
            tie = analysis.tie_of_topics.get((source, target))
            if tie is not None and weight > strongest[pair]:
                strongest[pair] = weight
                ties[pair] = tie
    return dict(edges), ties
