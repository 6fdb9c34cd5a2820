"""Ask questions with known answers of a source, of checkouts, of plain documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from devrag.core.errors import InvalidInput
from devrag.core.principal import SYSTEM
from devrag.search.api import search
from devrag.search.evaluation.questions import EvaluationQuestion, read_corpus
from devrag.search.evaluation.run import HitLocation
from devrag.search.types import MAX_LIMIT, Mode, SearchQuery, SearchResult
from devrag.sources.models import Source
from devrag.sources.selectors import has_files_below
from devrag.use_cases.evaluation import (
    Checkout,
    index_checkouts,
    index_documents,
    read_checkouts,
)

Answer = tuple[SearchResult, Sequence[HitLocation]]


@dataclass(frozen=True, slots=True)
class AskSources:
    """Answers a question from sources; with the reranker, if there is one and it may.

    sources: their names.
    """

    sources: tuple[str, ...]
    answer: Callable[[EvaluationQuestion, bool], Answer]

    def __call__(self, question: EvaluationQuestion, *, rerank: bool = True) -> Answer:
        """Return the answer and its places in order."""
        return self.answer(question, rerank)


def ask_source(source: str, root: str, mode: Mode) -> AskSources:
    """Answer from the whole repository, or from the folder of it that was indexed."""
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

    def answer(question: EvaluationQuestion, rerank: bool) -> Answer:
        result = search(query(text=question.text, rerank=rerank), is_patient=True)
        hits = result.hits
        return result, [
            HitLocation(lead + h.path, h.start_line, h.end_line) for h in hits
        ]

    return AskSources((source,), answer)


def ask_checkouts(
    questions: list[EvaluationQuestion], repos: Path, checkouts: Path | None, mode: Mode
) -> tuple[list[EvaluationQuestion], AskSources]:
    """Ask each question of its own repository; the others are left out."""
    if checkouts is None:
        raise InvalidInput(
            "--repos requires --checkouts, the folder with the checkouts."
        )
    known = {each.name: each for each in read_checkouts(repos)}
    asked = [question for question in questions if question.repo in known]
    if not asked:
        raise InvalidInput("No query refers to a repository in --repos.")
    wanted = {question.repo for question in asked}
    chosen = [each for name, each in known.items() if name in wanted]
    index_checkouts(chosen, checkouts)

    def of(each: Checkout) -> AskSources:
        return ask_source(each.source_name, each.root, mode)

    asks = {each.name: of(each) for each in chosen}

    def answer(question: EvaluationQuestion, rerank: bool) -> Answer:
        return asks[question.repo](question, rerank=rerank)

    return asked, AskSources(tuple(each.source_name for each in chosen), answer)


def ask_corpus(corpus: Path, mode: Mode) -> AskSources:
    """Rank documents: the best passage of each counts."""
    name = corpus.stem
    ids = index_documents(read_corpus(corpus), name)
    source = f"eval-{name}"
    query = partial(
        SearchQuery, principal=SYSTEM, mode=mode, source=source, limit=MAX_LIMIT
    )

    def answer(question: EvaluationQuestion, rerank: bool) -> Answer:
        result = search(query(text=question.text, rerank=rerank), is_patient=True)
        paths = dict.fromkeys(hit.path for hit in result.hits)
        return result, [HitLocation(ids[path], 1, 1) for path in paths]

    return AskSources((source,), answer)
