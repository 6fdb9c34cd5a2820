"""Measure what each rule of ranking is worth; prints one JSON object.

    python benchmarks/search_quality.py --queries FILE --repos FILE --checkouts DIR

Uses the running instance (`manage.py server start`) as `eval_search` does. `ablation`:
NDCG@10 of the product as it is, then without one rule, with other weights, with one
list alone. `held_out`: three weights of ranking are chosen again on all repositories
but one, and that one is asked; the mean over repositories says what to expect of one
that nobody tuned on. `japanese`: the ablation for the questions in `data`.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import fmean
from typing import Any
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parent.parent))

# module, name, value
Change = tuple[str, str, Any]
_RANKING, _SERVICE = "devrag.search.ranking", "devrag.search.service"
_ORDERING = "devrag.search.pipeline"
_DATA = Path(__file__).parent / "data"
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "--queries {questions} --repos {repositories} --checkouts {checkouts}"


def main() -> None:
    """Index what is not yet, ask everything under each change, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--checkouts", type=Path, required=True)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
    import django

    django.setup()
    measure = _of_checkouts(options)
    figures = {
        "ablation": _ablate(measure),
        "held_out": _hold_out(measure),
        "japanese": _ablate(_of_japanese()),
    }
    print(json.dumps(figures))


def _of_checkouts(options: argparse.Namespace) -> _Measure:
    from devrag.search.evaluation.questions import read_questions
    from devrag.use_cases.search_evaluation import ask_checkouts

    questions = read_questions(options.queries)
    return _Measure(
        *ask_checkouts(questions, options.repos, options.checkouts, "hybrid")
    )


def _of_japanese() -> _Measure:
    from devrag.search.evaluation.questions import read_questions
    from devrag.use_cases.search_evaluation import ask_corpus

    questions = read_questions(_DATA / "japanese_queries.jsonl")
    return _Measure(questions, ask_corpus(_DATA / "japanese_corpus.jsonl", "hybrid"))


class _Measure:
    """The questions and the lists of each, which no rule of ranking changes."""

    def __init__(self, asked: Any, ask: Any) -> None:
        from devrag.search import retrievers as lists

        self._asked, self._ask = asked, ask
        self._real = lists.ask_lists
        self._lists: dict[tuple[str, str, int], Any] = {}

    def __call__(self, *changes: Change) -> dict[str, Any]:
        """Return the figures overall and per group, under the changes."""
        from devrag.search.evaluation.run import evaluate, report

        with _changed((_SERVICE, "ask_lists", self._remembered), *changes):
            return report(evaluate(self._asked, self._ask))

    def _remembered(self, query: Any, source_ids: list[int], limit: int) -> Any:
        key = query.text, query.source, limit
        if key not in self._lists:
            self._lists[key] = self._real(query, source_ids, limit)
        return self._lists[key]

    def only(self, name: str) -> Change:
        """Return the change that leaves one of the two lists empty."""
        from dataclasses import replace

        def asked(*arguments: Any) -> Any:
            return replace(self._remembered(*arguments), **{name: {}})

        return _SERVICE, "ask_lists", asked


@contextmanager
def _changed(*changes: Change) -> Iterator[None]:
    with ExitStack() as stack:
        for module, name, value in changes:
            stack.enter_context(patch(f"{module}.{name}", value))
        yield


def _ablate(measure: _Measure) -> dict[str, dict[str, float]]:
    from devrag.search import ranking

    changes: dict[str, list[Change]] = {
        "as it is": [],
        "no rules": [
            (_RANKING, "BOOSTS", ()),
            (_RANKING, "PENALTIES", ()),
            (_RANKING, "_CHUNKS_OF_A_FILE", 1),
            (_RANKING, "_NAME_WORTH", 0.0),
            (_RANKING, "_WORDS_WORTH", 0.0),
        ],
        "without several places of a file": [(_RANKING, "_CHUNKS_OF_A_FILE", 1)],
        "without the file's name": [(_RANKING, "_NAME_WORTH", 0.0)],
        "without words it has alone": [(_RANKING, "_WORDS_WORTH", 0.0)],
        "without definitions by name": [
            (_ORDERING, "find_definitions", lambda *_: []),
        ],
        "foreign texts weighed by words too": [
            (_RANKING, "_by_meaning", lambda found, _best: found.weight),
        ],
        "50 of each list": [(_SERVICE, "_MIN_CANDIDATES", 50)],
        "lists weigh the same": [(_ORDERING, "list_weights", lambda **_: (0.5, 0.5))],
        "words only": [measure.only("semantic")],
        "meaning only": [measure.only("lexical")],
    }
    for group in ("BOOSTS", "PENALTIES"):
        rules = getattr(ranking, group)
        for rule in rules:
            rest = tuple(other for other in rules if other is not rule)
            changes[f"without '{rule.reason}'"] = [(_RANKING, group, rest)]
    return {name: _row(measure(*change)) for name, change in changes.items()}


def _row(figures: Mapping[str, Any]) -> dict[str, float]:
    categories = figures["categories"].items()
    return {
        "overall": figures["overall"]["ndcg@10"],
        **{name: group["ndcg@10"] for name, group in categories},
    }


def _hold_out(measure: _Measure) -> dict[str, Any]:
    grid = itertools.product((0.5, 0.65, 0.8), (0.2, 0.4, 0.6), (0.2, 0.4, 0.6))
    runs = {weights: _by_repository(measure, *weights) for weights in grid}
    repositories = sorted(next(iter(runs.values())))
    found: dict[str, float] = {}
    chosen = {}
    for one in repositories:
        others = [name for name in repositories if name != one]
        best = max(runs, key=lambda w: fmean(runs[w][name] for name in others))
        found[one], chosen[one] = runs[best][one], best
    return {
        "mean": round(fmean(found.values()), 4),
        "repositories": found,
        "chosen": chosen,  # semantic list, file's name, words it has alone
    }


def _by_repository(
    measure: _Measure, semantic: float, name: float, words: float
) -> dict[str, float]:
    from devrag.search.fusion import list_weights

    def weights(*, is_name: bool, is_japanese: bool) -> tuple[float, float]:
        usual = list_weights(is_name=is_name, is_japanese=is_japanese)
        return usual if is_name or is_japanese else (1 - semantic, semantic)

    figures = measure(
        (_ORDERING, "list_weights", weights),
        (_RANKING, "_NAME_WORTH", name),
        (_RANKING, "_WORDS_WORTH", words),
    )
    return {name: group["ndcg@10"] for name, group in figures["repositories"].items()}


if __name__ == "__main__":
    main()
