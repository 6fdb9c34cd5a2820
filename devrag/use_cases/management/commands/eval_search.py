"""`eval_search`: ask questions with known answers, print what the answers are worth."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.errors import InvalidInput
from devrag.search.api import warm_up
from devrag.search.evaluation.comparison import (
    Variant,
    compare,
    comparison_report,
)
from devrag.search.evaluation.questions import EvaluationQuestion, read_questions
from devrag.search.evaluation.run import evaluate, report
from devrag.search.types import MODE_NAMES
from devrag.use_cases.search_comparison import model_variants, reranker_variants
from devrag.use_cases.search_evaluation import ask_checkouts, ask_corpus, ask_source

_COLUMNS = ("queries", "ndcg@10", "recall@10", "mrr", "p50_ms", "p95_ms")
_EPILOG = (
    "Three modes: --source NAME queries an indexed source (--root: the folder that "
    "the expected paths start with); --repos FILE --checkouts DIR indexes "
    "DIR/<name>/<benchmark_root> of each repository and queries it; --corpus FILE "
    "indexes documents {id, text}. Example: devrag eval_search --queries "
    "questions.jsonl --source shop"
)


class Command(DevragCommand):
    """Measure search: NDCG@10, Recall@10, MRR and latency."""

    help = f"Measure search quality with queries whose results are known. {_EPILOG}"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--queries",
            type=Path,
            required=True,
            help="File with queries, as JSON Lines.",
        )
        parser.add_argument(
            "--mode", choices=MODE_NAMES, default="hybrid", help="Search mode."
        )
        parser.add_argument("--source", default="", help="Name of an indexed source.")
        parser.add_argument(
            "--root", default="", help="Folder of the repository that is indexed."
        )
        parser.add_argument(
            "--repos", type=Path, help="JSON file with a list of repositories."
        )
        parser.add_argument(
            "--checkouts", type=Path, help="Folder with their checkouts."
        )
        parser.add_argument(
            "--corpus", type=Path, help="File with documents {id, text}, as JSON Lines."
        )
        compared = parser.add_mutually_exclusive_group()
        compared.add_argument(
            "--compare-reranker",
            action="store_true",
            help="Run each query with and without the reranker (RERANK_BASE_URL).",
        )
        compared.add_argument(
            "--compare-model",
            default="",
            metavar="PROVIDER/MODEL",
            help="Run each query with the active embedding model and with this one; "
            "missing vectors are computed.",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        questions = read_questions(options["queries"])
        if options["repos"]:
            questions, ask = ask_checkouts(
                questions, options["repos"], options["checkouts"], options["mode"]
            )
        elif options["corpus"]:
            ask = ask_corpus(options["corpus"], options["mode"])
        elif options["source"]:
            ask = ask_source(options["source"], options["root"], options["mode"])
        else:
            raise InvalidInput("Choose what to query: --source, --repos or --corpus.")
        warm_up()
        if options["compare_reranker"]:
            self._compare(questions, reranker_variants(ask, options["mode"]), options)
        elif model := options["compare_model"]:
            variants = model_variants(ask, model, options["mode"])
            self._compare(questions, variants, options)
        else:
            found = report(evaluate(questions, ask))
            self._answer(found, options, self._tell)

    def _compare(
        self,
        questions: Sequence[EvaluationQuestion],
        variants: tuple[Variant, Variant],
        options: Mapping[str, Any],
    ) -> None:
        found = comparison_report(compare(questions, *variants))
        self._answer(found, options, self._tell_comparison)

    def _answer(
        self,
        found: Mapping[str, Any],
        options: Mapping[str, Any],
        tell: Callable[[Mapping[str, Any]], None],
    ) -> None:
        if options["json"]:
            self.write_json(found)
        else:
            tell(found)

    def _tell(self, found: Mapping[str, Any]) -> None:
        self._line("", _COLUMNS)
        for group in ("repositories", "categories"):
            for name, figures in found[group].items():
                self._line(name, [figures[column] for column in _COLUMNS])
        self._line("overall", [found["overall"][column] for column in _COLUMNS])

    def _tell_comparison(self, found: Mapping[str, Any]) -> None:
        gain = found["gain"]
        for variant in found["variants"]:
            self.stdout.write(f"{variant['name']}:")
            self._tell(variant)
            count = variant["overall"]["queries"]
            self.stdout.write(f"{variant['reranked']} of {count} reranked")
            for note, count in variant["notes"].items():
                self.stdout.write(f"{count} times: {note}")
            self.stdout.write("")
        cells = [f"{gain[each]:+.4f}" if each in gain else "" for each in _COLUMNS]
        self._line("gain", cells)
        low, high = gain["ndcg@10_95%"]
        self.stdout.write(
            f"NDCG@10: {gain['better']} queries better, {gain['worse']} worse, "
            f"{gain['equal']} equal; 95% confidence interval of the gain: {low:+.4f} "
            f"to {high:+.4f}"
        )

    def _line(self, name: str, cells: Sequence[object]) -> None:
        self.stdout.write(f"{name:<20}" + "".join(f"{cell:>11}" for cell in cells))
