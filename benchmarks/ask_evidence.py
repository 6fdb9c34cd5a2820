"""Measure the evidence of questions with cited answers; prints one JSON object.

    python benchmarks/ask_evidence.py --git DIR [--only NAME …]

Asks the questions of the set `swe-qa` (see search_sets.py) of the running instance.
`files`: the share of the files that a reference answer names which are among the
evidence, at most 12 files and 540 lines; `spans touched`, `spans half covered`: of the
lines that it names. `first_ms`: until the first passages can be shown, `ms`: until all
are there; each question is asked once before it is timed. Bars: files ≥ .85, first
passages ≤ 300 ms. `not found`: how many questions without an answer in their
repository, and with one, are said to have none where no model reads the passages.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import search_sets
from benchmarks.search_sets import SetOptions
from benchmarks.swe_qa import (
    CitingSet,
    Span,
    count_covered,
    count_touched,
    share_of_files,
)

# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "--data {search_sets} --git {git}"
Figures = dict[str, Any]


def main() -> None:
    """Index what is not yet, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--git", type=Path, required=True)
    parser.add_argument("--only", nargs="+", help="names of repositories")
    parser.add_argument("--data", type=Path, default=search_sets.DATA)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
    import django

    django.setup()
    chosen = SetOptions(options.data, options.git, "hybrid")
    sets = search_sets.index_cited(chosen)
    wanted = [each for each in sets if not options.only or each.name in options.only]
    rows = {each.name: _ask_set(each) for each in wanted}
    every = [row for found in rows.values() for row in found]
    figures = {name: _figures(found) for name, found in rows.items()}
    not_found = {} if options.only else _not_found(chosen)
    print(json.dumps({"all": _figures(every), **figures, "not found": not_found}))


def _not_found(options: SetOptions) -> Figures:
    """Ask what has no answer and what has one."""
    from devrag.ask.api import gather_evidence
    from devrag.ask.types import AskRequest, Scope
    from devrag.core.principal import SYSTEM

    figures = {}
    for name in ("unanswerable", "answerable", "functions"):
        rows = search_sets.read_rows(options.data / f"{name}.jsonl")
        search_sets.index_repositories(options, rows)
        refused = [
            not gather_evidence(
                AskRequest(
                    row["question"],
                    SYSTEM,
                    Scope(source=f"eval-{search_sets.source_of(row)}"),
                )
            ).is_found
            for row in rows
        ]
        figures[name] = round(fmean(refused), 4)
    return figures


def _ask_set(each: CitingSet) -> list[Figures]:
    from devrag.ask.types import AskRequest, Scope
    from devrag.core.principal import SYSTEM

    scope = Scope(source=f"eval-swe-{each.name}")
    return [
        _ask(question, AskRequest(question.text, SYSTEM, scope))
        for question in each.questions
    ]


def _ask(question: Any, request: Any) -> Figures:
    from devrag.ask.api import begin_evidence, complete_evidence

    begin_evidence(request)  # the model may have to be loaded
    began = time.perf_counter()
    start = begin_evidence(request)
    first = time.perf_counter()
    passages = complete_evidence(request, start).passages
    took = time.perf_counter() - began
    spans = [Span(p.path, p.start_line, p.end_line) for p in passages]
    row: Figures = {
        "files": share_of_files(question, spans),
        "lines": sum(passage.line_count for passage in passages),
        "first_ms": 1000 * (first - began),
        "ms": 1000 * took,
    }
    if question.spans:
        asked = len(question.spans)
        row["spans touched"] = count_touched(question, spans) / asked
        row["spans half covered"] = count_covered(question, spans) / asked
    return row


def _figures(rows: list[Figures]) -> Figures:
    names = ("files", "spans touched", "spans half covered", "lines")
    figures: Figures = {"questions": len(rows)}
    for name in names:
        values = [row[name] for row in rows if name in row]
        figures[name] = round(fmean(values), 4) if values else 0.0
    for name in ("first_ms", "ms"):
        figures[name] = _percentiles([row[name] for row in rows])
    return figures


def _percentiles(values: list[float]) -> dict[str, float]:
    if len(values) < 2:
        return {"p50": round(sum(values), 1), "p95": round(sum(values), 1)}
    cuts = quantiles(values, n=20, method="inclusive")
    return {"p50": round(cuts[9], 1), "p95": round(cuts[18], 1)}


if __name__ == "__main__":
    main()
