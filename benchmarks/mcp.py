"""Measure the round trip of an agent's search; prints one JSON object.

    python benchmarks/mcp.py [--questions 200] [--home DIR]

Of a running installation (DEVRAG_HOME or --home, `devrag server start`), with names and
words of its own definitions as questions. `stdio`: `manage.py mcp`, one client that
waits for each answer; `http`: POSTs to /mcp over one connection. `cold_ms`: from the
start of `manage.py mcp` to the answer of its first search, handshake included.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[0] = str(ROOT)  # this file is not the SDK

from benchmarks.mcp_door import Door, message  # noqa: E402

_COLD_STARTS = 5
_CLIENT = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}
Ask = Callable[[str], Any]
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "--questions 2"


def main() -> None:
    options = _options()
    if options.home:
        os.environ["DEVRAG_HOME"] = str(options.home)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
    import django

    django.setup()
    questions = _questions(options.questions)
    with _client() as client:
        over_stdio = _measure(_over_stdio(client), questions)
    report = {
        "questions": len(questions),
        "cold_ms": _summary([_cold_start(q) for q in questions[:_COLD_STARTS]]),
        "stdio_ms": over_stdio,
        "http_ms": _measure(_over_http(), questions),
    }
    print(json.dumps(report, indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--home", type=Path)
    return parser.parse_args()


def _questions(count: int) -> list[str]:
    """Return beginnings of docstrings, which nobody asked before in this process."""
    from devrag.navigation.symbol_search import current_symbols

    rows = current_symbols().exclude(docstring="").order_by("pk")
    texts = sorted({" ".join(row.split()[:8]) for row in _docstrings(rows)})
    return random.Random(7).sample(texts, min(count, len(texts)))


def _docstrings(rows: Any) -> Sequence[str]:
    return list(rows.values_list("docstring", flat=True)[:20_000])


def _client() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def _over_stdio(client: subprocess.Popen[bytes]) -> Ask:
    _say(client, message("initialize", _CLIENT))

    def ask(question: str) -> Any:
        return _say(client, _search(question))

    return ask


def _say(client: subprocess.Popen[bytes], message: bytes) -> Any:
    assert client.stdin
    assert client.stdout
    client.stdin.write(message + b"\n")
    client.stdin.flush()
    return json.loads(client.stdout.readline())


def _over_http() -> Ask:
    door = Door()
    return lambda question: door.post(_search(question))


def _search(question: str) -> bytes:
    arguments = {"query": question}
    return message("tools/call", {"name": "search", "arguments": arguments})


def _cold_start(question: str) -> float:
    began = time.perf_counter()
    with _client() as client:
        _over_stdio(client)(question)
        seconds = time.perf_counter() - began
    return seconds * 1000


def _measure(ask: Ask, questions: Sequence[str]) -> dict[str, float]:
    ask(questions[0])
    return _summary([_milliseconds(ask, question) for question in questions])


def _milliseconds(ask: Ask, question: str) -> float:
    began = time.perf_counter()
    answer = ask(question)
    spent = (time.perf_counter() - began) * 1000
    assert answer["result"]["structuredContent"]["results"], question
    return spent


def _summary(times: Sequence[float]) -> dict[str, float]:
    cuts = statistics.quantiles(times, n=20)
    return {"p50": round(statistics.median(times), 1), "p95": round(cuts[18], 1)}


if __name__ == "__main__":
    main()
