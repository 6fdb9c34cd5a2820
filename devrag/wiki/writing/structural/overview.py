"""The components that the architecture shows: topics at the level that fits."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.imports import FileImport
from devrag.wiki.planning.plan import Plan

_FEWEST_COMPONENTS, MOST_COMPONENTS = 7, 20
_LARGEST_SHARE = 1 / 3

Chains = Mapping[int, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Overview:
    """Topics by their index in the analysis.

    components: those shown. shown_in: any topic with code → the one that shows it.
    lines: of each component. edges: component → component → number of imports. ties:
    the same pairs → the first line of their strongest imports.
    """

    components: tuple[int, ...]
    shown_in: Mapping[int, int]
    lines: Mapping[int, int]
    edges: Mapping[int, Mapping[int, float]]
    ties: Mapping[tuple[int, int], FileImport]


def overview_of(analysis: Analysis, plan: Plan) -> Overview:
    """Show the outermost topics; of a large one, or where there are few, its parts.

    None has more than a third of the code as far as topics are divided, and there are
    as many as one diagram holds. Topics without code are no components.
    """
    chains = _chains(analysis, plan)
    divided: set[int] = set()
    shown_in = _shown_in(chains, divided)
    while (large := _to_divide(analysis, shown_in, divided)) is not None:
        finer = _shown_in(chains, divided | {large})
        if len(set(finer.values())) > MOST_COMPONENTS:
            break
        divided.add(large)
        shown_in = finer
    edges, ties = _joined(analysis, shown_in)
    lines = _lines(analysis, shown_in)
    return Overview(tuple(sorted(lines)), shown_in, lines, edges, ties)


def _chains(analysis: Analysis, plan: Plan) -> Chains:
    """Return topic with code → the topics around it from the outermost to itself."""
    pages = {page.path: page for page in plan.pages}
    chains: dict[int, Sequence[int]] = {}
    for number, topic in enumerate(analysis.topics):
        chain = [number]
        page = plan.page_of_topic(number)
        while page and (page := pages.get(page.parent)) and page.topic is not None:
            chain.append(page.topic)
        if topic.lines:
            chains[number] = chain[::-1]
    return chains


def _shown_in(chains: Chains, divided: set[int]) -> dict[int, int]:
    """Return topic → the outermost one around it that is not divided."""
    return {
        topic: next((above for above in chain if above not in divided), topic)
        for topic, chain in chains.items()
    }


def _lines(analysis: Analysis, shown_in: Mapping[int, int]) -> Counter[int]:
    lines = Counter[int]()
    for topic, shown in shown_in.items():
        lines[shown] += analysis.topics[topic].lines
    return lines


def _to_divide(
    analysis: Analysis, shown_in: Mapping[int, int], divided: set[int]
) -> int | None:
    """Return the largest component that should be shown by its parts."""
    lines = _lines(analysis, shown_in)
    held = Counter(shown_in.values())
    able = [c for c in lines if held[c] > 1 and c not in divided]
    largest = max(able, key=lambda c: (lines[c], -c), default=None)
    if largest is None:
        return None
    is_large = lines[largest] > _LARGEST_SHARE * sum(lines.values())
    return largest if is_large or len(lines) < _FEWEST_COMPONENTS else None


def _joined(
    analysis: Analysis, shown_in: Mapping[int, int]
) -> tuple[dict[int, dict[int, float]], dict[tuple[int, int], FileImport]]:
    edges: dict[int, dict[int, float]] = defaultdict(dict)
    strongest: dict[tuple[int, int], float] = defaultdict(float)
    ties: dict[tuple[int, int], FileImport] = {}
    for source, targets in sorted(analysis.topic_edges.items()):
        for target, weight in sorted(targets.items()):
            pair = a, b = shown_in.get(source, -1), shown_in.get(target, -1)
            if a == b or -1 in pair:
                continue
            edges[a][b] = edges[a].get(b, 0.0) + weight
            tie = analysis.tie_of_topics.get((source, target))
            if tie is not None and weight > strongest[pair]:
                strongest[pair] = weight
                ties[pair] = tie
    return dict(edges), ties
