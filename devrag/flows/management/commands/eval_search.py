"""`eval_search`: ask questions with known answers, print what the answers are worth."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.errors import InvalidInput
from devrag.core.principal import SYSTEM
from devrag.flows.evaluation import (
    Checkout,
    index_checkouts,
    index_documents,
    read_checkouts,
)
from devrag.search.evaluation.questions import Question, read_corpus, read_questions
from devrag.search.evaluation.run import Ask, Place, evaluate, report
from devrag.search.service import search, warm_up
from devrag.search.types import MAX_LIMIT, MODES, SearchQuery, SearchResult
from devrag.sources.models import Source
from devrag.sources.selectors import has_files_below

_COLUMNS = ("queries", "ndcg@10", "recall@10", "mrr", "p50_ms", "p95_ms")
_EPILOG = (
    "Three ways: --source NAME asks one indexed source (--root: the folder that the "
    "answers' paths begin with); --repos FILE --checkouts DIR indexes DIR/<name>/"
    "<benchmark_root> of each and asks them; --corpus FILE indexes {id, text}."
)


class Command(DevragCommand):
    """Measure search: NDCG@10, Recall@10, MRR and latency."""

    help = f"Measure search with questions whose answers are known. {_EPILOG}"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--queries", type=Path, required=True)
        parser.add_argument("--mode", choices=MODES, default="hybrid")
        parser.add_argument("--source", default="", help="An indexed source.")
        parser.add_argument("--root", default="", help="Folder of the repository.")
        parser.add_argument("--repos", type=Path, help="JSON list of repositories.")
        parser.add_argument("--checkouts", type=Path, help="Folder that holds them.")
        parser.add_argument("--corpus", type=Path, help="JSON Lines of {id, text}.")

    def handle(self, *_args: Any, **options: Any) -> None:
        questions = read_questions(options["queries"])
        if options["repos"]:
            questions, ask = _ask_checkouts(questions, options)
        elif options["corpus"]:
            ask = _ask_corpus(options)
        elif options["source"]:
            ask = _ask_source(options["source"], options["root"], options["mode"])
        else:
            raise InvalidInput("Say what to ask: --source, --repos or --corpus.")
        warm_up()
        found = report(evaluate(questions, ask))
        if options["json"]:
            self.write_json(found)
        else:
            self._tell(found)

    def _tell(self, found: Mapping[str, Any]) -> None:
        self._line("", _COLUMNS)
        for group in ("repositories", "categories"):
            for name, figures in found[group].items():
                self._line(name, [figures[column] for column in _COLUMNS])
        self._line("overall", [found["overall"][column] for column in _COLUMNS])

    def _line(self, name: str, cells: Sequence[object]) -> None:
        self.stdout.write(f"{name:<20}" + "".join(f"{cell:>11}" for cell in cells))


def _ask_source(source: str, root: str, mode: Any) -> Ask:
    """Answers of the whole repository, or of the folder of it that was indexed."""
    if not Source.objects.filter(name=source).exists():
        raise InvalidInput(f"There is no source '{source}'. Index it first.")
    folder = root.strip("/")
    is_whole = bool(folder) and has_files_below(source, folder)
    query = partial(
        SearchQuery,
        principal=SYSTEM,
        source=source,
        mode=mode,
        path_prefix=f"{folder}/" if is_whole else "",
    )
    lead = "" if is_whole or not folder else f"{folder}/"

    def ask(question: Question) -> tuple[SearchResult, list[Place]]:
        result = search(query(text=question.text))
        hits = result.hits
        return result, [Place(lead + h.path, h.start_line, h.end_line) for h in hits]

    return ask


def _ask_checkouts(
    questions: list[Question], options: Mapping[str, Any]
) -> tuple[list[Question], Ask]:
    """Ask each question of its own repository; the others are left out."""
    if options["checkouts"] is None:
        raise InvalidInput("--repos needs --checkouts, the folder that holds them.")
    known = {each.name: each for each in read_checkouts(options["repos"])}
    asked = [question for question in questions if question.repo in known]
    if not asked:
        raise InvalidInput("No question names a repository of --repos.")
    wanted = {question.repo for question in asked}
    chosen = [each for name, each in known.items() if name in wanted]
    index_checkouts(chosen, options["checkouts"])

    def of(each: Checkout) -> Ask:
        return _ask_source(each.source_name, each.root, options["mode"])

    asks = {each.name: of(each) for each in chosen}
    return asked, lambda question: asks[question.repo](question)


def _ask_corpus(options: Mapping[str, Any]) -> Ask:
    """Rank documents: the best passage of each counts."""
    name = options["corpus"].stem
    ids = index_documents(read_corpus(options["corpus"]), name)
    query = partial(SearchQuery, principal=SYSTEM, mode=options["mode"])

    def ask(question: Question) -> tuple[SearchResult, list[Place]]:
        text = query(text=question.text, source=f"eval-{name}", limit=MAX_LIMIT)
        result = search(text)
        paths = dict.fromkeys(hit.path for hit in result.hits)
        return result, [Place(ids[path], 1, 1) for path in paths]

    return ask
