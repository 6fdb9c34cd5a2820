"""Measure wikis and trackers as sources, on loopback; prints one JSON object.

    python benchmarks/page_sources.py
        [--kinds confluence redmine github gitlab notion]
        [--pages 10000] [--words 250] [--fetch-only] [--kill]

The server is a process of its own and follows the published REST schema: of Confluence
50 pages with bodies in an answer, 200 without; of Redmine 100 issues, and one with its
notes; of GitHub 100 of everything; of GitLab 100 tickets, and the notes of one; of
Notion 100 pages without text, and blocks of one (its own limit, 3 requests a second, is
not kept to here). `fetch`: pages or tickets into the mirror, then a run without
changes, one with 1 % of them edited, and one a day later, which lists all. `index`: the
first index run through all phases, in one process, on a database of its own. `kill`:
processes that read are killed at moments by chance until one ends; how many requests
all took, and what is missing. Requests are counted by the server. `cpu_seconds` tell
what a busy machine hides: of all our processes, PostgreSQL among them, in `index`.
Bars: 50 pages/s for the first index of 10,000 pages, and for reading 20,000 tickets; at
most 1 % of the first run's requests for one without changes; nothing missing.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.page_servers import TOKENS, running_server, serve, tell
from devrag.runtime.temporary import temporary_services

# How many items the bars are for.
_COUNTS = dict.fromkeys(TOKENS, 20_000) | {"confluence": 10_000, "notion": 10_000}
# Arguments with which the test suite runs this; it needs no server of ours: {corpus}.
SMALLEST = "--pages 120 --words 20 --kill --near {corpus}"


def main() -> None:
    """Serve wikis and trackers, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", nargs="+", choices=TOKENS, default=[*TOKENS])
    parser.add_argument("--pages", type=int, help="or issues; default: of the bar")
    parser.add_argument("--words", type=int, default=250, help="words of a page")
    parser.add_argument("--fetch-only", action="store_true")
    parser.add_argument("--kill", action="store_true", help="kill while it reads, too")
    parser.add_argument("--near", help="where it runs; any folder")
    parser.add_argument("--serve", choices=TOKENS, help=argparse.SUPPRESS)
    parser.add_argument("--read", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve, options.pages, options.words)
        return
    if options.read:
        _read_only(*options.read)
        return
    with tempfile.TemporaryDirectory(prefix="devrag-pages-") as name:
        folder = Path(name)
        folder.chmod(0o711)  # PostgreSQL runs as another user when we are root
        with _installation(folder):
            import django

            django.setup()
            _allow_loopback()
            figures: dict[str, Any] = {"cores": os.cpu_count()}
            for kind in options.kinds:
                figures[kind] = measure(kind, folder / kind, options)
            print(json.dumps(figures, indent=2))


def measure(kind: str, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Measure one kind of source."""
    pages = options.pages or _COUNTS[kind]
    figures: dict[str, Any] = {"pages": pages}
    with running_server(kind, pages, options.words) as url:
        figures["fetch"] = measure_fetch(kind, url, folder / "fetched", pages)
        if options.kill:
            figures["kill"] = measure_kill(kind, url, folder)
        if not options.fetch_only:
            figures["index"] = measure_index(kind, url, pages)
    return figures


def measure_fetch(kind: str, url: str, folder: Path, pages: int) -> dict[str, Any]:
    """Read the source into a mirror, then again in the ways that runs differ."""
    figures: dict[str, Any] = {}
    for run, change in (
        ("first", ""),
        ("no_change", "later?hours=1"),
        ("one_percent", "edit"),
        ("a_day_later", "later?hours=25"),
    ):
        tell(url, change or "forget")
        connector = _open(kind, url, folder)
        with contextlib.closing(connector):
            began, used = time.perf_counter(), time.process_time()
            connector.resolve()
            seconds = time.perf_counter() - began
        figures[run] = {"seconds": round(seconds, 2), "requests": tell(url, "count")}
        figures[run]["cpu_seconds"] = round(time.process_time() - used, 2)
    first = figures["first"]
    first["pages_per_second"] = round(pages / first["seconds"])
    share = figures["no_change"]["requests"] / first["requests"]
    figures["no_change_share_of_requests"] = round(share, 4)
    return figures


def measure_kill(kind: str, url: str, folder: Path) -> dict[str, Any]:
    """Kill a reading process again and again; compare what the last one has."""
    seconds = _read_once(kind, url, folder / "whole", None)
    requests = tell(url, "count")
    kills, allowed = 0, seconds
    while _read_once(kind, url, folder / "killed", random.uniform(0.1, 0.5) * allowed):
        kills += 1
        allowed = min(allowed * 1.1, seconds * 5)  # a busy machine must end, too
    return {
        "kills": kills,
        "requests": tell(url, "count"),
        "requests_without_kills": requests,
        "missing": len(_listed(kind, url, folder / "whole"))
        - len(_listed(kind, url, folder / "killed")),
    }


def _read_once(kind: str, url: str, folder: Path, most: float | None) -> float:
    """Read in a process; return how long it took, or 0 where it was left to end.

    most: after this many seconds it is killed. Its start does not count.
    """
    command = [sys.executable, __file__, "--read", kind, url, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        began = time.perf_counter()
        try:
            process.wait(most)
        except subprocess.TimeoutExpired:
            process.kill()
            return time.perf_counter() - began
    return 0.0 if most else time.perf_counter() - began


def _read_only(kind: str, url: str, folder: str) -> None:
    import django

    django.setup()
    with contextlib.closing(_open(kind, url, Path(folder))) as connector:
        print("reading", flush=True)
        connector.resolve()


def _listed(kind: str, url: str, folder: Path) -> list[Any]:
    with contextlib.closing(_open(kind, url, folder)) as connector:
        return list(connector.list(connector.resolve()))


def _open(kind: str, url: str, folder: Path) -> Any:
    from devrag.sources.connectors import ConnectorContext, Credentials, open_connector
    from devrag.sources.hosts import AddressRules

    rules = AddressRules(allow_http=True, allow_loopback=True)
    credentials = Credentials("", TOKENS[kind])
    context = ConnectorContext(folder, rules, credentials=credentials)
    return open_connector(kind, {"url": url}, context)


def measure_index(kind: str, url: str, pages: int) -> dict[str, Any]:
    """Index the source from the request to the activation, in this process."""
    from django.core.management import call_command

    from devrag.core.principal import SYSTEM
    from devrag.sources.connectors.types import Credentials
    from devrag.sources.models import Source
    from devrag.use_cases.add_repository import add_repository
    from devrag.use_cases.index import request_index

    call_command("migrate", verbosity=0)
    job = add_repository(
        principal=SYSTEM,
        location=url,
        product_name="bench",
        source_name=kind,
        source_type=kind,
        credentials=Credentials("", TOKENS[kind]),
        is_wiki_wanted=False,
    )
    figures: dict[str, Any] = {}
    for run in ("first", "no_change"):
        tell(url, "later?hours=1")
        began, used = time.perf_counter(), _cpu_seconds()
        if run == "no_change":
            job = request_index(
                principal=SYSTEM, source=Source.objects.get(source_type=kind)
            )
        _run(job)
        seconds = time.perf_counter() - began
        figures[run] = {"seconds": round(seconds, 2), "requests": tell(url, "count")}
        figures[run]["cpu_seconds"] = round(_cpu_seconds() - used, 2)
        figures[run] |= {key: job.report.get(key) for key in ("added", "chunks")}
        figures[run]["phases"] = job.report.get("seconds")
    figures["pages_per_second"] = round(pages / figures["first"]["seconds"], 1)
    return figures


def _run(job: Any) -> None:
    """Do what workers would do, until nothing is left."""
    from devrag.jobs import engine
    from devrag.jobs.models import Batch, BatchState

    engine.start_job(job.pk)
    while batch := Batch.objects.filter(job=job, state=BatchState.OPEN).first():
        run = engine.claim_batch(job.pk, batch.queue)
        if run is None:
            break
        engine.run_batch(run)
        engine.advance_job(job.pk)
    job.refresh_from_db()
    if job.state != "completed":
        raise SystemExit(f"{job.state}: {job.error}")


def _cpu_seconds() -> float:
    """Return what we and our services used, without the server of the wiki."""
    own = psutil.Process()
    processes = [own, *own.children(recursive=True)]
    total = 0.0
    for process in processes:
        with contextlib.suppress(psutil.Error):
            if "--serve" not in process.cmdline():
                times = process.cpu_times()
                total += times.user + times.system
    return total


def _allow_loopback() -> None:
    """Let sources be on this machine, which an installation never allows."""
    from devrag.sources import services
    from devrag.sources.hosts import AddressRules

    def rules(**chosen: bool) -> AddressRules:
        return AddressRules(**chosen, allow_loopback=True)

    vars(services)["AddressRules"] = rules


@contextlib.contextmanager
def _installation(folder: Path) -> Iterator[None]:
    with temporary_services(folder / "services") as endpoints:
        (folder / "home" / "static").mkdir(parents=True)
        os.environ.update(
            DJANGO_SETTINGS_MODULE="devrag.settings",
            DEVRAG_HOME=str(folder / "home"),
            XDG_STATE_HOME=str(folder / "state"),
            DATABASE_URL=endpoints.database_url or "",
            REDIS_URL=endpoints.redis_url or "",
            SECRET_KEY=secrets.token_urlsafe(50),
            CREDENTIALS_KEYS=secrets.token_urlsafe(50),
            GIT_ALLOW_HTTP="true",
        )
        yield


if __name__ == "__main__":
    main()
