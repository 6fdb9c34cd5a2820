"""The two formats of `/rerank`, and how answers are read.

Jina, Cohere, vLLM, Infinity and llama.cpp take `documents` and a model; TEI, which
serves one model, takes `texts`, and few of them at a time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


class OddScores(ValueError):
    """The answer is no score for each text; says what it is."""


@dataclass(frozen=True, slots=True)
class RerankFormat:
    """How texts are sent. most_texts: in one request."""

    key: str
    most_texts: int

    def body(self, model: str, query: str, texts: Sequence[str]) -> dict[str, Any]:
        """Return the request."""
        sent = {"query": query, self.key: list(texts)}
        if self.key == TEI.key:
            return {**sent, "truncate": True}
        named = {"model": model} if model else {}
        return {**named, **sent, "top_n": len(texts)}


COMMON = RerankFormat("documents", 1000)
# TEI refuses more in a request unless its --max-client-batch-size is raised.
TEI = RerankFormat("texts", 32)


def read_scores(data: Any, count: int) -> list[float]:
    """Return the scores of an answer in the order of the texts.

    Raises OddScores with the reason unless each text has exactly one.
    """
    rows = data.get("results") if isinstance(data, Mapping) else data
    if not isinstance(rows, list):
        raise OddScores("something that is no list of scores")
    found: dict[int, float] = {}
    for row in rows:
        index, score = _row(row)
        if not 0 <= index < count:
            raise OddScores(f"a score for text {index} of {count}")
        if index in found:
            raise OddScores(f"two scores for text {index}")
        found[index] = score
    if len(found) != count:
        raise OddScores(f"{len(found)} scores for {count} texts")
    return [found[index] for index in range(count)]


def _row(row: Any) -> tuple[int, float]:
    if not isinstance(row, Mapping):
        raise OddScores("scores without an index")
    index = row.get("index")
    score = row.get("relevance_score", row.get("score"))
    if type(index) is not int or type(score) not in (int, float):
        raise OddScores("scores that are not numbers")
    value = float(score)
    if not math.isfinite(value):
        raise OddScores("scores that are not finite")
    return index, value


def read_tokens(data: Any) -> int:
    """Return the tokens that the provider counted, 0 where it tells none."""
    usage = data.get("usage") if isinstance(data, Mapping) else None
    tokens = usage.get("total_tokens") if isinstance(usage, Mapping) else None
    return tokens if type(tokens) is int and tokens > 0 else 0
