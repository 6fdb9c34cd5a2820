"""Measure search on sets of questions with known answers; prints one JSON object.

    python benchmarks/search_quality.py --set tuning --queries FILE --repos FILE
        --checkouts DIR [--ablate]
    python benchmarks/search_quality.py --set functions notes swe-qa nothing mixed
        --git DIR

Uses the running instance (`manage.py server start`) as `eval_search` does. Sets:
`tuning` (--queries, --repos, --checkouts), `japanese` (in `data`), those of
search_sets.py, and `mixed` (search_mixed.py), of repositories below --git (see
pinned.py). `figures`: the product as
it is. `ablation` (--ablate): the same where one feature is worth nothing, with one list
alone and the like. What to expect of repositories that nobody tuned on is told by
search_weights.py, which fits the weights.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import search_mixed, search_sets

# module, name, value
Change = tuple[str, str, Any]
_RANKING, _SERVICE = "devrag.search.ranking", "devrag.search.service"
_ORDERING = "devrag.search.pipeline"
_TABLES = ("GENERAL", "DEFINITIONS", "JAPANESE")
_DATA = Path(__file__).parent / "data"
_SETS = {**search_sets.SETS, "mixed": search_mixed.mixed}
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = (
    "--set tuning japanese functions notes swe-qa nothing mixed --ablate"
    " --queries {questions} --repos {repositories} --checkouts {checkouts}"
    " --data {search_sets} --git {git}"
)


def main() -> None:
    """Index what is not yet, ask everything, under each change too, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    sets = ("tuning", "japanese", *_SETS)
    parser.add_argument("--set", nargs="+", choices=sets, default=sets[:2], dest="sets")
    parser.add_argument("--mode", default="hybrid")
    parser.add_argument("--ablate", action="store_true")
    parser.add_argument("--queries", type=Path)
    parser.add_argument("--repos", type=Path)
    parser.add_argument("--checkouts", type=Path)
    parser.add_argument("--git", type=Path)
    parser.add_argument("--data", type=Path, default=search_sets.DATA)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
    import django

    django.setup()
    print(json.dumps({name: _figures(name, options) for name in options.sets}))


def _figures(name: str, options: argparse.Namespace) -> dict[str, Any]:
    lists = _Lists()
    if name in _SETS:
        if options.git is None:
            raise SystemExit(f"--set {name} needs --git.")
        chosen = search_sets.SetOptions(options.data, options.git, options.mode)
        measure = _Measure(_SETS[name](chosen), lists)
    else:
        asked = _of_checkouts(options) if name == "tuning" else _of_japanese(options)
        measure = _Measure(partial(_by_category, *asked), lists)
    figures: dict[str, Any] = {"figures": measure()}
    if options.ablate:
        figures["ablation"] = _ablate(measure)
    return figures


def _of_checkouts(options: argparse.Namespace) -> tuple[Any, Any]:
    from devrag.search.evaluation.questions import read_questions
    from devrag.use_cases.search_evaluation import ask_checkouts

    if None in (options.queries, options.repos, options.checkouts):
        raise SystemExit("--set tuning needs --queries, --repos and --checkouts.")
    questions = read_questions(options.queries)
    return ask_checkouts(questions, options.repos, options.checkouts, options.mode)


def _of_japanese(options: argparse.Namespace) -> tuple[Any, Any]:
    from devrag.search.evaluation.questions import read_questions
    from devrag.use_cases.search_evaluation import ask_corpus

    questions = read_questions(_DATA / "japanese_queries.jsonl")
    return questions, ask_corpus(_DATA / "japanese_corpus.jsonl", options.mode)


def _by_category(asked: Any, ask: Any) -> dict[str, float]:
    figures = _report(asked, ask)
    return {"overall": figures["overall"]["ndcg@10"], **_ndcg(figures["categories"])}


def _report(asked: Any, ask: Any) -> Any:
    from devrag.search.evaluation.run import evaluate, report

    return report(evaluate(asked, ask))


def _ndcg(groups: Any) -> dict[str, float]:
    return {name: group["ndcg@10"] for name, group in groups.items()}


class _Lists:
    """The lists of each question, which no rule of ranking changes."""

    def __init__(self) -> None:
        from devrag.search import retrievers as lists

        self._real = lists.ask_lists
        self._known: dict[tuple[str, ...], Any] = {}

    def ask(self, query: Any, source_ids: list[int], limit: int) -> Any:
        """Return what was found the first time."""
        key = query.text, query.product, query.source, query.kind, str(limit)
        if key not in self._known:
            self._known[key] = self._real(query, source_ids, limit)
        return self._known[key]

    def only(self, name: str) -> Change:
        """Return the change that leaves one of the two lists empty."""
        from dataclasses import replace

        def asked(*arguments: Any) -> Any:
            return replace(self.ask(*arguments), **{name: {}})

        return _SERVICE, "ask_lists", asked


class _Measure:
    """The figures of a set of questions, under changes of the product."""

    def __init__(self, run: Callable[[], dict[str, float]], lists: _Lists) -> None:
        self._run = run
        self.lists = lists

    def __call__(self, *changes: Change) -> dict[str, float]:
        with _changed((_SERVICE, "ask_lists", self.lists.ask), *changes):
            return self._run()


@contextmanager
def _changed(*changes: Change) -> Iterator[None]:
    with ExitStack() as stack:
        for module, name, value in changes:
            stack.enter_context(patch(f"{module}.{name}", value))
        yield


def _ablate(measure: _Measure) -> dict[str, dict[str, float]]:
    from devrag.search.features import Features

    changes: dict[str, list[Change]] = {
        "as it is": [],
        "without several places of a file": _in_tables(coherence=0.0),
        "places of a file weigh alike": _in_tables(next_of_file=0.0),
        "without definitions by name": [
            (_ORDERING, "find_definitions", lambda *_: {}),
        ],
        "50 of each list": [(_SERVICE, "_MIN_CANDIDATES", 50)],
        "lists weigh the same": [(_ORDERING, "list_weights", lambda **_: (0.5, 0.5))],
        "words only": [measure.lists.only("semantic")],
        "meaning only": [measure.lists.only("lexical")],
        **{f"without {name}": _without(name) for name in Features._fields},
    }
    return {name: measure(*change) for name, change in changes.items()}


def _in_tables(**values: float) -> list[Change]:
    """Return the change of every table of weights."""
    from dataclasses import replace

    from devrag.search import ranking

    return [
        (_RANKING, name, replace(getattr(ranking, name), **values)) for name in _TABLES
    ]


def _without(feature: str) -> list[Change]:
    """Return the change that lets a feature be worth nothing."""
    from dataclasses import replace

    from devrag.search import ranking

    changes: list[Change] = []
    for name in _TABLES:
        table = getattr(ranking, name)
        parts = {
            part: getattr(table, part)._replace(**{feature: 0.0})
            for part in ("code", "document")
        }
        changes.append((_RANKING, name, replace(table, **parts)))
    return changes


if __name__ == "__main__":
    main()
