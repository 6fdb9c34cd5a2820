"""From two lists to hits: fuse, rank, read the texts of what is returned, explain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from devrag.search.candidates import CandidateChunk, locate
from devrag.search.definitions import (
    find_definitions,
    find_users,
    with_definitions,
)
from devrag.search.features import Ranks, read_features
from devrag.search.fetch import Candidate, hydrate
from devrag.search.fusion import list_weights, normalise, rrf
from devrag.search.headings import is_titled
from devrag.search.nesting import collapse_nested
from devrag.search.query_intent import Question
from devrag.search.ranking import DEFINES, Ranked, rank
from devrag.search.reasons import (
    has_name,
    is_partial,
    matched_terms,
    translated_terms,
)
from devrag.search.retrievers import Lists
from devrag.search.types import SYMBOL_KINDS, Hit, HitCopy, LineRange, SearchQuery

_MOST_PLACES = 5
# Of a name: chunks that no list has, but use it.
_MOST_USERS = 30
_DEFINITIONS = frozenset({"symbol", *SYMBOL_KINDS})


def order_spots(
    query: SearchQuery, source_ids: list[int], lists: Lists, question: Question
) -> list[Ranked]:
    """Return what the lists found in final order, scores never rising."""
    fused = _fuse(query, lists, question)
    keys = dict.fromkeys(islice(fused, lists.most_weighed))
    defined = find_definitions(question.names, source_ids) if lists.lexical else {}
    is_known = question.is_name and bool(defined)
    users = find_users(question.names, source_ids) if is_known else []
    keys |= dict.fromkeys([*defined, *users[:_MOST_USERS]])
    found = with_definitions(locate(query, keys, source_ids), defined)
    cosines = lists.read_cosines([spot.chunk_id for spot in found])
    ranks = Ranks(lists.lexical, lists.semantic, fused, cosines)
    features = read_features(question, found, ranks)
    ranked = rank(
        found,
        features,
        question,
        are_definitions=query.kind in _DEFINITIONS,
        users=frozenset(users),
    )
    collapsed = without_nested(ranked, question)
    return collapsed if query.kind in _DEFINITIONS else without_inner(collapsed)


def without_nested(ranked: Sequence[Ranked], question: Question) -> list[Ranked]:
    """Keep the deepest of nested sections, with the score of the place it takes.

    One stays that has words of the question which what is within it lacks: all of them
    in its heading, or some at all.
    """

    def stays(around: int, within: int) -> bool:
        outer, inner = ranked[around], ranked[within]
        if is_titled(question, outer.spot):
            return not is_titled(question, inner.spot)
        return _has_words(outer) and not _has_words(inner)

    spots = [each.spot for each in ranked]
    kept = [ranked[place] for place in collapse_nested(spots, stays)]
    score = 0.0
    for place in reversed(range(len(kept))):
        if kept[place].score < score:
            kept[place] = kept[place]._replace(score=score)
        score = kept[place].score
    return kept


def without_inner(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Leave out functions within better ones, whose text shows the same lines.

    One stays that defines a name which was asked for.
    """
    shown: dict[tuple[str, str], list[CandidateChunk]] = defaultdict(list)
    kept = []
    for each in ranked:
        spot = each.spot
        others = shown[_file(spot)] if spot.kind == "symbol" else []
        if DEFINES in each.rules or not any(_holds(o, spot) for o in others):
            kept.append(each)
            others.append(spot)
    return kept


def _holds(outer: CandidateChunk, inner: CandidateChunk) -> bool:
    is_around = (
        outer.start_line <= inner.start_line and inner.end_line <= outer.end_line
    )
    return is_around and inner.text.strip() in outer.text


def with_whole_names_first(
    ranked: Sequence[Ranked], question: Question
) -> Sequence[Ranked]:
    """Put what has only parts of the one name that was asked for behind the rest."""
    partial = [is_partial(each.spot, question) for each in ranked]
    if all(partial) or not any(partial):
        return ranked
    by_place = sorted(range(len(ranked)), key=partial.__getitem__)
    ordered: list[Ranked] = []
    score = 1.0
    for each in map(ranked.__getitem__, by_place):
        score = min(score, each.score)
        ordered.append(each._replace(score=score))
    return ordered


def _has_words(ranked: Ranked) -> bool:
    return ranked.features.text > 0.0 or ranked.features.words > 0.0


def read_hits(
    query: SearchQuery,
    source_ids: list[int],
    lists: Lists,
    ranked: Sequence[Ranked],
    question: Question,
) -> list[Hit]:
    """Read the texts of what is returned, and say why each is there."""
    lexical_ranks, semantic_ranks = _ranks(lists.lexical), _ranks(lists.semantic)
    candidates = [
        Candidate(key, score, lexical_ranks.get(key), semantic_ranks.get(key))
        for key, score in ((each.spot.chunk_id, each.score) for each in ranked)
    ]
    by_chunk = {each.spot.chunk_id: each for each in ranked}
    hits = hydrate(query, candidates, source_ids)
    return [
        replace(
            _with_terms(_named(hit, by_chunk[hit.chunk_id].spot), query, question),
            why=by_chunk[hit.chunk_id].reasons,
            copies=tuple(map(_copy, by_chunk[hit.chunk_id].copies)),
        )
        for hit in hits
    ]


def _with_terms(hit: Hit, query: SearchQuery, question: Question) -> Hit:
    """Return a hit with what it has of the question's words."""
    terms = matched_terms(hit, question, query.phrases)
    return replace(
        hit,
        matched_terms=terms,
        translated=translated_terms(terms, question),
        has_name=has_name(hit, question),
        is_partial=is_partial(hit, question),
    )


def _named(hit: Hit, spot: CandidateChunk) -> Hit:
    """Return a hit with the name that a line of it defines, as that was asked for."""
    if hit.symbol_name or spot.symbol_uuid is None:
        return hit
    return replace(
        hit,
        symbol_name=spot.symbol_name,
        symbol_kind=spot.symbol_kind,
        symbol_uuid=spot.symbol_uuid,
        symbol_line=spot.symbol_line,
    )


def _copy(spot: CandidateChunk) -> HitCopy:
    names = (spot.product_name, spot.source_name)
    return HitCopy(*names, spot.path, spot.start_line, spot.end_line)


def with_places(hits: Iterable[Hit], rest: Iterable[Ranked]) -> list[Hit]:
    """Add to the first hit of each file those of its places that follow the hits.

    The right file is often first with another of its places; these lead on.
    rest: what ranks after the hits, best first.
    """
    hits = list(hits)
    others: dict[tuple[str, str], list[LineRange]] = {_file(hit): [] for hit in hits}
    for spot, *_ in rest:
        found = others.get(_file(spot))
        if found is not None and len(found) < _MOST_PLACES:
            found.append(LineRange(spot.start_line, spot.end_line, spot.symbol_name))
    return [
        replace(hit, places=tuple(places))
        if (places := others.pop(_file(hit), None))
        else hit
        for hit in hits
    ]


def _file(spot: Hit | CandidateChunk) -> tuple[str, str]:
    return spot.source_name, spot.path


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


def _ranks(order: Iterable[int]) -> dict[int, int]:
    return {key: rank for rank, key in enumerate(order, start=1)}
