"""Measure how long commands take from their start to their end; prints one JSON object.

    python benchmarks/cold_start.py [--times 7] [--home DIR]

`--help` needs nothing; `search` asks the database of what runs (DEVRAG_HOME
or --home), `search_elsewhere` asks its server over REST with a token made for it.
cpu_ms: what the command itself worked, which other load does not change.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
_MANAGE = (sys.executable, str(ROOT / "manage.py"))
_WORDS = ("search", "where is the token checked", "--mode", "keyword")
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "--times 1"


def main() -> None:
    options = _options()
    if options.home:
        os.environ["DEVRAG_HOME"] = str(options.home)
    url = json.loads(_output("server", "status", "--json"))["url"]
    token = json.loads(_output("token", "create", "benchmark", "--json"))
    elsewhere = {"DEVRAG_URL": url, "DEVRAG_API_TOKEN": token["token"]}
    try:
        report = {
            "help": _measure(("--help",), options.times),
            "search_help": _measure(("search", "--help"), options.times),
            "search": _measure(_WORDS, options.times),
            "search_elsewhere": _measure(_WORDS, options.times, elsewhere),
        }
    finally:
        _output("token", "revoke", token["prefix"])
    print(json.dumps(report, indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=7)
    parser.add_argument("--home", type=Path)
    return parser.parse_args()


def _output(*words: str) -> str:
    done = subprocess.run([*_MANAGE, *words], check=True, capture_output=True)
    return done.stdout.decode()


def _measure(
    words: Sequence[str], times: int, env: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return the middle and the slowest of some runs, in milliseconds."""
    whole, worked = [], []
    for _ in range(times):
        before, began = _cpu_seconds(), time.perf_counter()
        subprocess.run(
            [*_MANAGE, *words],
            check=True,
            capture_output=True,
            env={**os.environ, **(env or {})},
        )
        whole.append((time.perf_counter() - began) * 1000)
        worked.append((_cpu_seconds() - before) * 1000)
    return {
        "p50_ms": round(statistics.median(whole)),
        "max_ms": round(max(whole)),
        "cpu_ms": round(statistics.median(worked)),
    }


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
