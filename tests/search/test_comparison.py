"""Two ways to answer the same questions, and the gain of one over the other."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from devrag.core.principal import SYSTEM
from devrag.search.evaluation.comparison import (
    Variant,
    compare,
    comparison_report,
    interval,
)
from devrag.search.evaluation.questions import EvaluationQuestion, Target
from devrag.search.evaluation.run import Ask, HitLocation
from devrag.search.types import SearchQuery, SearchResult

QUESTIONS = [
    EvaluationQuestion(str(n), f"question {n}", (Target("a.py"),)) for n in range(4)
]


def variant(name: str, ranks: Sequence[int], asked: list[str], **options: str) -> Ask:
    """Answer the n-th question with the target at the n-th rank."""

    def ask(question: EvaluationQuestion) -> tuple[SearchResult, list[HitLocation]]:
        asked.append(f"{name}{question.name}")
        query = SearchQuery(text=question.text, principal=SYSTEM)
        places = [HitLocation("b.py", 1, 2)] * 10
        places.insert(ranks[int(question.name)] - 1, HitLocation("a.py", 1, 2))
        notes = ("slow",) if options else ()
        return SearchResult(query, (), 4.0, notes=notes, **options), places

    return ask


def test_each_question_is_asked_both_ways_in_turns() -> None:
    asked: list[str] = []
    usual = Variant("usual", variant("u", [1] * 4, asked))
    compare(QUESTIONS, usual, Variant("other", variant("o", [1] * 4, asked)))
    assert asked == ["u0", "o0", "o1", "u1", "u2", "o2", "o3", "u3"]


def test_the_gain_is_that_of_the_second_over_the_first() -> None:
    usual = variant("u", [1, 2, 3, 1], [])
    other = variant("o", [1, 1, 1, 3], [], reranked_by="m")
    found = comparison_report(
        compare(QUESTIONS, Variant("usual", usual), Variant("other", other))
    )
    first, second = found["variants"]
    assert (first["name"], first["reranked"], first["notes"]) == ("usual", 0, {})
    assert (second["name"], second["reranked"]) == ("other", 4)
    assert second["notes"] == {"slow": 4}
    gain = found["gain"]
    assert gain["ndcg@10"] == pytest.approx(
        (1 - 0.6309 + 1 - 0.5 + 0.5 - 1) / 4, abs=1e-3
    )
    assert gain["mrr"] == pytest.approx((1 / 2 + 2 / 3 - 2 / 3) / 4, abs=1e-3)
    assert (gain["better"], gain["worse"], gain["equal"]) == (2, 1, 1)
    low, high = gain["ndcg@10_95%"]
    assert low < 0 < gain["ndcg@10"] < high


def test_what_is_always_better_has_an_interval_above_zero() -> None:
    assert interval([0.2, 0.3] * 50)[0] > 0.2
    assert interval([0.1] * 9) == pytest.approx((0.1, 0.1))
    assert interval([]) == (0.0, 0.0)


def test_equal_gains_have_equal_intervals() -> None:
    gains = [0.1, -0.2, 0.4, 0.0]
    assert interval(gains) == interval(gains)
