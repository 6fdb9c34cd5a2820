"""Measure indexing on an installation of its own; prints one JSON object.

    python benchmarks/indexing.py [--lines 1000000] [--workers 1 2] [--corpus DIR]

For each number of workers: a first index of the corpus to keyword-searchable, then a
run without changes, commits of one file and of 1 % of the files. Seconds count from the
request to the moment the keyword index holds the activation. Memory is sampled over all
processes: `pss` shares pages fairly, `rss` counts shared memory once per process.
Bars: 20,000 lines/s with 2 workers, one file < 2 s, < 2 GB.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import corpus
from devrag.runtime.layout import Home
from devrag.runtime.postgres import EmbeddedPostgres
from devrag.runtime.valkey import EmbeddedValkey

_ROOT = Path(__file__).parent.parent
_TIMEOUT_SECONDS = 1800.0
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "--workers 1 --corpus {corpus}"


def main() -> None:
    """Build the corpus, measure each number of workers, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--corpus", type=Path, help="folder to build or reuse")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="devrag-bench-") as scratch:
        folder = options.corpus or Path(scratch) / "corpus"
        if options.one:
            print(json.dumps(measure(folder, options.one)))
            return
        if not (folder / ".git").exists():
            corpus.build(folder, options.lines)
        figures = {}
        for workers in options.workers:
            figures[f"{workers} workers"] = _in_a_process(folder, workers)
        print(json.dumps(figures, indent=2))


def _in_a_process(folder: Path, workers: int) -> Any:
    """Measure in a fresh interpreter: settings are read once per process."""
    with tempfile.TemporaryDirectory(prefix="devrag-bench-home-") as home:
        environment = os.environ | {
            "DEVRAG_HOME": home,
            "DEVRAG_PORT": str(18_000 + os.getpid() % 1000),
            "INDEX_WORKERS": str(workers),
            "DJANGO_SETTINGS_MODULE": "devrag.settings",
        }
        manage = [sys.executable, str(_ROOT / "manage.py"), "server"]
        subprocess.run([*manage, "start"], env=environment, check=True, stdout=2)
        try:
            done = subprocess.run(
                [sys.executable, __file__, "--corpus", folder, "--one", str(workers)],
                env=environment,
                check=True,
                stdout=subprocess.PIPE,
            )
        finally:
            subprocess.run([*manage, "stop"], env=environment, check=True, stdout=2)
        return json.loads(done.stdout)


def measure(folder: Path, workers: int) -> dict[str, Any]:
    """Index the corpus and its commits on the running installation."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    # Vectors fill in behind and would take a core from what is measured here.
    call_command("embeddings", "pause", stdout=sys.stderr)
    figures: dict[str, Any] = {"workers": workers, "cores": os.cpu_count()}
    with _memory(figures):
        figures["first"] = index(folder)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        size = cursor.fetchone()[0]
    lines = figures["first"]["lines"]
    figures["lines_per_second"] = round(lines / figures["first"]["seconds"])
    figures["database_bytes_per_1000_lines"] = round(size / lines * 1000)
    figures["no_change"] = index(folder)
    for name, share in (("one_file", 0.0), ("one_percent", 0.01)):
        figures[name] = index(folder, change=share)
    return figures


def index(folder: Path, change: float | None = None) -> dict[str, Any]:
    """Index once, after a commit of a share of the files when asked."""
    from devrag.core.principal import SYSTEM
    from devrag.use_cases.add_repository import add_repository

    if change is not None:
        _touch(folder, change)
    began = time.perf_counter()
    job = add_repository(
        principal=SYSTEM,
        location=str(folder),
        product_name="bench",
        is_wiki_wanted=False,
        is_local_user=True,
    )
    seconds = _wait(job, began)
    keys = ("added", "modified", "unchanged", "chunks", "lines")
    phases = job.report["seconds"]
    searchable = _wait_for_follower(began)
    return {
        "seconds": round(searchable, 3),
        "job_seconds": round(seconds, 3),
        "phases": phases,
        **{key: job.report.get(key, 0) for key in keys},
    }


def _wait(job: Any, began: float) -> float:
    while job.is_open:
        time.sleep(0.02)
        job.refresh_from_db()
        if time.perf_counter() - began > _TIMEOUT_SECONDS:
            raise SystemExit("The job does not end.")
    if job.state != "completed":
        raise SystemExit(f"{job.state}: {job.error}")
    return time.perf_counter() - began


def _wait_for_follower(began: float) -> float:
    from django.conf import settings

    from devrag.search.lexical.follower import wanted_sequences
    from devrag.search.lexical.store import read_generation

    wanted = wanted_sequences()
    while time.perf_counter() - began < _TIMEOUT_SECONDS:
        generation = read_generation(settings.LEXICAL_DIR)
        if generation and generation.sequences == wanted:
            return time.perf_counter() - began
        time.sleep(0.02)
    raise SystemExit("The keyword index does not catch up.")


def _touch(folder: Path, share: float) -> None:
    """Add a line to files spread over the corpus, and commit."""
    paths = sorted(path for path in folder.glob("src/**/*.py") if path.is_file())
    count = max(1, int(len(list(folder.glob("src/**/*.*"))) * share))
    step = max(1, len(paths) // count)
    for path in paths[::step][:count]:
        with path.open("ab") as stream:
            stream.write(f"# {time.time_ns()}\n".encode())
    corpus.commit(folder, f"{count} files")


@contextmanager
def _memory(figures: dict[str, Any]) -> Iterator[None]:
    """Sample memory over all processes of the installation; keep the peaks."""
    peaks = {"pss": 0, "rss": 0}
    done = threading.Event()

    def sample() -> None:
        while not done.wait(0.5):
            for key, total in zip(peaks, _totals(), strict=True):
                peaks[key] = max(peaks[key], total)

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        for key, peak in peaks.items():
            figures[f"peak_{key}_mb"] = round(peak / 1e6)


def _totals() -> tuple[int, int]:
    """Return (proportional, resident) bytes of all processes of the installation."""
    pss = rss = 0
    for process in _processes():
        try:
            memory = process.memory_full_info()
        except psutil.Error:
            continue
        pss, rss = pss + memory.pss, rss + memory.rss
    return pss, rss


def _processes() -> Iterator[psutil.Process]:
    """Yield ours: by DEVRAG_HOME, and the servers, which have a bare environment."""
    home = Home(Path(os.environ["DEVRAG_HOME"]))
    servers = {EmbeddedPostgres(home).pid, EmbeddedValkey(home).pid} - {None}
    for process in psutil.process_iter():
        try:
            is_server = bool({process.pid, process.ppid()} & servers)
            if is_server or _has_home(process, str(home.root)):
                yield process
        except psutil.Error:
            continue


def _has_home(process: psutil.Process, home: str) -> bool:
    if process.pid == os.getpid():
        return False
    return process.environ().get("DEVRAG_HOME") == home


if __name__ == "__main__":
    main()
