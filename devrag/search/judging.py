"""Whether the hits of a search have what was asked for, and what to say of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from devrag.search.confidence import FLOORS, Floors, judge
from devrag.search.lexical.analyser import tokenize
from devrag.search.missing_words import explain_missing
from devrag.search.query_intent import Question
from devrag.search.retrievers import Lists, reader
from devrag.search.semantic.specs import specs_in_scope
from devrag.search.types import Confidence, Hit, SearchQuery


def judge_hits(
    query: SearchQuery,
    source_ids: list[int],
    lists: Lists,
    question: Question,
    hits: Sequence[Hit],
    share: float,
) -> tuple[Confidence, tuple[str, ...]]:
    """Return how far the hits are what was asked for, and what to say of it.

    share: of what the words say, the most that one hit has.
    """
    shown = {word for hit in hits for word in hit.matched_terms}
    if query.phrases and hits:  # which all hits hold
        shown.update(*map(tokenize, query.phrases))

    def find_words(words: Collection[str]) -> Collection[str] | None:
        return reader().find_words(words, query, lists.kept)

    if not hits:
        return "none", ()
    find_cosine = partial(_find_cosine, source_ids, lists)
    if query.is_typing or not query.is_strict:
        share = 1.0
    is_by_words = query.mode == "hybrid" and not lists.semantic
    confidence = judge(
        query.text,
        question,
        shown,
        find_words,
        find_cosine,
        share,
        is_by_words=is_by_words,
    )
    if confidence != "high" or question.is_name or query.is_typing:
        return confidence, ()
    return confidence, explain_missing(query.text, question, find_words, shown)


def _find_cosine(source_ids: list[int], lists: Lists) -> tuple[float, Floors] | None:
    """Return the cosine of the best text with the floors of its model, None without."""
    specs = list(specs_in_scope(source_ids)) if lists.semantic else []
    # Scores of two models are merged by rank and are no cosines any more.
    floors = FLOORS.get(specs[0].model) if len(specs) == 1 else None
    return (next(iter(lists.semantic.values())), floors) if floors else None
