"""Parts a crowded directory into what belongs together, by who uses whom.

Where a hundred files lie side by side, directories say nothing. Louvain's communities
(Blondel et al. 2008) of their ties do; a file that most others use joins none, for it
would hold all together. A version keeps the communities of the one before it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import networkx as nx

from devrag.wiki.analysis.graph import Edges
from devrag.wiki.analysis.packages import TOP_LEVEL
from devrag.wiki.analysis.survey import SurveyFile

_CROWD = 30  # files beside each other
_HUB_SHARE = 0.25
_SMALLEST = 4
_FEWEST = 3
_LEAST_MODULARITY = 0.3
_KNOWN_SHARE = 2 / 3
_SEED = 1


def communities_of(
    files: Sequence[SurveyFile], edges: Edges, before: Mapping[str, str]
) -> list[list[SurveyFile]]:
    """Return groups of files that belong together, each led by its first; [] if none.

    before: `source/path` → the group that the file was in.
    """
    if len(files) <= _CROWD:
        return []
    ordered = sorted(files, key=lambda file: (file.source, file.path))
    ties = _ties(ordered, edges)
    known = _as_before(ordered, ties, before)
    groups = known or {str(n): g for n, g in enumerate(_fresh(ordered, ties))}
    big = {title: g for title, g in groups.items() if len(g) >= _SMALLEST}
    if len(big) < _FEWEST:
        return []
    led = [_led(group, ties, ordered, title) for title, group in big.items()]
    return [[ordered[number] for number in group] for group in sorted(led, key=min)]


def _ties(files: Sequence[SurveyFile], edges: Edges) -> dict[int, dict[int, float]]:
    """Return place → place → weight of their uses of each other, hubs left out."""
    place = {file.id: number for number, file in enumerate(files)}
    ties: dict[int, dict[int, float]] = defaultdict(dict)
    for file in files:
        for target, weight in edges.get(file.id, {}).items():
            a, b = place[file.id], place.get(target)
            if b is not None and a != b:
                ties[a][b] = ties[b][a] = ties[a].get(b, 0.0) + weight
    hubs = {n for n, others in ties.items() if len(others) > _HUB_SHARE * len(files)}
    return {
        n: {m: w for m, w in sorted(ties[n].items()) if m not in hubs}
        for n in sorted(ties)
        if n not in hubs
    }


def _fresh(
    files: Sequence[SurveyFile], ties: Mapping[int, Mapping[int, float]]
) -> list[set[int]]:
    graph = nx.Graph()
    graph.add_nodes_from(ties)
    for a, others in ties.items():
        graph.add_weighted_edges_from((a, b, w) for b, w in others.items() if a < b)
    if not graph.size():
        return []
    found: list[set[int]] = nx.community.louvain_communities(graph, seed=_SEED)
    says_much = nx.community.modularity(graph, found) >= _LEAST_MODULARITY
    return found if says_much else []


def _as_before(
    files: Sequence[SurveyFile],
    ties: Mapping[int, Mapping[int, float]],
    before: Mapping[str, str],
) -> dict[str, set[int]]:
    """Return title → the group that was; new files join their neighbours.

    What was left over goes by the directory's name and stays left over.
    """
    known = {
        number: title
        for number, file in enumerate(files)
        if (title := before.get(f"{file.source}/{file.path}"))
    }
    if len(known) < _KNOWN_SHARE * len(files):
        return {}
    rest = files[0].directory.rpartition("/")[2] or TOP_LEVEL
    groups: dict[str, set[int]] = defaultdict(set)
    for number in range(len(files)):
        title = known.get(number) or _neighbours(ties.get(number, {}), known)
        groups[title].add(number)
    gone = {"", *(title for title in groups if title.rpartition("/")[2] == rest)}
    return {title: group for title, group in groups.items() if title not in gone}


def _neighbours(others: Mapping[int, float], known: Mapping[int, str]) -> str:
    votes: Counter[str] = Counter()
    for other, weight in others.items():
        if other in known:
            votes[known[other]] += int(weight)
    return min(votes, key=lambda title: (-votes[title], title), default="")


def _led(
    group: Iterable[int],
    ties: Mapping[int, Mapping[int, float]],
    files: Sequence[SurveyFile],
    title: str,
) -> list[int]:
    """Return the group with the file in front that it was, or is to be, named after.

    That is the one that the others use most, or are used by.
    """
    members = set(group)
    name = title.rpartition("/")[2]

    def order(number: int) -> tuple[bool, float, int]:
        others = ties.get(number, {}).items()
        weight = sum(w for other, w in others if other in members)
        return files[number].stem != name, -weight, number

    return sorted(members, key=order)
