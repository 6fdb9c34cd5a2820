"""Groups documents that have no code beside them: shelves first, then likeness.

Where people put documents (folders, chapters of a table of contents) is what they
belong to. Loose ones and small shelves are grouped by what they share: links, labels
and rare words, with Louvain's communities (Blondel et al. 2008).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest

import networkx as nx

from devrag.wiki.analysis.survey import SurveyFile

_SEED = 1
_RESOLUTIONS = (0.5, 0.8, 1.0, 1.4, 2.0, 3.0, 4.5)
_NEAREST = 6
_TERMS = 32  # of a document by which it is compared
_COMMON = 0.2  # share of the documents with a word that tells nothing
_COMMON_OF_FEW = 12  # documents
# Documents with a word by which they are compared, fewer where there are many.
_MOST_HOLDERS, _FEWEST_HOLDERS, _MOST_PAIRS = 150, 30, 300_000
_LEAST_LIKENESS = 0.06
_LINK, _MOST_LINKS, _LABEL = 0.5, 2, 0.4
_SMALLEST = 3  # documents of a group
_MOST_OF_LABEL = 40
_PER_GROUP = 0.9  # groups for a square root of the documents


@dataclass(frozen=True, slots=True)
class TopicDocument:
    """A document as it is grouped.

    shelf: what it lies in, outermost first. words: of title, headings and text.
    links: document → number of links. size: words of prose.
    """

    file: SurveyFile
    title: str
    shelf: tuple[str, ...]
    labels: tuple[str, ...]
    words: Mapping[str, int]
    links: Mapping[int, int]
    size: int


@dataclass(frozen=True, slots=True)
class DocumentGroup:
    """Documents of one topic. shelves: the names of where they lie, '' for none.

    parts: groups within it; its own documents are those of no part.
    """

    documents: tuple[TopicDocument, ...]
    shelves: tuple[str, ...] = ()
    parts: tuple[DocumentGroup, ...] = field(default=())


def vectors_of(
    bags: Sequence[Mapping[str, int]],
) -> list[dict[str, float]]:
    """Return each bag's rare words with weights of length 1; common ones left out."""
    used = Counter(word for bag in bags for word in bag)
    limit = max(_COMMON * len(bags), min(_COMMON_OF_FEW, len(bags) / 2))
    rarity = {w: math.log(1 + len(bags) / n) for w, n in used.items() if 1 < n <= limit}
    found = []
    for bag in bags:
        weights = {
            word: (1 + math.log(count)) * rarity[word]
            for word, count in bag.items()
            if word in rarity
        }
        best = sorted(weights, key=lambda w: (-weights[w], w))[:_TERMS]
        length = math.sqrt(sum(weights[w] ** 2 for w in best)) or 1.0
        found.append({word: weights[word] / length for word in best})
    return found


def likeness(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return the cosine of two vectors of length 1."""
    return sum(value * other[word] for word, value in one.items() if word in other)


def cluster(documents: Sequence[TopicDocument], most: int) -> list[list[TopicDocument]]:
    """Return documents in groups of what they share, at most so many.

    The same documents give the same groups, in whatever order they come.
    """
    ordered = sorted(documents, key=lambda d: (d.file.source, d.file.path))
    graph = _graph(ordered)
    wanted = min(most, max(2, round(_PER_GROUP * math.sqrt(len(ordered)))))
    best: list[list[int]] = []
    low, high = 0, len(_RESOLUTIONS) - 1
    while low <= high:
        middle = (low + high) // 2
        groups = _louvain(graph, _RESOLUTIONS[middle])
        large = _large(groups)
        if not best or abs(large - wanted) < abs(_large(best) - wanted):
            best = groups
        low, high = (middle + 1, high) if large < wanted else (low, middle - 1)
    joined = _at_most(ordered, _without_small(ordered, best), most)
    return [[ordered[n] for n in sorted(nodes)] for nodes in sorted(joined)]


def modularity_of(groups: Sequence[Sequence[TopicDocument]]) -> float:
    """Return how clearly documents fall into groups, 0 where they share nothing."""
    ordered = [document for group in groups for document in group]
    graph = _graph(ordered)
    if not graph.size():
        return 0.0
    place = {document.file.id: n for n, document in enumerate(ordered)}
    nodes = [{place[d.file.id] for d in group} for group in groups]
    return float(nx.community.modularity(graph, nodes))


def _louvain(graph: nx.Graph, resolution: float) -> list[list[int]]:
    found = nx.community.louvain_communities(graph, resolution=resolution, seed=_SEED)
    return [sorted(nodes) for nodes in found]


def _large(groups: Sequence[Sequence[int]]) -> int:
    return sum(1 for nodes in groups if len(nodes) >= _SMALLEST)


def _graph(documents: Sequence[TopicDocument]) -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(range(len(documents)))
    weights: dict[tuple[int, int], float] = defaultdict(float)
    for one, other, value in _alike(documents):
        pair = (min(one, other), max(one, other))
        weights[pair] = max(weights[pair], value)
    place = {document.file.id: n for n, document in enumerate(documents)}
    for n, document in enumerate(documents):
        for target, count in document.links.items():
            if target in place:
                pair = (min(n, place[target]), max(n, place[target]))
                weights[pair] += _LINK * min(count, _MOST_LINKS)
    for n, other, value in _labelled(documents):
        weights[n, other] += value
    for (one, other), weight in sorted(weights.items()):
        graph.add_edge(one, other, weight=weight)
    return graph


def _alike(documents: Sequence[TopicDocument]) -> list[tuple[int, int, float]]:
    """Return the nearest documents of each by their rare words."""
    vectors = vectors_of([document.words for document in documents])
    holders: dict[str, list[int]] = defaultdict(list)
    for n, vector in enumerate(vectors):
        for word in vector:
            holders[word].append(n)
    most = min(_MOST_HOLDERS, max(_FEWEST_HOLDERS, _MOST_PAIRS // len(documents)))
    found = []
    for n, vector in enumerate(vectors):
        score: dict[int, float] = defaultdict(float)
        for word, value in vector.items():
            if len(holders[word]) > most:
                continue
            for other in holders[word]:
                score[other] += value * vectors[other][word]
        score.pop(n, None)
        near = nsmallest(_NEAREST, score, key=lambda o: (-score[o], o))
        found += [(n, o, score[o]) for o in near if score[o] >= _LEAST_LIKENESS]
    return found


def _labelled(documents: Sequence[TopicDocument]) -> list[tuple[int, int, float]]:
    """Return pairs that share a label which only some documents have."""
    holders: dict[str, list[int]] = defaultdict(list)
    for n, document in enumerate(documents):
        for label in dict.fromkeys(map(str.casefold, document.labels)):
            holders[label].append(n)
    limit = min(_MOST_OF_LABEL, max(3, len(documents) // 2))
    return [
        (own[a], own[b], _LABEL / math.sqrt(len(own)))
        for _, own in sorted(holders.items())
        if 1 < len(own) <= limit
        for a in range(len(own))
        for b in range(a + 1, len(own))
    ]


def _without_small(
    documents: Sequence[TopicDocument], groups: Sequence[Sequence[int]]
) -> list[list[int]]:
    """Join small groups with those that are most like them."""
    vectors = vectors_of([document.words for document in documents])
    kept = [list(nodes) for nodes in groups if len(nodes) >= _SMALLEST]
    if not kept:
        return [sorted(n for nodes in groups for n in nodes)]
    centres = [_mean([vectors[n] for n in nodes]) for nodes in kept]
    for nodes in groups:
        if len(nodes) < _SMALLEST:
            own = _mean([vectors[n] for n in nodes])
            score = [likeness(own, centre) for centre in centres]
            best = max(range(len(kept)), key=lambda n: (score[n], -n))
            kept[best] += nodes
    return kept


def _at_most(
    documents: Sequence[TopicDocument], groups: list[list[int]], most: int
) -> list[list[int]]:
    """Join the smallest groups with those most like them until there are so many."""
    vectors = vectors_of([document.words for document in documents])
    kept = sorted(groups, key=lambda nodes: (-len(nodes), nodes))
    centres = [_mean([vectors[n] for n in nodes]) for nodes in kept]
    largest = 2 * len(documents) // most
    while len(kept) > most:
        small, centre = kept.pop(), centres.pop()
        score = [likeness(centre, other) for other in centres]
        # One that has taken in others is like everything a little.
        room = [n for n in range(len(kept)) if len(kept[n]) <= largest]
        best = max(room or range(len(kept)), key=lambda n: (score[n], -n))
        kept[best] = sorted([*kept[best], *small])
        centres[best] = _mean([vectors[n] for n in kept[best]])
    return kept


def _mean(vectors: Sequence[Mapping[str, float]]) -> dict[str, float]:
    total: dict[str, float] = defaultdict(float)
    for vector in vectors:
        for word, value in vector.items():
            total[word] += value
    length = math.sqrt(sum(v * v for v in total.values())) or 1.0
    return {word: value / length for word, value in total.items()}


def centre_of(documents: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of vectors."""
    return _mean(documents)
