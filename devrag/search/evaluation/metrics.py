"""What a ranking is worth, with binary relevance."""

from __future__ import annotations

import math
from collections.abc import Sequence

DEPTH = 10


def ndcg(ranks: Sequence[int | None]) -> float:
    """Return NDCG@10 of the targets' ranks from 1, None for a target not found.

    The ideal has all targets, ten at most, at the first ranks. source: Järvelin &
    Kekäläinen 2002.
    """
    gained = sum(_gain(rank) for rank in ranks if rank is not None and rank <= DEPTH)
    best = sum(_gain(rank) for rank in range(1, min(DEPTH, len(ranks)) + 1))
    return min(1.0, gained / best) if best else 0.0


def recall(ranks: Sequence[int | None]) -> float:
    """Return the share of targets among the first ten."""
    found = sum(rank is not None and rank <= DEPTH for rank in ranks)
    return found / len(ranks) if ranks else 0.0


def reciprocal_rank(ranks: Sequence[int | None]) -> float:
    """Return 1/rank of the first target among the first ten, 0 without one."""
    found = [rank for rank in ranks if rank is not None and rank <= DEPTH]
    return 1 / min(found) if found else 0.0


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that the share of values does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0


def _gain(rank: int) -> float:
    return 1 / math.log2(rank + 1)
