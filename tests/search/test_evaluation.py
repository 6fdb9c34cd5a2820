"""What a ranking is worth, and the files that say what it should have found."""

from __future__ import annotations

from pathlib import Path

import pytest

from devrag.core.errors import InvalidInput
from devrag.core.principal import SYSTEM
from devrag.search.evaluation.metrics import ndcg, percentile, recall, reciprocal_rank
from devrag.search.evaluation.questions import (
    EvaluationQuestion,
    Target,
    read_corpus,
    read_questions,
)
from devrag.search.evaluation.run import HitLocation, evaluate, report
from devrag.search.types import SearchQuery, SearchResult


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ((1,), 1.0),
        ((2,), 0.6309),
        ((None,), 0.0),
        ((11,), 0.0),
        ((1, None), 0.6131),
        ((1, 3), 0.9197),
        ((1, 1), 1.0),  # one hit touches both
        (tuple(range(1, 13)), 1.0),  # more targets than places
    ],
)
def test_ndcg(ranks: tuple[int | None, ...], expected: float) -> None:
    assert ndcg(ranks) == pytest.approx(expected, abs=1e-4)


def test_recall_and_reciprocal_rank_look_at_ten() -> None:
    assert recall([1, 11, None, 10]) == 0.5
    assert reciprocal_rank([None, 4, 2]) == 0.5
    assert reciprocal_rank([11]) == 0.0


def test_percentiles_are_values_that_occurred() -> None:
    assert percentile([5.0, 1.0, 3.0], 0.5) == 3.0
    assert percentile([5.0, 1.0, 3.0], 0.95) == 5.0


@pytest.mark.parametrize(
    ("path", "lines", "is_touched"),
    [
        ("lib/a.py", (1, 5), True),
        ("other/lib/a.py", (1, 5), True),
        ("other_lib/a.py", (1, 5), False),
        ("lib/a.py", (9, 12), True),
        ("lib/a.py", (11, 12), False),
    ],
)
def test_a_target_is_touched(
    path: str, lines: tuple[int, int], is_touched: bool
) -> None:
    ranged = Target("lib/a.py", 4, 10)
    assert ranged.is_touched_by(path, *lines) is is_touched
    whole = Target("lib/a.py")
    assert whole.is_touched_by(path, *lines) is path.endswith("/lib/a.py") or (
        path == "lib/a.py"
    )


def test_questions_are_read(tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text(
        '{"id": "a-1", "repo": "a", "category": "symbol", "query": "where",'
        ' "relevant": ["x.py"], "secondary":'
        ' [{"path": "y.py", "start_line": 3, "end_line": 9}]}\n\n'
        '{"query": "どこ", "relevant": ["12"]}\n',
        "utf-8",
    )
    first, second = read_questions(file)
    assert first.targets == (Target("x.py"), Target("y.py", 3, 9))
    assert (first.repo, first.category) == ("a", "symbol")
    assert (second.name, second.text) == ("3", "どこ")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "it is not valid JSON"),
        ("[]", "it is not a JSON object"),
        ('{"relevant": ["a"]}', "a query requires `query`"),
        ('{"query": "a"}', "`relevant` must list"),
        ('{"query": "a", "relevant": [{"path": "a"}]}', "`relevant` must list"),
        ('{"query": "a", "relevant": []}', "`relevant` is empty"),
    ],
)
def test_a_wrong_question_is_named(tmp_path: Path, line: str, reason: str) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text(f'{{"query": "a", "relevant": ["b"]}}\n{line}\n')
    with pytest.raises(InvalidInput, match=rf"Line 2 of .*q\.jsonl.*{reason}"):
        read_questions(file)


def test_documents_are_read_with_their_titles(tmp_path: Path) -> None:
    file = tmp_path / "corpus.jsonl"
    file.write_text('{"_id": 7, "title": "T", "text": "x"}\n{"id": "8"}\n')
    documents = read_corpus(file)
    assert next(documents).text == "T\n\nx"
    with pytest.raises(InvalidInput, match="Line 2"):
        next(documents)


def test_figures_by_repository_and_category() -> None:
    questions = [
        EvaluationQuestion("1", "near", (Target("a.py"),), "one", "symbol"),
        EvaluationQuestion("2", "far", (Target("b.py"),), "two", "symbol"),
    ]

    def ask(question: EvaluationQuestion) -> tuple[SearchResult, list[HitLocation]]:
        query = SearchQuery(text=question.text, principal=SYSTEM)
        return SearchResult(query, (), 4.0), [HitLocation("a.py", 1, 2)]

    found = report(evaluate(questions, ask))
    assert found["overall"] == {
        "queries": 2,
        "ndcg@10": 0.5,
        "recall@10": 0.5,
        "mrr": 0.5,
        "p50_ms": 4.0,
        "p95_ms": 4.0,
    }
    assert found["repositories"]["two"]["ndcg@10"] == 0.0  # type: ignore[index]
    assert list(found["categories"]) == ["symbol"]  # type: ignore[call-overload]
    assert found["questions"][1]["ranks"] == [None]  # type: ignore[index]
