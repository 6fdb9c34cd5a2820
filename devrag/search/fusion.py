"""Merge ranked lists by Reciprocal Rank Fusion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

RRF_K = 60


def rrf(
    rankings: Sequence[Sequence[int]],
    *,
    weights: Sequence[float] | None = None,
    k: int = RRF_K,
) -> dict[int, float]:
    """Return id → Σ weight/(k + rank), rank from 1, best first.

    A list that lacks an id adds nothing; ties go by the first list's order, then id.
    source: Cormack, Clarke & Büttcher 2009.
    """
    shares = weights if weights is not None else [1.0] * len(rankings)
    scores: dict[int, float] = {}
    for ranking, weight in zip(rankings, shares, strict=True):
        for rank, key in enumerate(ranking, start=1):
            scores[key] = scores.get(key, 0.0) + weight / (k + rank)
    first = {key: rank for rank, key in enumerate(rankings[0])} if rankings else {}
    last = len(first)
    ordered = sorted(scores, key=lambda key: (-scores[key], first.get(key, last), key))
    return {key: scores[key] for key in ordered}


def normalise(
    scores: Mapping[int, float], *, weights: Sequence[float], k: int = RRF_K
) -> dict[int, float]:
    """Divide by the largest possible sum, so that rank 1 everywhere scores 1.0."""
    maximum = sum(weights) / (k + 1)
    return {key: score / maximum for key, score in scores.items()}


def list_weights(*, is_name: bool, is_japanese: bool) -> tuple[float, float]:
    """Return how much the lexical and the semantic list count, by kind of question.

    A name is found by its letters, a sentence by its meaning; a Japanese one shares
    hardly a word with the code it asks for.
    """
    if is_name:
        return 0.7, 0.3
    return (0.3, 0.7) if is_japanese else (0.35, 0.65)
