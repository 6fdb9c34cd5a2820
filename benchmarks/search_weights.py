"""Fit what each feature of a candidate is worth; prints one JSON object.

    python benchmarks/search_weights.py --queries FILE --repos FILE --checkouts DIR
        --git DIR [--write]

Asks the sets of search_sets.py and the tuning set of the running instance, as
search_quality.py does, and keeps what ranking knew of each candidate. Then weights are
chosen so that what answers a question is likely (softmax over its candidates, mean over
its targets). `held_out`: figures where the groups that are asked (repositories,
folders) were left out of the fit, five parts in turn. `ablation`: the same without one
feature. `weights`: fitted to all; --write puts them into devrag/search/weights.py.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import mixed_product, search_mixed, search_sets
from benchmarks.search_sets import SetOptions, is_definition, read_rows
from benchmarks.swe_qa import Span, count_touched, share_of_files

Matrix = NDArray[np.float64]
_FOLDS = 5
# Questions about one product are left out in groups.
_GROUPS = 25
# How much a set counts, however many questions it has: most questions are for places in
# code; answers that cite many lines of many files are the exception.
_SHARES = {
    "functions": 2.0,
    "notes": 1.0,
    "tuning": 1.5,
    "swe-qa": 0.5,
    "japanese": 1.0,
    "mixed": 1.0,
}
_STEPS, _RATE = 300, 0.05
# How strongly weights are drawn to those before: Japanese questions are few, and hardly
# any of them asks for code.
_DECAY, _DECAY_OF_JAPANESE = 0.0002, 0.0005
# What makes features that are not shares vary as much as those that are.
_SCALES = {"cosine": 4.0, "cosine_spread": 0.25}
_NEWTON_STEPS = 20
_SMALLEST_SHARE = 1e-12
_WEIGHTS = Path(__file__).parent.parent / "devrag/search/weights.py"
SMALLEST = (
    "--queries {questions} --repos {repositories} --checkouts {checkouts}"
    " --data {search_sets} --git {git}"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its candidates. targets: of each thing that answers, which do."""

    set: str
    group: str
    question: Any
    are_definitions: bool
    candidates: Sequence[Any]
    features: Sequence[Any]
    targets: Sequence[Sequence[int]]
    gold: Any


def main() -> None:
    """Ask everything, fit, hold out, leave out; print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--checkouts", type=Path, required=True)
    parser.add_argument("--git", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=search_sets.DATA)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
    import django

    django.setup()
    asked = list(collect(options))
    tables = fit_all(asked)
    calibrated = calibrate(asked, tables)
    print(
        json.dumps(
            {
                "held_out": hold_out(asked),
                "ablation": _ablate(asked),
                "weights": {name: _named(of) for name, of in tables.items()},
                "possible, certain": calibrated,
            }
        )
    )
    if options.write:
        text = _rewritten(_WEIGHTS.read_text("utf-8"), tables, calibrated)
        _WEIGHTS.write_text(text, "utf-8")


# -- questions ----------------------------------------------------------------------


def collect(options: argparse.Namespace) -> Iterator[Asked]:
    """Yield the questions of all sets with what ranking knew of their candidates."""
    chosen = SetOptions(options.data, options.git, "hybrid")
    yield from _functions(chosen)
    yield from _notes(chosen)
    yield from _tuning(options)
    yield from _cited(chosen)
    yield from _japanese()
    yield from _mixed(chosen)


def _functions(options: SetOptions) -> Iterator[Asked]:
    rows = read_rows(options.data / "functions.jsonl")
    search_sets.index_repositories(options, rows)
    for row, kind in itertools.product(rows, ("", "symbol")):
        source = search_sets.source_of(row)

        def is_right(spot: Any, row: Mapping[str, Any] = row) -> bool:
            return is_definition(row, _Place(spot))

        yield _ask("functions", row["repo"], source, row["question"], [is_right], kind)


@dataclass(frozen=True, slots=True)
class _Place:
    """A candidate as `is_definition` looks at a hit."""

    spot: Any

    @property
    def path(self) -> str:
        return str(self.spot.path)

    @property
    def start_line(self) -> int:
        return int(self.spot.start_line)

    @property
    def end_line(self) -> int:
        return int(self.spot.end_line)

    @property
    def symbol_name(self) -> str:
        return str(self.spot.qualified_name)


def _notes(options: SetOptions) -> Iterator[Asked]:
    search_sets.index_notes(options)
    for row in read_rows(options.data / "notes.jsonl"):
        is_right = _is_of(row["path"])
        source = f"notes-{row['folder']}"
        yield _ask("notes", row["folder"], source, row["question"], [is_right])


def _tuning(options: argparse.Namespace) -> Iterator[Asked]:
    from devrag.search.evaluation.questions import read_questions
    from devrag.use_cases.evaluation import read_checkouts
    from devrag.use_cases.search_evaluation import ask_checkouts

    questions = read_questions(options.queries)
    asked, _ = ask_checkouts(questions, options.repos, options.checkouts, "hybrid")
    roots = {each.name: each.root for each in read_checkouts(options.repos)}
    for question in asked:
        lead = f"{roots[question.repo]}/" if roots[question.repo] else ""

        def is_right(spot: Any, target: Any, lead: str = lead) -> bool:
            path = lead + spot.path
            return bool(target.is_touched_by(path, spot.start_line, spot.end_line))

        targets = [_with(is_right, target) for target in question.targets]
        yield _ask("tuning", question.repo, question.repo, question.text, targets)


def _cited(options: SetOptions) -> Iterator[Asked]:
    for each in search_sets.index_cited(options):
        for question in each.questions:
            files = [_is_of(path) for path in question.paths]
            spans = [_with(_touches, span) for span in question.spans]
            asked = _ask("swe-qa", each.name, f"swe-{each.name}", question.text, files)
            lines = [_which(asked.candidates, is_right) for is_right in spans]
            yield replace(asked, targets=[*asked.targets, *lines], gold=question)


def _japanese() -> Iterator[Asked]:
    from devrag.search.evaluation.questions import read_corpus, read_questions
    from devrag.use_cases.evaluation import index_documents

    corpus = search_sets.DATA.parent / "japanese_corpus.jsonl"
    names = index_documents(read_corpus(corpus), corpus.stem)
    paths = {name: path for path, name in names.items()}
    for question in read_questions(corpus.with_name("japanese_queries.jsonl")):
        targets = [_is_of(paths[target.path]) for target in question.targets]
        group = question.name
        yield _ask("japanese", group, corpus.stem, question.text, targets)


def _mixed(options: SetOptions) -> Iterator[Asked]:
    titles = search_mixed.index_mixed(options)
    for number, row in enumerate(read_rows(options.data / "mixed.jsonl")):

        def is_right(spot: Any, gold: Any) -> bool:
            kind = spot.document_kind
            return search_mixed.is_of(gold, spot, kind=kind, titles=titles)

        targets = [_with(is_right, gold) for gold in row["gold"]]
        group = str(number % _GROUPS)
        product = mixed_product.NAME
        yield _ask("mixed", group, "", row["question"], targets, product=product)


def _touches(spot: Any, span: Span) -> bool:
    place = Span(spot.path, spot.start_line, spot.end_line)
    return place.cut().shared_lines(span) > 0


def _is_of(path: str) -> Callable[[Any], bool]:
    return lambda spot: bool(spot.path == path)


def _with(is_right: Callable[..., bool], target: Any) -> Callable[[Any], bool]:
    return lambda spot: is_right(spot, target)


def _ask(
    name: str,
    group: str,
    source: str,
    text: str,
    targets: Sequence[Callable[[Any], bool]],
    kind: str = "",
    product: str = "",
) -> Asked:
    """Ask a source or a product, and keep what ranking was given."""
    from devrag.core.principal import SYSTEM
    from devrag.search import ranking
    from devrag.search.api import search
    from devrag.search.types import SearchQuery

    given: list[Asked] = []

    def rank(
        found: Any, features: Any, question: Any, *, are_definitions: bool, users: Any
    ) -> Any:
        which = [_which(found, is_right) for is_right in targets]
        kept = Asked(
            name, group, question, are_definitions, found, features, which, None
        )
        given.append(kept)
        return ranking.rank(
            found, features, question, are_definitions=are_definitions, users=users
        )

    query = SearchQuery(
        text=text,
        principal=SYSTEM,
        source=f"eval-{source}" if source else "",
        product=product,
        kind=kind,
        limit=10,
    )
    with patch("devrag.search.pipeline.rank", rank):
        search(query, is_patient=True)
    return given[-1]


def _which(found: Sequence[Any], is_right: Callable[[Any], bool]) -> list[int]:
    return [number for number, spot in enumerate(found) if is_right(spot)]


# -- fit ----------------------------------------------------------------------------


def _tables(asked: Iterable[Asked]) -> dict[str, list[Asked]]:
    """Return which questions each table of weights is fitted to; none asks a name."""
    tables: dict[str, list[Asked]] = {"GENERAL": [], "DEFINITIONS": [], "JAPANESE": []}
    for each in asked:
        if not each.question.is_name:
            tables[_table_of(each)].append(each)
    return tables


def _table_of(asked: Asked) -> str:
    if asked.question.is_japanese:
        return "JAPANESE"
    return "DEFINITIONS" if asked.are_definitions else "GENERAL"


def fit_all(asked: Iterable[Asked], without: str = "") -> dict[str, Matrix]:
    """Return each table of weights; what a set lacks stays as in the general one."""
    tables = _tables(asked)
    general = fit(tables["GENERAL"], without)
    return {
        "GENERAL": general,
        "DEFINITIONS": fit(tables["DEFINITIONS"], without, general),
        "JAPANESE": fit(tables["JAPANESE"], without, general, _DECAY_OF_JAPANESE),
    }


def fit(
    asked: Sequence[Asked],
    without: str = "",
    before: Matrix | None = None,
    decay: float = _DECAY,
) -> Matrix:
    """Return the weights of code, those of documents, and what documents have beside.

    without: a feature that is worth nothing. before: what weights are drawn to, 0 if
    none; decay: how strongly. Without a question they stay as they were.
    """
    if not asked:
        return np.zeros(_size()) if before is None else before
    matrices = [_matrix(each, without) for each in asked]
    most = max(len(matrix) for matrix in matrices)
    features = np.zeros((len(matrices), most, matrices[0].shape[1]))
    missing = np.full((len(matrices), most), -1e9)
    for number, matrix in enumerate(matrices):
        features[number, : len(matrix)] = matrix
        missing[number, : len(matrix)] = 0.0
    questions, targets, shares = _found_targets(asked, most)
    scales = _scales()
    features *= scales
    start = np.zeros(len(scales)) if before is None else before / scales
    weights = start.copy()
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        likely = _softmax(features @ weights + missing)
        meant = likely[questions] * targets
        meant /= meant.sum(axis=1, keepdims=True) + _SMALLEST_SHARE
        slopes = np.zeros_like(likely)
        wrong = (likely[questions] - meant) * shares[:, None]
        np.add.at(slopes, questions, wrong)
        slope = np.einsum("qc,qcf->f", slopes, features) + decay * (weights - start)
        # source: Kingma & Ba 2015 (Adam).
        first = 0.9 * first + 0.1 * slope
        second = 0.999 * second + 0.001 * slope**2
        mean, spread = first / (1 - 0.9**step), second / (1 - 0.999**step)
        weights -= _RATE * mean / (np.sqrt(spread) + 1e-9)
    return weights * scales


def _scales() -> Matrix:
    """Return what each column of a matrix is multiplied with while weights are fitted.

    One step then changes the value of a candidate about as much by each feature.
    """
    from devrag.search.features import Features

    half = [_SCALES.get(name, 1.0) for name in Features._fields]
    return np.array([*half, *half, 1.0])


def _size() -> int:
    """Return how many weights there are."""
    from devrag.search.features import Features

    return 2 * len(Features._fields) + 1


def _matrix(asked: Asked, without: str) -> Matrix:
    from devrag.search.features import Features
    from devrag.search.ranking import is_code

    found = np.array(asked.features, dtype=np.float64).reshape(
        -1, len(Features._fields)
    )
    if without:
        found[:, Features._fields.index(without)] = 0.0
    document = np.array([[float(not is_code(spot))] for spot in asked.candidates])
    document = document.reshape(-1, 1)
    return np.concatenate([found * (1 - document), found * document, document], axis=1)


def _found_targets(
    asked: Sequence[Asked], most: int
) -> tuple[NDArray[np.int64], Matrix, Matrix]:
    """Return for each target its question, its candidates, and how much it counts."""
    sizes: dict[str, int] = defaultdict(int)
    for each in asked:
        sizes[each.set] += 1
    questions, rows, shares = [], [], []
    for number, each in enumerate(asked):
        found = [target for target in each.targets if target]
        for target in found:
            row = np.zeros(most)
            row[list(target)] = 1.0
            questions.append(number)
            rows.append(row)
            shares.append(_SHARES[each.set] / sizes[each.set] / len(found))
    total = np.array(shares)
    return np.array(questions), np.array(rows), total / total.sum()


def _softmax(values: Matrix) -> Matrix:
    raised = np.exp(values - values.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def calibrate(
    asked: Iterable[Asked], tables: Mapping[str, Matrix]
) -> tuple[float, float]:
    """Return the values at which one in two and nearly all candidates are right.

    A logistic function of the value, fitted to the first candidates of each question.
    """
    rows, right = [], []
    for each in asked:
        name = _table_of(each)
        targets = set(itertools.chain.from_iterable(each.targets))
        for number, score in _ranked(each, name, tables[name]):
            rows.append((_value_of(score), 1.0))
            right.append(float(number in targets))
    known, is_right = np.array(rows), np.array(right)
    fitted = np.zeros(2)
    for _ in range(_NEWTON_STEPS):
        likely = 1.0 / (1.0 + np.exp(-known @ fitted))
        curve = (known * (likely * (1.0 - likely))[:, None]).T @ known
        fitted -= np.linalg.solve(curve, known.T @ (likely - is_right))
    slope, bias = fitted
    possible = -bias / slope
    return round(float(possible), 1), round(float(possible + 2.0 / slope), 1)


def _value_of(score: float) -> float:
    """Return the value of which a score is the likelihood."""
    from devrag.search.weights import CERTAIN, POSSIBLE

    score = min(1.0 - 1e-12, max(1e-12, score))
    return POSSIBLE + (CERTAIN - POSSIBLE) / 2.0 * math.log(score / (1.0 - score))


# -- figures ------------------------------------------------------------------------


def hold_out(asked: Sequence[Asked], without: str = "") -> dict[str, float]:
    """Return the sets' figures, each question ranked by weights that never saw it."""
    figures: dict[str, list[float]] = defaultdict(list)
    folds = _folds(asked)
    for fold in range(_FOLDS):
        mine = [each for each in asked if folds[each.set, each.group] == fold]
        rest = [each for each in asked if folds[each.set, each.group] != fold]
        tables = fit_all(rest, without)
        for each in mine:
            name = _table_of(each)
            for figure, value in _worth(each, name, tables[name]):
                figures[figure].append(value)
    return {name: round(fmean(of), 4) for name, of in sorted(figures.items())}


def _folds(asked: Iterable[Asked]) -> dict[tuple[str, str], int]:
    """Return the part that each group of a set is in."""
    groups = sorted({(each.set, each.group) for each in asked})
    return {group: number % _FOLDS for number, group in enumerate(groups)}


def _ablate(asked: Sequence[Asked]) -> dict[str, dict[str, float]]:
    from devrag.search.features import Features

    return {name: hold_out(asked, name) for name in Features._fields}


def _worth(asked: Asked, name: str, weights: Matrix) -> Iterator[tuple[str, float]]:
    order = _order(asked, name, weights)
    if asked.gold is not None:
        places = [
            Span(spot.path, spot.start_line, spot.end_line)
            for spot in (asked.candidates[number] for number in order)
        ]
        yield "swe-qa: files", share_of_files(asked.gold, places)
        if asked.gold.spans:
            touched = count_touched(asked.gold, places)
            yield "swe-qa: spans touched", touched / len(asked.gold.spans)
        return
    ranks = [_rank(order, target) for target in asked.targets]
    if asked.set == "functions":
        is_first = any(rank and rank <= 3 for rank in ranks)
        entry = "search_code" if asked.are_definitions else "search"
        yield f"functions: {entry}, first 3", float(is_first)
    elif asked.set == "notes":
        paths = dict.fromkeys(asked.candidates[number].path for number in order)
        (target,) = asked.targets
        right = asked.candidates[target[0]].path if target else None
        found = list(paths).index(right) + 1 if right in paths else None
        yield "notes: mrr", 1 / found if found else 0.0
    else:
        from devrag.search.evaluation.metrics import ndcg

        yield f"{asked.set}: ndcg@10", ndcg(ranks)


def _rank(order: Sequence[int], target: Sequence[int]) -> int | None:
    right = (place for place, number in enumerate(order, 1) if number in target)
    return next(right, None)


def _order(asked: Asked, name: str, weights: Matrix) -> list[int]:
    return [number for number, _ in _ranked(asked, name, weights)]


def _ranked(asked: Asked, name: str, weights: Matrix) -> list[tuple[int, float]]:
    """Return the first ten candidates as the product ranks them, with their scores."""
    from devrag.search import pipeline, ranking

    table = as_weights(weights, getattr(ranking, name))
    numbers = {spot.chunk_id: number for number, spot in enumerate(asked.candidates)}
    with patch.object(ranking, name, table):
        ranked = ranking.rank(
            asked.candidates,
            asked.features,
            asked.question,
            are_definitions=asked.are_definitions,
        )
    kept = pipeline.without_nested(ranked, asked.question)[: search_sets.DEPTH]
    return [(numbers[each.spot.chunk_id], each.score) for each in kept]


# -- tables -------------------------------------------------------------------------


def as_weights(fitted: Matrix, before: Any) -> Any:
    """Return fitted numbers as the product's table; what is not fitted stays."""
    from devrag.search.features import Features

    values = [round(float(value), 2) for value in fitted]
    half = len(Features._fields)
    return replace(
        before,
        code=Features(*values[:half]),
        document=Features(*values[half : 2 * half]),
        document_bias=values[-1],
    )


def _named(fitted: Matrix) -> dict[str, Any]:
    from devrag.search import weights

    table = as_weights(fitted, weights.GENERAL)
    return {
        "code": table.code._asdict(),
        "document": table.document._asdict(),
        "document_bias": table.document_bias,
    }


def _rewritten(
    text: str, tables: Mapping[str, Matrix], calibrated: tuple[float, float]
) -> str:
    """Return weights.py with what was fitted in place of its own."""
    from devrag.search import weights

    for name, fitted in tables.items():
        table = as_weights(fitted, getattr(weights, name))
        pattern = re.compile(rf"^{name} = Weights\(.*?^\)$", re.M | re.S)
        text, count = pattern.subn(f"{name} = {_source(table)}", text)
        if count != 1:
            raise SystemExit(f"{_WEIGHTS} has no table {name}.")
    possible, certain = calibrated
    line = f"POSSIBLE, CERTAIN = {possible}, {certain}"
    return re.sub(r"^POSSIBLE, CERTAIN = .*", line, text, flags=re.M)


def _source(table: Any) -> str:
    lines = ["Weights("]
    for name in ("code", "document"):
        features = getattr(table, name)._asdict().items()
        lines += [f"    {name}=Features("]
        lines += [f"        {key}={value}," for key, value in features]
        lines += ["    ),"]
    for name in ("document_bias", "coherence", "next_of_file"):
        lines += [f"    {name}={getattr(table, name)},"]
    return "\n".join([*lines, ")"])


if __name__ == "__main__":
    main()
