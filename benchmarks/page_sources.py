"""Measure a wiki as a source: a Confluence server on loopback; prints one JSON object.

    python benchmarks/page_sources.py [--pages 10000] [--words 250] [--fetch-only]

The server is a process of its own and follows the published REST schema: 50 pages with
bodies in an answer, 200 without. `fetch`: pages into the mirror, then a run without
changes, one with 1 % of the pages edited, and one a day later, which lists all.
`index`: the first index run through all phases, in one process, on a database of its
own. Requests are counted by the server. `cpu_seconds` tell what a busy machine hides:
of all our processes, PostgreSQL among them, in `index`. Bars: 50 pages/s for the first
index, at most 1 % of the first run's requests for one without changes.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).parent.parent))

from devrag.runtime.temporary import temporary_services
from tests.sources.confluence.confluence_server import (
    TOKEN,
    Wiki,
    fill,
    serving,
)

_WORDS = ("payment", "refund", "order", "ledger", "webhook", "retry", "queue", "tenant")
_EDITED = 0.01
# Arguments with which the test suite runs this; it needs no server of ours: {corpus}.
SMALLEST = "--pages 120 --words 20 --near {corpus}"


def main() -> None:
    """Serve a wiki, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--words", type=int, default=250, help="words of a page")
    parser.add_argument("--fetch-only", action="store_true")
    parser.add_argument("--near", help="where it runs; any folder")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        _serve(options.pages, options.words)
        return
    with tempfile.TemporaryDirectory(prefix="devrag-pages-") as name:
        folder = Path(name)
        folder.chmod(0o711)  # PostgreSQL runs as another user when we are root
        with _server(options.pages, options.words) as url, _installation(folder):
            import django

            django.setup()
            _allow_loopback()
            figures: dict[str, Any] = {"pages": options.pages, "cores": os.cpu_count()}
            figures["fetch"] = measure_fetch(url, folder / "fetched", options.pages)
            if not options.fetch_only:
                figures["index"] = measure_index(url, options.pages)
            print(json.dumps(figures, indent=2))


def measure_fetch(url: str, folder: Path, pages: int) -> dict[str, Any]:
    """Read the space into a mirror, then again in the ways that runs differ."""
    from devrag.sources.connectors import ConnectorContext, Credentials, open_connector
    from devrag.sources.hosts import AddressRules

    rules = AddressRules(allow_http=True, allow_loopback=True)
    context = ConnectorContext(folder, rules, credentials=Credentials("", TOKEN))
    figures: dict[str, Any] = {}
    for run, change in (
        ("first", ""),
        ("no_change", "later?hours=1"),
        ("one_percent", "edit"),
        ("a_day_later", "later?hours=25"),
    ):
        _tell(url, change or "forget")
        connector = open_connector("confluence", {"url": url}, context)
        with contextlib.closing(connector):
            began, used = time.perf_counter(), time.process_time()
            connector.resolve()
            seconds = time.perf_counter() - began
        figures[run] = {"seconds": round(seconds, 2), "requests": _tell(url, "count")}
        figures[run]["cpu_seconds"] = round(time.process_time() - used, 2)
    first = figures["first"]
    first["pages_per_second"] = round(pages / first["seconds"])
    share = figures["no_change"]["requests"] / first["requests"]
    figures["no_change_share_of_requests"] = round(share, 4)
    return figures


def measure_index(url: str, pages: int) -> dict[str, Any]:
    """Index the space from the request to the activation, in this process."""
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
        source_type="confluence",
        credentials=Credentials("", TOKEN),
        is_wiki_wanted=False,
    )
    figures: dict[str, Any] = {}
    for run in ("first", "no_change"):
        _tell(url, "later?hours=1")
        began, used = time.perf_counter(), _cpu_seconds()
        if run == "no_change":
            job = request_index(principal=SYSTEM, source=Source.objects.get())
        _run(job)
        seconds = time.perf_counter() - began
        figures[run] = {"seconds": round(seconds, 2), "requests": _tell(url, "count")}
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


# -- the server --


@contextlib.contextmanager
def _server(pages: int, words: int) -> Iterator[str]:
    command = [sys.executable, __file__, "--serve"]
    command += ["--pages", str(pages), "--words", str(words)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdin
        yield process.stdout.readline().strip()
        process.stdin.close()


def _serve(pages: int, words: int) -> None:
    """Serve a wiki until standard input ends. Paths with `_` steer it."""
    wiki = Wiki()
    text = " ".join(_WORDS[n % len(_WORDS)] for n in range(words))
    fill(wiki, pages, text)
    wiki.faults.append(_steer)
    with serving(wiki) as url:
        print(url, flush=True)
        sys.stdin.read()


def _steer(wiki: Wiki, path: str) -> Any:
    from datetime import timedelta

    if not path.startswith("/_"):
        return None
    wiki.requests.pop()
    name, _, value = path.removeprefix("/_").partition("?hours=")
    if name == "count":
        count = len(wiki.requests)
        wiki.requests.clear()
        return 200, count, {}
    wiki.clock += timedelta(hours=float(value or 1))
    if name == "edit":
        ids = list(wiki.content)
        for page_id in ids[:: max(1, round(len(ids) / (len(ids) * _EDITED)))]:
            wiki.edit(page_id, "<p>Changed</p>")
    wiki.requests.clear()
    return 200, 0, {}


def _tell(url: str, what: str) -> int:
    base = url.partition("/spaces/")[0]
    with urllib.request.urlopen(f"{base}/_{what}") as answer:
        return int(json.loads(answer.read()))


if __name__ == "__main__":
    main()
