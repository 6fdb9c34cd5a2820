"""Measure traces of questions with a known path; prints one JSON object.

    python benchmarks/trace.py --git DIR [--data FILE] [--rounds 3] [--failures]

Asks `trace_answer` in the running instance (`manage.py server start`) about the
repositories of `data/trace.jsonl`, which lie below --git (see pinned.py), and indexes
those that are not yet; vectors are not waited for. `found`: the share of questions with
a path whose answer leads from the right start to the right end. `right`: the share
whose path passes the definitions that the set names, in their order. `refused`: the
share of questions without a path that are told so. `ms`: of an answer, warm. Bar:
found ≥ .9.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.pinned import PinnedPart, check_out

DATA = Path(__file__).parent / "data" / "trace.jsonl"
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "--rounds 1 --data {traces} --git {git}"


def main() -> None:
    """Index what is not yet, ask everything, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--git", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--failures", action="store_true", help="print them on stderr")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
    import django

    django.setup()
    lines = options.data.read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    index(options.git, rows)
    answers = [ask(row, options.rounds) for row in rows]
    pairs = zip(rows, answers, strict=True)
    judged = [(row, judge(row, answer), ms) for row, (answer, ms) in pairs]
    if options.failures:
        for row, (is_found, is_right), _ in judged:
            if not is_right:
                print(f"found={is_found}: {row['question']}", file=sys.stderr)
    print(json.dumps(figures(judged), indent=2))


def index(git: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Check the repositories out and index them, without waiting for vectors."""
    from django.conf import settings

    from devrag.core.principal import SYSTEM
    from devrag.use_cases.add_repository import add_repository
    from devrag.use_cases.job_feed import wait_for_job

    folder = settings.DEVRAG_HOME / "eval" / "traced"
    parts = {source_of(row): PinnedPart(row["repo"], row["commit"]) for row in rows}
    for name, part in parts.items():
        check_out(git, [part], folder / name)
        job = add_repository(
            principal=SYSTEM,
            location=str((folder / name).resolve()),
            product_name="eval",
            source_name=name,
            source_type="local",
            is_wiki_wanted=False,
            is_local_user=True,
        )
        wait_for_job(job)


def source_of(row: Mapping[str, Any]) -> str:
    """Return the source of a row's repository."""
    return "traced-" + str(row["repo"]).rpartition("/")[2]


def ask(row: Mapping[str, Any], rounds: int) -> tuple[Any, float]:
    """Return the answer and the fewest milliseconds that it took."""
    from devrag.ask.api import trace_answer
    from devrag.ask.types import AskRequest, Scope
    from devrag.core.principal import SYSTEM

    scope = Scope(source=source_of(row))
    request = AskRequest(row["question"], SYSTEM, scope, "trace")
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        answer = trace_answer(request)
        times.append(1000 * (time.perf_counter() - began))
    return answer, min(times)


def judge(row: Mapping[str, Any], answer: Any) -> tuple[bool, bool]:
    """Return whether a path was found, and whether the answer is right.

    Of a question without a path nothing is right but to find none, also where the
    other direction is told.
    """
    passed = [
        f"{passage.path}::{passage.title}"
        for passage in answer.citations
        if passage.kind in {"definition", "callee"}
    ]
    gold = row["path"]
    if not gold:
        is_other_way = "not the other way round" in answer.markdown
        is_found = answer.outcome == "answered" and not is_other_way
        return is_found, not is_found
    is_traced = answer.outcome == "answered" and bool(passed)
    is_found = is_traced and passed[0] == gold[0] and gold[-1] in passed
    return is_found, is_found and passes(passed, gold)


def passes(path: Sequence[str], gold: Sequence[str]) -> bool:
    """Return whether a path has all definitions of another in their order."""
    left = iter(path)
    return all(each in left for each in gold)


def figures(
    judged: Sequence[tuple[Mapping[str, Any], tuple[bool, bool], float]],
) -> dict[str, Any]:
    """Return the shares and times, the shares also by what the path goes through."""
    traced = [(row, verdict) for row, verdict, _ in judged if row["path"]]
    absent = [verdict for row, verdict, _ in judged if not row["path"]]
    groups: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for row, verdict in traced:
        groups[f"through {row['through'] or 'plain calls'}"].append(verdict)
    p50, p95 = np.percentile([ms for *_, ms in judged], [50, 95])
    return {
        "questions": len(traced),
        "found": _share(is_found for _, (is_found, _) in traced),
        "right": _share(is_right for _, (_, is_right) in traced),
        **{
            name: {
                "questions": len(of),
                "found": _share(is_found for is_found, _ in of),
                "right": _share(is_right for _, is_right in of),
            }
            for name, of in sorted(groups.items())
        },
        "without a path": len(absent),
        "refused": _share(is_right for _, is_right in absent),
        "ms": {"p50": round(float(p50), 1), "p95": round(float(p95), 1)},
    }


def _share(values: Iterable[bool]) -> float | None:
    listed = list(values)
    return round(fmean(listed), 4) if listed else None


if __name__ == "__main__":
    main()
