"""Ask questions with the configured model and keep the answers; prints figures.

    python benchmarks/ask_answers.py draw --git DIR --out HOME
    python benchmarks/ask_answers.py ask --git DIR --out DIR [--way thorough]
    python benchmarks/ask_answers.py unanswerable --git DIR --out DIR

`ask`: as many questions of each repository of SWE-QA's develop set, drawn with a seed.
`unanswerable`: those of data/search that have no answer in their repository, and as
many that have one; `said to be not found` is the share of each. `draw` writes the same
questions as `ask` takes and checks out their repositories, for plain_agent.py.

Each answer is a file ID.json in `--out`; one that is there is not asked again, unless
it ended early. `tokens`: of a question, as the model's API counts them, calls of tools
included. `evidence tokens`: of the passages that the answer was written from, by
devrag's own estimate. `files`: the share of the files that the reference names which
are among these passages. See ask_judged.py for what the answers are worth.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import search_sets
from benchmarks.pinned import check_out
from benchmarks.search_sets import SetOptions
from benchmarks.swe_qa import CitingQuestion, Span, read_bench, share_of_files

# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "ask --data {search_sets} --git {git} --out {answers} --each 1"
REPOSITORIES = ("pytest", "xarray", "pylint", "sphinx")
Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question. reference: its answer by the set, '' for none. group: for figures."""

    id: str
    source: str
    question: str
    group: str = ""
    reference: str = ""


def main() -> None:
    """Draw, or ask what has no answer yet, and print."""
    options = _options()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
    import django

    django.setup()
    chosen = SetOptions(options.data, options.git, "hybrid")
    if options.action == "draw":
        _write_drawn(options)
        return
    if options.action == "ask":
        questions = draw_questions(options)
        if not options.indexed:
            search_sets.index_cited(chosen)
    else:
        questions = _unanswerable(chosen, is_indexed=options.indexed)
    some = [q for q in questions if not options.only or q.id in options.only]
    options.out.mkdir(parents=True, exist_ok=True)
    rows = asyncio.run(_ask_all(some, options))
    gold = {
        q.text: q for each in search_sets.cited_sets(chosen) for q in each.questions
    }
    print(json.dumps(figures_of(rows, gold), ensure_ascii=False, indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("action", choices=("draw", "ask", "unanswerable"))
    add_set_options(parser)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--way", default="quick", choices=("quick", "thorough"))
    parser.add_argument("--only", nargs="+", metavar="ID", help="of the questions")
    parser.add_argument("--at-once", type=int, default=6)
    parser.add_argument("--indexed", action="store_true", help="ask as it is indexed")
    return parser.parse_args()


def add_set_options(parser: argparse.ArgumentParser) -> None:
    """Add what says which questions are drawn."""
    parser.add_argument("--git", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=search_sets.DATA)
    parser.add_argument("--each", type=int, default=11, help="of a repository")
    parser.add_argument("--draw", default="22", help="seed of what is drawn")


# -- questions --------------------------------------------------------------------


def draw_questions(options: argparse.Namespace) -> list[Asked]:
    """Return questions of the repositories that are there, by `add_set_options`."""
    (row,) = search_sets.read_rows(options.data / "swe_qa.jsonl")
    bench = search_sets.bench_of(row)
    names = [name for name in REPOSITORIES if name in row["develop"]] or row["develop"]
    drawn = []
    for name in names:
        rows = read_bench(options.git, bench, name)
        drawing = random.Random(f"{options.draw}-{name}")
        numbers = drawing.sample(range(len(rows)), min(options.each, len(rows)))
        drawn += [
            Asked(f"{name}-{n + 1:02}", f"eval-swe-{name}", question, name, reference)
            for n in sorted(numbers)
            for question, reference in [rows[n]]
        ]
    return drawn


def _unanswerable(options: SetOptions, *, is_indexed: bool) -> list[Asked]:
    """Return both sets of questions, one of each in turn."""
    sets = {
        name: search_sets.read_rows(options.data / f"{name}.jsonl")
        for name in ("unanswerable", "answerable")
    }
    if not is_indexed:
        search_sets.index_repositories(options, [r for s in sets.values() for r in s])
    asked = [
        (number, Asked(f"{name}-{number:02}", source, row["question"], name))
        for name, rows in sets.items()
        for number, row in enumerate(rows, 1)
        for source in [f"eval-{search_sets.source_of(row)}"]
    ]
    return [each for _, each in sorted(asked, key=lambda pair: pair[0])]


def _write_drawn(options: argparse.Namespace) -> None:
    drawn = draw_questions(options)
    options.out.mkdir(parents=True, exist_ok=True)
    rows = [{"id": a.id, "repo": a.group, "question": a.question} for a in drawn]
    text = json.dumps(rows, ensure_ascii=False, indent=1)
    (options.out / "questions.json").write_text(text, "utf-8")
    for each in search_sets.cited_sets(SetOptions(options.data, options.git, "hybrid")):
        if any(asked.group == each.name for asked in drawn):
            check_out(options.git, [each.part], options.out / "repos" / each.name)
    print(json.dumps({"questions": len(rows)}))


# -- answers ----------------------------------------------------------------------


async def _ask_all(questions: Sequence[Asked], options: argparse.Namespace) -> Any:
    """Ask some at once; return the rows of all."""
    free = asyncio.Semaphore(options.at_once)

    async def one(asked: Asked) -> Figures:
        path = options.out / f"{asked.id}.json"
        if path.exists():
            row: Figures = json.loads(path.read_text("utf-8"))
            if row["is_complete"]:
                return row
        async with free:
            row = await _ask(asked, options.way)
        path.write_text(json.dumps(row, ensure_ascii=False, indent=1), "utf-8")
        print(asked.id, row["outcome"], f"{row['seconds']} s", file=sys.stderr)
        return row

    return await asyncio.gather(*map(one, questions))


async def _ask(asked: Asked, way: Any) -> Figures:
    from devrag.ask.api import finish_answer
    from devrag.ask.service import answer_uncounted
    from devrag.ask.types import AskRequest, Scope
    from devrag.core.principal import SYSTEM

    began = time.perf_counter()
    request = AskRequest(asked.question, SYSTEM, Scope(source=asked.source), way)
    answer = await finish_answer(answer_uncounted(request))
    return {
        "id": asked.id,
        "group": asked.group,
        "question": asked.question,
        "way": way,
        "seconds": round(time.perf_counter() - began, 1),
        "outcome": answer.outcome,
        "is_extractive": answer.is_extractive,
        "is_complete": answer.is_complete,
        "markdown": answer.markdown,
        "citations": [
            place_of(each) | {"text": each.text} for each in answer.citations
        ],
        "evidence": [place_of(each) for each in answer.evidence],
        "evidence_tokens": _tokens([each.text for each in answer.evidence]),
        "removed": [asdict(each) for each in answer.removed],
        "notes": [str(note) for note in answer.notes],
        "model": answer.model,
        "input_tokens": answer.input_tokens,
        "output_tokens": answer.output_tokens,
    }


def place_of(passage: Any) -> Figures:
    """Return where a passage is."""
    return {
        "id": passage.id,
        "path": passage.path,
        "start_line": passage.start_line,
        "end_line": passage.end_line,
        "title": passage.title,
    }


def _tokens(texts: Sequence[str]) -> int:
    from devrag.parsing.tokens import estimate_tokens

    return sum(map(estimate_tokens, texts))


def figures_of(rows: Sequence[Figures], gold: Mapping[str, CitingQuestion]) -> Figures:
    """Return figures of all answers and of each group. gold: by question."""
    groups = dict.fromkeys(row["group"] for row in rows)
    of = {g: [row for row in rows if row["group"] == g] for g in groups}
    parts = {"all": rows, **of}
    return {name: _figures(some, gold) for name, some in parts.items()}


def _figures(rows: Sequence[Figures], gold: Mapping[str, CitingQuestion]) -> Figures:
    used = [row["input_tokens"] + row["output_tokens"] for row in rows]
    named = [row for row in rows if row["question"] in gold]
    return {
        "questions": len(rows),
        "said to be not found": _mean([r["outcome"] == "not_found" for r in rows]),
        "written by the model": _mean([not r["is_extractive"] for r in rows]),
        "tokens": {"mean": round(_mean(used)), "median": round(median(used))},
        "output tokens": round(_mean([row["output_tokens"] for row in rows])),
        "files": _mean([_files(row, gold[row["question"]]) for row in named]),
        "evidence tokens": round(_mean([row["evidence_tokens"] for row in rows])),
        "removed sentences": sum(len(row["removed"]) for row in rows),
    }


def _files(row: Figures, gold: CitingQuestion) -> float:
    places = [(p["path"], p["start_line"], p["end_line"]) for p in row["evidence"]]
    return share_of_files(gold, [Span(*place) for place in places])


def _mean(values: Sequence[float]) -> float:
    return round(fmean(values), 4) if values else 0.0


if __name__ == "__main__":
    main()
