"""Ask the questions and add up what the answers are worth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from devrag.search.evaluation.metrics import (
    DEPTH,
    ndcg,
    percentile,
    recall,
    reciprocal_rank,
)
from devrag.search.evaluation.questions import EvaluationQuestion
from devrag.search.types import SearchResult


@dataclass(frozen=True, slots=True)
class HitLocation:
    """Where a hit lies, in the terms of the targets."""

    path: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question, the rank of each of its targets, and how long the answer took.

    is_reranked: the reranker ordered the answer. notes: what the answer lacks.
    """

    question: EvaluationQuestion
    ranks: tuple[int | None, ...]
    places: tuple[HitLocation, ...]
    milliseconds: float
    is_reranked: bool = False
    notes: tuple[str, ...] = ()


Ask = Callable[[EvaluationQuestion], tuple[SearchResult, Sequence[HitLocation]]]


def evaluate(questions: Iterable[EvaluationQuestion], ask: Ask) -> list[AskedQuestion]:
    """Ask each question once; ask gives the answer and its places in order."""
    done = []
    for question in questions:
        result, places = ask(question)
        first = tuple(places[:DEPTH])
        ranks = tuple(_rank(question, position, first) for position in _each(question))
        done.append(
            AskedQuestion(
                question,
                ranks,
                first,
                result.milliseconds,
                is_reranked=bool(result.reranked_by),
                notes=result.notes,
            )
        )
    return done


def _each(question: EvaluationQuestion) -> range:
    return range(len(question.targets))


def _rank(
    question: EvaluationQuestion, position: int, places: Sequence[HitLocation]
) -> int | None:
    target = question.targets[position]
    touched = (
        rank
        for rank, place in enumerate(places, start=1)
        if target.is_touched_by(place.path, place.start_line, place.end_line)
    )
    return next(touched, None)


def summarise(asked: Sequence[AskedQuestion]) -> dict[str, float]:
    """Return the means over the questions, and their latency in milliseconds."""
    count = max(1, len(asked))
    times = [each.milliseconds for each in asked]
    return {
        "queries": len(asked),
        "ndcg@10": round(sum(ndcg(a.ranks) for a in asked) / count, 4),
        "recall@10": round(sum(recall(a.ranks) for a in asked) / count, 4),
        "mrr": round(sum(reciprocal_rank(a.ranks) for a in asked) / count, 4),
        "p50_ms": round(percentile(times, 0.5), 1),
        "p95_ms": round(percentile(times, 0.95), 1),
    }


def report(asked: Sequence[AskedQuestion]) -> dict[str, object]:
    """Return the figures overall, by repository and by category, and each question."""
    return {
        "overall": summarise(asked),
        "repositories": _grouped(asked, lambda each: each.question.repo),
        "categories": _grouped(asked, lambda each: each.question.category),
        "questions": [
            {
                "id": each.question.name,
                "query": each.question.text,
                "ndcg@10": round(ndcg(each.ranks), 4),
                "ranks": list(each.ranks),
                "hits": [f"{p.path}:{p.start_line}-{p.end_line}" for p in each.places],
            }
            for each in asked
        ],
    }


def _grouped(
    asked: Sequence[AskedQuestion], key: Callable[[AskedQuestion], str]
) -> dict[str, dict[str, float]]:
    groups: dict[str, list[AskedQuestion]] = defaultdict(list)
    for each in asked:
        groups[key(each)].append(each)
    return {name: summarise(groups[name]) for name in sorted(groups) if name}
