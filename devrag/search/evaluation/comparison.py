"""Two ways to answer, each asked the same questions: what one gains over the other."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from devrag.search.evaluation.metrics import ndcg, percentile
from devrag.search.evaluation.questions import EvaluationQuestion
from devrag.search.evaluation.run import (
    Ask,
    AskedQuestion,
    evaluate,
    report,
    summarise,
)

_METRICS = ("ndcg@10", "recall@10", "mrr", "p50_ms", "p95_ms")
_RESAMPLES = 2_000
_TIES = 1e-9


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to answer. name: as reports tell it."""

    name: str
    ask: Ask


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two variants answered: the usual one first."""

    names: tuple[str, str]
    asked: tuple[list[AskedQuestion], list[AskedQuestion]]

    @property
    def gains(self) -> list[float]:
        """Return what each question's NDCG@10 gains."""
        return [
            ndcg(after.ranks) - ndcg(before.ranks)
            for before, after in zip(*self.asked, strict=True)
        ]


def compare(
    questions: Iterable[EvaluationQuestion], usual: Variant, other: Variant
) -> Comparison:
    """Ask each question both ways, in turns, so that neither is always the first.

    The second answer finds the database's pages in memory; timings would differ.
    """
    asked: tuple[list[AskedQuestion], list[AskedQuestion]] = ([], [])
    for number, question in enumerate(questions):
        ways = [(asked[0], usual), (asked[1], other)]
        for answers, variant in reversed(ways) if number % 2 else ways:
            answers.extend(evaluate([question], variant.ask))
    return Comparison((usual.name, other.name), asked)


def comparison_report(found: Comparison) -> dict[str, Any]:
    """Return the figures of both, and the gain of the second over the first."""
    variants = [
        {
            "name": name,
            "reranked": sum(each.is_reranked for each in asked),
            "notes": dict(Counter(note for each in asked for note in each.notes)),
            **report(asked),
        }
        for name, asked in zip(found.names, found.asked, strict=True)
    ]
    before, after = map(summarise, found.asked)
    return {"variants": variants, "gain": {**_gain(before, after), **_spread(found)}}


def _gain(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    return {name: round(after[name] - before[name], 4) for name in _METRICS}


def _spread(found: Comparison) -> dict[str, Any]:
    """Return how sure the gain is, and how many questions it comes from."""
    gains = found.gains
    better = sum(gain > _TIES for gain in gains)
    worse = sum(gain < -_TIES for gain in gains)
    low, high = interval(gains)
    return {
        "ndcg@10_95%": [round(low, 4), round(high, 4)],
        "better": better,
        "worse": worse,
        "equal": len(gains) - better - worse,
    }


def interval(gains: Sequence[float]) -> tuple[float, float]:
    """Return between what the mean gain of such questions lies, 95 times of 100.

    By bootstrap over the questions, equal for equal gains.
    """
    if not gains:
        return 0.0, 0.0
    chance = random.Random(0)  # noqa: S311 - statistics, not secrets
    count = len(gains)
    means = [sum(chance.choices(gains, k=count)) / count for _ in range(_RESAMPLES)]
    return percentile(means, 0.025), percentile(means, 0.975)
