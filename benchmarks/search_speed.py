"""Measure search() in process on an installation of its own; prints one JSON object.

    python benchmarks/search_speed.py [--chunks 300000] [--sources 5 100] [--home DIR]

For each number of sources: each mode over one source, 20 (a product) and all, then
filters over all. Real questions of the corpus's own words and names, one client; each
is asked in several rounds and its fastest counts, so that a busy machine disturbs less;
`cpu_ms` is the processor time of a question here and in its PostgreSQL backend. Stages
that a question passes twice are summed; `rest` is fusion and what joins the stages,
and waiting for `lexical`, which runs beside `semantic`. `new_question_ms`:
the first time in a process, the model embeds a question. `throughput`: 8 clients in
threads. `while embedding`: with the local model at work on all cores in a process of
its own. Bars: p50 ≤ 20 ms, p95 ≤ 60 ms. --home keeps the data, a folder for each number
of sources; --chunks 1000000 needs 12 GB and a while.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import structlog

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.search_data import SHARES, Layout, installation
from devrag.llm.local.embedder import LocalEmbedder

_MODES = ("hybrid", "keyword", "semantic")
_FILTERS: dict[str, dict[str, Any]] = {
    "language=python": {"language": "python"},
    "language=perl": {"language": "perl"},
    "kind=doc": {"kind": "doc"},
    "kind=class": {"kind": "class"},
    "min_complexity=20": {"min_complexity": 20},
    "mime=text/markdown": {"mime": "text/markdown"},
    **{f"path={top}": {"path_prefix": top} for top in SHARES},
}
_JAPANESE = ("設定ファイルを読み込む関数", "接続がタイムアウトしたときの処理")
_BESIDE = "lexical"
# As the server starts its workers.
_NICENESS = 10
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = (
    "--chunks 200 --sources 2 --questions 6 --rounds 1 --seconds 0.2"
    " --corpus {corpus} --models-dir {models}"
)


def main() -> None:
    """Measure each number of sources in a process of its own, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=300_000)
    parser.add_argument("--sources", type=int, nargs="+", default=[5, 100])
    parser.add_argument("--home", type=Path, help="folder to build or reuse")
    parser.add_argument("--corpus", type=Path, help="folder to build or reuse")
    parser.add_argument("--models-dir", type=Path, help="where the model is built")
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10.0, help="of throughput")
    options = parser.parse_args()
    if len(options.sources) == 1:
        print(json.dumps(_measure_layout(options), indent=2))
        return
    figures = {}
    for count in options.sources:
        argv = [sys.executable, *sys.argv, "--sources", str(count)]
        done = subprocess.run(argv, check=True, stdout=subprocess.PIPE)
        figures[f"{count} sources"] = json.loads(done.stdout)
    print(json.dumps(figures, indent=2))


def _measure_layout(options: argparse.Namespace) -> dict[str, Any]:
    (count,) = options.sources
    layout = Layout(options.chunks, count, options.corpus, options.models_dir)
    home = options.home and options.home / f"{options.chunks}-{count}"
    with installation(layout, home):
        questions = list(questions_of_corpus(options.questions))
        return {
            "chunks": options.chunks,
            "load_average_before": os.getloadavg()[0],
            **_measure(questions, options.rounds, options.seconds),
        }


def questions_of_corpus(count: int) -> Iterator[str]:
    """Yield names of symbols, words of comments, and a few in Japanese."""
    from devrag.sources.models import Chunk, Symbol

    chosen = random.Random(11)
    names = sorted(set(Symbol.objects.values_list("name", flat=True)[:50_000]))
    ids = Chunk.objects.values_list("pk", flat=True)
    texts = Chunk.objects.filter(pk__in=chosen.sample(list(ids), 5 * count))
    lines = [
        match[0]
        for text in texts.values_list("text", flat=True)
        for match in [re.search(r"[a-z]{2,12}( [a-z]{2,12}){3,8}", text)]
        if match
    ]
    yield from chosen.sample(names, count // 2)
    yield from chosen.sample(lines, min(len(lines), count - count // 2 - 2))
    yield from _JAPANESE


def _measure(questions: list[str], rounds: int, seconds: float) -> dict[str, Any]:
    from devrag.search.service import warm_up

    warm_up()
    figures: dict[str, Any] = {"new_question_ms": _measure_new(questions)}
    for scope, where in _scopes().items():
        for mode in _MODES:
            asked = Asked({"mode": mode, **where}, questions, rounds)
            figures[f"{mode}, {scope}"] = asked.figures()
    for name, options in _FILTERS.items():
        figures[f"hybrid, {name}"] = Asked(options, questions, rounds).figures()
    figures["REST"] = _measure_rest(questions)
    for scope, where in _scopes().items():
        figures[f"throughput, {scope}"] = throughput(questions, seconds, [where] * 8)
    with _embedding():
        asked = Asked({}, questions, rounds)
        figures["hybrid, all, while embedding"] = asked.figures()
    return figures


@contextmanager
def _embedding() -> Iterator[None]:
    """Embed texts of the corpus without end, beside what is measured."""
    from django.conf import settings

    from devrag.sources.models import Chunk

    texts = list(Chunk.objects.values_list("text", flat=True)[:500])
    processes = get_context("spawn")
    has_begun = processes.Event()
    other = processes.Process(
        target=_embed, args=(settings.MODELS_DIR, texts, has_begun), daemon=True
    )
    other.start()
    has_begun.wait()
    try:
        yield
    finally:
        other.terminate()
        other.join()


def _embed(models_dir: Path, texts: list[str], has_begun: Event) -> None:
    os.nice(_NICENESS)
    # Standard output is for figures.
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    embedder = LocalEmbedder(models_dir=models_dir)
    while True:
        embedder.embed_documents(texts)
        has_begun.set()


def _scopes() -> dict[str, dict[str, Any]]:
    from devrag.products.models import Product
    from devrag.sources.models import Source

    source = Source.objects.order_by("name")[0]
    scopes: dict[str, dict[str, Any]] = {"1 source": {"source": source.name}}
    if Product.objects.count() > 1:
        count = Source.objects.filter(product=source.product).count()
        scopes[f"{count} sources"] = {"product": source.product.name}
    return {**scopes, "all": {}}


def _ask(question: str, options: dict[str, Any]) -> int:
    from devrag.core.principal import SYSTEM
    from devrag.search.service import search
    from devrag.search.types import SearchQuery

    result = search(SearchQuery(text=question, **{"principal": SYSTEM, **options}))
    return len(result.hits)


def _measure_new(questions: list[str]) -> dict[str, float]:
    """Time the model alone, which the cache of vectors saves all later rounds."""
    from devrag.search.semantic.retriever import query_vector
    from devrag.search.semantic.specs import ensure_active_spec

    spec = ensure_active_spec()
    times = []
    for question in questions:
        began = time.perf_counter()
        query_vector(spec, question)
        times.append((time.perf_counter() - began) * 1000)
    return percentiles(times)


def _measure_rest(questions: list[str]) -> dict[str, float]:
    """Time POST /api/v1/search from the request to its answer, without a socket."""
    from django.test import Client

    from devrag.access.services import create_token

    _, secret = create_token(name="benchmark", scopes=("read",))
    headers = {"Authorization": f"Bearer {secret}", "Host": "localhost"}
    client = Client(headers=headers)
    times = []
    for question in questions:
        began = time.perf_counter()
        body = {"query": question}
        answer = client.post("/api/v1/search", body, content_type="application/json")
        times.append((time.perf_counter() - began) * 1000)
        assert answer.status_code == 200, answer.content
    return percentiles(times)


class Asked:
    """The questions, asked one after the other in rounds with the same options."""

    def __init__(self, options: dict[str, Any], questions: list[str], rounds: int):
        self._options = options
        self._best: dict[str, list[float]] = defaultdict(list)
        self._hits = 0
        backend = _backend()
        began = _processor_seconds(backend)
        for question in questions:
            runs = [self._time(question) for _ in range(rounds)]
            for stage in runs[0]:
                self._best[stage].append(min(run.get(stage, 0.0) for run in runs))
        busy = _processor_seconds(backend) - began
        self._cpu = busy * 1000 / rounds / len(questions)

    def _time(self, question: str) -> dict[str, float]:
        with stages() as spent:
            began = time.perf_counter()
            self._hits += _ask(question, self._options)
            total = (time.perf_counter() - began) * 1000
        spent["rest"] = total - sum(spent.values()) + spent[_BESIDE]
        return {"total": total, **spent}

    def figures(self) -> dict[str, Any]:
        """Return percentiles of everything and by stage, in milliseconds."""
        return {
            **percentiles(self._best.pop("total")),
            "cpu_ms": round(self._cpu, 1),
            "hits": self._hits,
            "stages": {name: percentiles(best) for name, best in self._best.items()},
        }


@contextmanager
def stages() -> Iterator[dict[str, float]]:
    """Time the stages of search() by wrapping what the service calls."""
    from devrag.search import pipeline as ordering
    from devrag.search import retrievers, service
    from devrag.search.lexical.reader import LexicalReader
    from devrag.search.semantic import query
    from devrag.search.semantic import retriever as ask

    places: list[tuple[Any, str, str]] = [
        (service, "sources_in_scope", "scope"),
        (LexicalReader, "search", _BESIDE),
        (ask, "query_vector", "vector"),
        (ask, "plan_nearest", "count"),
        (query, "_ask", "semantic"),
        (ordering, "find_definitions", "definitions"),
        (ordering, "locate", "locate"),
        (ordering, "rank", "rank"),
        (ordering, "hydrate", "hydrate"),
        (retrievers, "wanted_sequences", "behind"),
    ]
    spent = dict.fromkeys((stage for *_, stage in places), 0.0)
    real = [getattr(place, name) for place, name, _ in places]
    for (place, name, stage), function in zip(places, real, strict=True):
        setattr(place, name, _timed(function, stage, spent))
    try:
        yield spent
    finally:
        for (place, name, _), function in zip(places, real, strict=True):
            setattr(place, name, function)


def _timed(
    function: Callable[..., Any], stage: str, spent: dict[str, float]
) -> Callable[..., Any]:
    def call(*args: Any, **options: Any) -> Any:
        began = time.perf_counter()
        try:
            return function(*args, **options)
        finally:
            spent[stage] += (time.perf_counter() - began) * 1000

    return call


def _backend() -> psutil.Process:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return psutil.Process(cursor.fetchone()[0])


def _processor_seconds(backend: psutil.Process) -> float:
    there = backend.cpu_times()
    return time.process_time() + there.user + there.system


def throughput(
    questions: list[str], seconds: float, clients: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """Ask from threads for a while, each with a connection. clients: their options.

    `too_late`: how many questions met the time limit of a search.
    """
    from django.db import connection

    from devrag.core.time_limit import TimeLimitExceeded

    times: list[float] = []
    too_late: list[int] = []
    end = time.perf_counter() + seconds
    lock = threading.Lock()

    def ask(client: int) -> None:
        own = []
        order = random.Random(client)
        while time.perf_counter() < end:
            began = time.perf_counter()
            try:
                _ask(order.choice(questions), clients[client])
            except TimeLimitExceeded:
                too_late.append(client)
            own.append((time.perf_counter() - began) * 1000)
        connection.close()
        with lock:
            times.extend(own)

    with ThreadPoolExecutor(len(clients)) as pool:
        list(pool.map(ask, range(len(clients))))
    per_second = round(len(times) / seconds, 1)
    return {
        "clients": len(clients),
        "questions_per_second": per_second,
        "too_late": len(too_late),
        **percentiles(times),
    }


def percentiles(times: list[float]) -> dict[str, float]:
    """Return p50 and p95."""
    p50, p95 = np.percentile(times, [50, 95])
    return {"p50_ms": round(float(p50), 2), "p95_ms": round(float(p95), 2)}


if __name__ == "__main__":
    main()
