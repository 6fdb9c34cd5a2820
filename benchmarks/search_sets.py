"""Sets of questions for search beside the tuning set, and what answers are worth.

`functions`: one definition of a big file answers. `notes`: one of some dozen short
notes does. `swe-qa`: files and lines that a reference answer names. `nothing`: words
and names that are nowhere, beside questions that have an answer. Where each is from:
data/README.md.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.pinned import PinnedPart, check_out
from benchmarks.swe_qa import (
    CitingSet,
    Span,
    count_covered,
    count_touched,
    read_set,
    share_of_files,
)

DATA = Path(__file__).parent / "data" / "search"
DEPTH = 10
_ENOUGH = 3
# What a search answers: source, question, kind of hits -> the result.
Ask = Callable[[str, str, str], Any]
Run = Callable[[], dict[str, float]]


@dataclass(frozen=True, slots=True)
class SetOptions:
    """data: folder of the questions. git: of the repositories, see pinned."""

    data: Path
    git: Path
    mode: str


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a file of JSON Lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


# -- sources ----------------------------------------------------------------------


def _index(options: SetOptions, wanted: Mapping[str, Sequence[PinnedPart]]) -> None:
    """Check out and index sources by name, and wait until all texts have vectors."""
    from django.conf import settings

    from devrag.use_cases.evaluation import Checkout, index_checkouts

    folder = settings.DEVRAG_HOME / "eval" / "pinned"
    for name, parts in wanted.items():
        check_out(options.git, parts, folder / name)
    index_checkouts([Checkout(name, "") for name in wanted], folder)


def _asking(options: SetOptions) -> Ask:
    from devrag.core.principal import SYSTEM
    from devrag.search.api import search
    from devrag.search.types import SearchQuery

    def ask(source: str, text: str, kind: str = "") -> Any:
        query = SearchQuery(
            text=text,
            principal=SYSTEM,
            source=f"eval-{source}",
            mode=options.mode,  # type: ignore[arg-type]
            kind=kind,
            limit=DEPTH,
        )
        return search(query, is_patient=True)

    return ask


def source_of(row: Mapping[str, Any]) -> str:
    """Return the source of a row's repository."""
    return "function-" + str(row["repo"]).rpartition("/")[2]


def index_repositories(options: SetOptions, rows: Iterable[Mapping[str, Any]]) -> None:
    """Index the repositories that rows ask about."""
    parts = {source_of(r): [PinnedPart(r["repo"], r["commit"])] for r in rows}
    _index(options, parts)


# -- functions --------------------------------------------------------------------


def functions(options: SetOptions) -> Run:
    """Return what asks for definitions, of search and as search_code does."""
    rows = read_rows(options.data / "functions.jsonl")
    index_repositories(options, rows)
    ask = _asking(options)

    def run() -> dict[str, float]:
        figures: dict[str, float] = {}
        for entry, kind in (("search", ""), ("search_code", "symbol")):
            results = [ask(source_of(row), row["question"], kind) for row in rows]
            ranks = [_rank(row, r.hits) for row, r in zip(rows, results, strict=True)]
            figures |= _function_figures(entry, rows, ranks)
        # Of search_code, the last asked.
        hits = [hit for result in results for hit in result.hits]
        named = [bool(hit.symbol_name and hit.symbol_uuid) for hit in hits]
        figures["search_code: hits with name and id"] = _mean(named)
        return figures

    return run


def _rank(row: Mapping[str, Any], hits: Sequence[Any]) -> int | None:
    """Return the rank of the first hit that is the definition, from 1."""
    right = (rank for rank, hit in enumerate(hits, 1) if is_definition(row, hit))
    return next(right, None)


def is_definition(row: Mapping[str, Any], hit: Any) -> bool:
    """Return whether a hit is of this definition and hardly of anything else."""
    wanted = Span(row["path"], row["start_line"], row["end_line"])
    shared = wanted.shared_lines(Span(hit.path, hit.start_line, hit.end_line))
    is_inside = 2 * shared >= hit.end_line - hit.start_line + 1
    name = row["name"].rpartition(".")[2]
    *outer, own = hit.symbol_name.split(".")
    if own == name:
        return shared > 0
    # What is defined within a definition is of it.
    return is_inside and (not own or name in outer)


def _function_figures(
    entry: str, rows: Sequence[Mapping[str, Any]], ranks: Sequence[int | None]
) -> dict[str, float]:
    first = {place: _within(ranks, place) for place in (1, _ENOUGH, DEPTH)}
    figures = {f"{entry}: first {place}": share for place, share in first.items()}
    figures[f"{entry}: mrr"] = _mean(1 / rank if rank else 0.0 for rank in ranks)
    for key in ("kind", "repo"):
        groups: dict[str, list[int | None]] = defaultdict(list)
        for row, rank in zip(rows, ranks, strict=True):
            groups[row[key]].append(rank)
        for name, group in sorted(groups.items()):
            figures[f"{entry}: first {_ENOUGH}, {name}"] = _within(group, _ENOUGH)
    return figures


def _within(ranks: Sequence[int | None], place: int) -> float:
    return _mean(rank is not None and rank <= place for rank in ranks)


# -- notes ------------------------------------------------------------------------


def notes(options: SetOptions) -> Run:
    """Return what asks for one note of a folder; files count once."""
    rows = read_rows(options.data / "notes.jsonl")
    folders = index_notes(options)
    ask = _asking(options)

    def run() -> dict[str, float]:
        groups: dict[str, list[float]] = defaultdict(list)
        handbook_first: list[bool] = []
        for row in rows:
            folder = folders[row["folder"]]
            result = ask(f"notes-{row['folder']}", row["question"], "")
            files = list(dict.fromkeys(hit.path for hit in result.hits))
            worth = 1 / (files.index(row["path"]) + 1) if row["path"] in files else 0.0
            for name in _note_groups(folder):
                groups[name].append(worth)
            if folder["handbook"]:
                handbook_first.append(files[:1] == [folder["handbook"]])
        figures = {f"mrr{name}": _mean(of) for name, of in sorted(groups.items())}
        return figures | {"handbook first": _mean(handbook_first)}

    return run


def index_notes(options: SetOptions) -> dict[str, dict[str, Any]]:
    """Index the folders of notes; return them by name."""
    folders = {f["name"]: f for f in read_rows(options.data / "note_folders.jsonl")}
    wanted = {f"notes-{name}": _parts(folder) for name, folder in folders.items()}
    _index(options, wanted)
    return folders


def _parts(folder: Mapping[str, Any]) -> list[PinnedPart]:
    return [
        PinnedPart(part["repo"], part["commit"], tuple(part["paths"]))
        for part in folder["parts"]
    ]


def _note_groups(folder: Mapping[str, Any]) -> tuple[str, ...]:
    mixed = "with a handbook" if folder["handbook"] else "without a handbook"
    return "", f", {folder['language']}", f", {mixed}", f", {folder['name']}"


# -- cited lines ------------------------------------------------------------------


def swe_qa(options: SetOptions) -> Run:
    """Return what asks for the files and lines of reference answers."""
    sets = index_cited(options)
    ask = _asking(options)

    def run() -> dict[str, float]:
        figures: dict[str, float] = {}
        total = _CitedCounts()
        for each in sets:
            counts = _CitedCounts()
            for question in each.questions:
                hits = ask(f"swe-{each.name}", question.text, "").hits
                places = [Span(h.path, h.start_line, h.end_line) for h in hits[:DEPTH]]
                for one in (counts, total):
                    one.add(question, places)
            figures |= counts.figures(f", {each.name}")
        return total.figures("") | figures

    return run


def index_cited(options: SetOptions) -> list[CitingSet]:
    """Index the repositories of the questions that have cited lines."""
    sets = list(cited_sets(options))
    _index(options, {f"swe-{each.name}": [each.part] for each in sets})
    return sets


def bench_of(row: Mapping[str, Any]) -> PinnedPart:
    """Return the repository of questions that a row names."""
    return PinnedPart(row["repo"], row["commit"])


def cited_sets(options: SetOptions) -> Iterable[CitingSet]:
    """Yield the sets of the repositories that are there."""
    (row,) = read_rows(options.data / "swe_qa.jsonl")
    bench = bench_of(row)
    for name in row["develop"]:
        try:
            yield read_set(options.git, bench, name)
        except FileNotFoundError as error:
            print(f"swe-qa: {name} is left out: {error}", file=sys.stderr)


class _CitedCounts:
    """What was named and what was found, question by question."""

    def __init__(self) -> None:
        self._files: list[float] = []
        self._spans: list[int] = []
        self._touched: list[int] = []
        self._covered: list[int] = []

    def add(self, question: Any, places: Sequence[Span]) -> None:
        self._files.append(share_of_files(question, places))
        if question.spans:
            self._spans.append(len(question.spans))
            self._touched.append(count_touched(question, places))
            self._covered.append(count_covered(question, places))

    def figures(self, name: str) -> dict[str, float]:
        return {
            f"files{name}": _mean(self._files),
            f"spans touched{name}": self._mean_share(self._touched),
            f"spans half covered{name}": self._mean_share(self._covered),
            f"of all spans touched{name}": self._whole_share(self._touched),
            f"of all spans half covered{name}": self._whole_share(self._covered),
        }

    def _mean_share(self, found: Sequence[int]) -> float:
        return _mean(n / of for n, of in zip(found, self._spans, strict=True))

    def _whole_share(self, found: Sequence[int]) -> float:
        return round(sum(found) / max(1, sum(self._spans)), 4)


# -- nothing there ----------------------------------------------------------------


def nothing(options: SetOptions) -> Run:
    """Return what asks for things that are nowhere, and for things that are."""
    absent = read_rows(options.data / "absent.jsonl")
    right = read_rows(options.data / "functions.jsonl")
    nonsense = (options.data / "nonsense.txt").read_text("utf-8").splitlines()
    index_repositories(options, [*absent, *right])
    ask = _asking(options)
    sources = sorted({source_of(row) for row in right})

    def flags(rows: Iterable[Mapping[str, Any]]) -> list[bool]:
        return [says_nothing(ask(source_of(r), r["question"], "")) for r in rows]

    def run() -> dict[str, float]:
        asked = [ask(source, word, "") for source in sources for word in nonsense]
        figures = {
            "nonsense": _mean(map(says_nothing, asked)),
            "absent names": _mean(flags(absent)),
            "right questions": _mean(flags(right)),
        }
        for language in sorted({row["language"] for row in absent}):
            of = [row for row in absent if row["language"] == language]
            figures[f"absent names, {language}"] = _mean(flags(of))
        return figures

    return run


def says_nothing(result: Any) -> bool:
    """Return whether an answer tells its reader that nothing fits."""
    return result.confidence != "high"


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return round(fmean(listed), 4) if listed else 0.0


SETS: dict[str, Callable[[SetOptions], Run]] = {
    "functions": functions,
    "notes": notes,
    "swe-qa": swe_qa,
    "nothing": nothing,
}
