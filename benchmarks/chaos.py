"""Break an installation in every way while it works; prints one JSON object.

    python benchmarks/chaos.py [--seed 1] [--faults 40] [--only "kill -9 web" …]
        [--minutes N] [--models DIR] [--table]

An installation of its own indexes commits, writes wikis, searches and answers, while
faults are injected one after the other in an order that the seed decides. Each is
timed from its end until pages, /health and a search answer and all processes run again.
At the end all jobs that were accepted must have ended, `devrag doctor` must find
nothing, and files, chunks, vectors and keyword results must be those of an
installation that was never disturbed. A quarter of the faults hits a second one, whose
database and broker are reached through a network that fails. As root, its disk can be
filled. --minutes: how long faults are injected into each, at most.

Exit code 1: something was lost or did not recover. --table prints Markdown instead.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.fault_injection.contents import Contents, read_contents
from benchmarks.fault_injection.faults import FAULTS, Fault
from benchmarks.fault_injection.ground import PROCESSES, Ground
from benchmarks.fault_injection.load import (
    MARK,
    PRODUCT,
    SOURCE,
    Load,
    Repository,
)

_LONGEST_SECONDS, _POLL_SECONDS = 300.0, 0.1
_FINAL_SECONDS = 600.0
_NETWORKED = 4
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = '--faults 2 --only "kill -9 worker" "database cut"'
_LEFT_OUT = {
    "clock jumps": "the clock of one machine cannot be set for one program alone",
    "power loss": "what the kernel had not written; PostgreSQL's own tests cover it",
}


@dataclass
class Outcome:
    """What one installation went through. seconds: by fault."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    hung: list[str] = field(default_factory=list)
    answers: dict[str, Counter[str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    jobs: Counter[str] = field(default_factory=Counter)
    lost_jobs: list[str] = field(default_factory=list)
    doctor: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    compared: dict[str, int] = field(default_factory=dict)

    @property
    def is_good(self) -> bool:
        """Return whether nothing was lost, wrong or left broken."""
        bad = (self.hung, self.wrong, self.lost_jobs, self.doctor, self.differences)
        return not any(bad)


def main() -> None:
    options = _options()
    began = time.monotonic()
    outcomes = {}
    for name, is_networked in (("embedded", False), ("networked", True)):
        names = _schedule(options, is_networked=is_networked)
        if names:
            outcomes[name] = _run(options, names, is_networked=is_networked)
    report = {
        "seed": options.seed,
        "faults": sum(map(len, _times(outcomes).values())),
        "minutes": round((time.monotonic() - began) / 60, 1),
        "load_average": [round(each, 1) for each in os.getloadavg()],
        "recovered": _spread(outcomes),
        "left_out": _left_out(),
        **{name: _describe(outcome) for name, outcome in outcomes.items()},
    }
    print(_table(report) if options.table else json.dumps(report, indent=2))
    sys.exit(not all(outcome.is_good for outcome in outcomes.values()))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=int, default=40)
    parser.add_argument("--only", nargs="+", choices=FAULTS, default=list(FAULTS))
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--models", type=Path)
    parser.add_argument("--table", action="store_true")
    return parser.parse_args()


def _schedule(options: argparse.Namespace, *, is_networked: bool) -> list[str]:
    """Return the faults of an installation, each as often as the others."""
    chosen = random.Random(f"{options.seed}/{is_networked}")
    possible = [
        name
        for name in options.only
        if FAULTS[name].is_networked in (None, is_networked) and _is_possible(name)
    ]
    own = [name for name in options.only if FAULTS[name].is_networked]
    share = min(options.faults, max(options.faults // _NETWORKED, len(own)))
    if not own:
        share = 0
    count = share if is_networked else options.faults - share
    if is_networked:  # what only this one can suffer comes most
        possible += own * 2
    names: list[str] = []
    while possible and len(names) < count:
        chosen.shuffle(possible)
        names += possible
    return names[:count]


def _is_possible(name: str) -> bool:
    return os.geteuid() == 0 or not FAULTS[name].needs_disk


def _left_out() -> dict[str, str]:
    denied = [name for name in FAULTS if not _is_possible(name)]
    return {**_LEFT_OUT, **dict.fromkeys(denied, "needs root")}


def _run(
    options: argparse.Namespace, names: Sequence[str], *, is_networked: bool
) -> Outcome:
    outcome = Outcome()
    chosen = random.Random(f"{options.seed}/{is_networked}/moments")
    with tempfile.TemporaryDirectory(prefix="devrag-chaos-works-") as folder:
        Path(folder).chmod(0o711)
        repository = Repository(Path(folder) / "works", options.seed)
        ground = Ground(is_networked=is_networked, models=options.models)
        try:
            ground.start()
            load = Load(ground, repository)
            load.begin()
            until = time.monotonic() + 60 * options.minutes
            for number, name in enumerate(names, 1):
                if time.monotonic() > until:
                    break
                _say(f"{number}/{len(names)} {name}")
                _suffer(ground, load, FAULTS[name], name, chosen, outcome)
            load.end()
            found = _finish(ground, load, outcome)
        finally:
            ground.end()
        expected = _undisturbed(options, repository)
        outcome.differences = found.differences(expected)
        outcome.compared = expected.counts()
    return outcome


def _suffer(
    ground: Ground,
    load: Load,
    fault: Fault,
    name: str,
    chosen: random.Random,
    outcome: Outcome,
) -> None:
    """Inject a fault at some moment, end it, and time until all is well."""
    time.sleep(chosen.uniform(0, 1.5))
    before = ground.pids()
    end = fault.begin(ground, chosen)
    time.sleep(chosen.uniform(*fault.seconds))
    end()
    began = time.monotonic()
    replaced = name.rpartition(" ")[2] if name.startswith(("kill", "SIGTERM")) else ""
    former = before.get(replaced, 0) if "child" not in name else 0
    while not _is_well(ground, load, former):
        if time.monotonic() - began > _LONGEST_SECONDS:
            outcome.hung.append(f"{name}: {_why(ground)}")
            return
        time.sleep(_POLL_SECONDS)
    outcome.seconds.setdefault(name, []).append(time.monotonic() - began)
    _say(f"    recovered after {outcome.seconds[name][-1]:.1f} s")


def _is_well(ground: Ground, load: Load, former: int) -> bool:
    pids = ground.pids()
    return (
        set(pids) == set(PROCESSES)
        and former not in pids.values()
        and ground.supervisor() is not None
        and ground.send("/ready")[0] == 200
        and ground.send("/health")[0] == 200
        and load.finds(MARK, "landmark.py")
    )


def _why(ground: Ground) -> str:
    missing = sorted(set(PROCESSES) - set(ground.pids()))
    health = ground.send("/health")
    return f"not running: {missing}, /health: {health}"


def _finish(ground: Ground, load: Load, outcome: Outcome) -> Contents:
    """Index the last version, write its wiki anew, and read everything."""
    record = load.record
    load.accept("/sources/index", {"sourceName": SOURCE})
    _wait_for_vectors(ground)
    wiki = {"productName": PRODUCT, "isForced": True, "isRedesigned": True}
    load.accept("/products/wiki", wiki)
    outcome.answers, outcome.wrong = record.answers, record.wrong
    outcome.jobs = Counter(end.partition(":")[0] for end in record.jobs.values())
    good = ("completed", "skipped")
    outcome.lost_jobs = [end for end in record.jobs.values() if end not in good]
    outcome.doctor = _doctor(ground)
    return read_contents(ground)


def _doctor(ground: Ground) -> list[str]:
    command = ground.begin("doctor", "--json")
    output, _ = command.communicate()
    return [
        f"{each['name']}: {each['detail']}"
        for each in json.loads(output)
        if each["state"] == "broken"
    ]


def _wait_for_vectors(ground: Ground) -> None:
    deadline = time.monotonic() + _FINAL_SECONDS
    while True:
        status, jobs = ground.send("/api/v1/jobs?status=running")
        waiting = ground.send("/api/v1/jobs?status=pending")[1]
        if status == 200 and not jobs and not waiting:
            return
        assert time.monotonic() < deadline, (jobs, waiting)
        time.sleep(0.5)


def _undisturbed(options: argparse.Namespace, repository: Repository) -> Contents:
    """Return what an installation holds to which nothing happened."""
    _say("an undisturbed installation, for comparison")
    ground = Ground(is_networked=False, models=options.models)
    try:
        ground.start()
        load = Load(ground, repository)
        load.index()
        return _finish(ground, load, Outcome())
    finally:
        ground.end()


def _times(outcomes: dict[str, Outcome]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for outcome in outcomes.values():
        for name, seconds in outcome.seconds.items():
            found.setdefault(name, []).extend(seconds)
    return found


def _spread(outcomes: dict[str, Outcome]) -> dict[str, dict[str, float]]:
    return {
        name: {
            "times": len(seconds),
            "p50_seconds": round(statistics.median(seconds), 1),
            "max_seconds": round(max(seconds), 1),
        }
        for name, seconds in sorted(_times(outcomes).items())
    }


def _describe(outcome: Outcome) -> dict[str, Any]:
    return {
        "good": outcome.is_good,
        "hung": outcome.hung,
        "wrong_answers": outcome.wrong,
        "jobs": outcome.jobs,
        "lost_jobs": outcome.lost_jobs,
        "doctor": outcome.doctor,
        "differences": outcome.differences,
        "compared": outcome.compared,
        "statuses": {kind: dict(seen) for kind, seen in outcome.answers.items()},
    }


def _table(report: dict[str, Any]) -> str:
    rows = [
        f"| {name} | {row['times']} | {row['p50_seconds']} | {row['max_seconds']} |"
        for name, row in report["recovered"].items()
    ]
    head = ["| fault | times | median (s) | longest (s) |", "|---|---|---|---|"]
    return "\n".join([*head, *rows])


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


if __name__ == "__main__":
    main()
