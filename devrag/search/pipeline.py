"""From two lists to hits: fuse, rank, read the texts of what is returned, explain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from devrag.search.candidates import locate
from devrag.search.definitions import find_definitions
from devrag.search.fetch import Candidate, hydrate
from devrag.search.fusion import list_weights, normalise, rrf
from devrag.search.nesting import collapse_nested
from devrag.search.query_intent import Question
from devrag.search.ranking import Ranked, WeightedCandidate, rank
from devrag.search.reasons import with_matched_terms
from devrag.search.retrievers import Lists
from devrag.search.types import Hit, LineRange, SearchQuery

_BM25_HALF = 10.0
_MOST_PLACES = 5


def order_spots(
    query: SearchQuery, source_ids: list[int], lists: Lists, question: Question
) -> list[Ranked]:
    fused = _fuse(query, lists, question)
    weights = dict(islice(fused.items(), lists.most_weighed))
    defined = find_definitions(question.names, source_ids) if lists.lexical else []
    weights |= {key: 0.0 for key in defined if key not in weights}
    most = max(lists.lexical.values(), default=0.0) or 1.0
    near = normalise(rrf([list(lists.semantic)]), weights=[1.0])
    found = [
        WeightedCandidate(
            spot,
            weight=weights[spot.chunk_id],
            words=lists.lexical.get(spot.chunk_id, 0.0) / most,
            meaning=near.get(spot.chunk_id, 0.0),
        )
        for spot in locate(query, weights, source_ids)
    ]
    ranked = rank(found, question)
    return [ranked[place] for place in collapse_nested([spot for spot, _ in ranked])]


def read_hits(
    query: SearchQuery,
    source_ids: list[int],
    lists: Lists,
    ranked: Sequence[Ranked],
    question: Question,
) -> list[Hit]:
    """Read the texts of what is returned, and say why each is there."""
    score = _scores(query, lists, question)
    lexical_ranks, semantic_ranks = _ranks(lists.lexical), _ranks(lists.semantic)
    candidates = [
        Candidate(key, score(key), lexical_ranks.get(key), semantic_ranks.get(key))
        for key in (spot.chunk_id for spot, _ in ranked)
    ]
    reasons = {spot.chunk_id: why for spot, why in ranked}
    hits = hydrate(query, candidates, source_ids)
    return [
        with_matched_terms(replace(hit, why=reasons[hit.chunk_id]), question)
        for hit in hits
    ]


def with_places(hits: Iterable[Hit], rest: Iterable[Ranked]) -> list[Hit]:
    """Add to the first hit of each file those of its places that follow the hits.

    Ranking spreads its answers over files, so the right file is often first with
    another of its places; these lead on.
    rest: what ranks after the hits, best first.
    """
    others: dict[tuple[str, str], list[LineRange]] = defaultdict(list)
    for spot, _ in rest:
        found = others[spot.source_name, spot.path]
        if len(found) < _MOST_PLACES:
            found.append(LineRange(spot.start_line, spot.end_line, spot.symbol_name))
    return [
        replace(hit, places=tuple(others.pop((hit.source_name, hit.path), ())))
        for hit in hits
    ]


def _fuse(query: SearchQuery, lists: Lists, question: Question) -> dict[int, float]:
    """Return what each chunk weighs by its ranks, at most 1."""
    shares = list_weights(is_name=question.is_name, is_japanese=question.is_japanese)
    asked = [
        (list(found), share)
        for found, share, mode in (
            (lists.lexical, shares[0], "semantic"),
            (lists.semantic, shares[1], "keyword"),
        )
        if query.mode != mode
    ]
    used = [share for _, share in asked]
    return normalise(rrf([found for found, _ in asked], weights=used), weights=used)


def _scores(
    query: SearchQuery, lists: Lists, question: Question
) -> Callable[[int], float]:
    """Return what tells the score that is shown; a definition by name has the best."""
    scores: Mapping[int, float] = lists.semantic
    if query.mode == "keyword":
        scores = {k: s / (s + _BM25_HALF) for k, s in lists.lexical.items()}
    elif query.mode == "hybrid":
        scores = _fuse(query, lists, question)
    best = max(scores.values(), default=0.0)
    return lambda key: scores.get(key, best)


def _ranks(order: Iterable[int]) -> dict[int, int]:
    return {key: rank for rank, key in enumerate(order, start=1)}
