"""Measure freshness and answers under mixed load; prints one JSON object.

    python benchmarks/mixed_load.py [--seconds 120] [--sources 4] [--files 200]
        [--every 8] [--searchers 3] [--readers 1] [--home DIR]

Of a running installation (DEVRAG_HOME or --home, `devrag server start`). Makes a
product of git repositories with generated code, and deletes it again. Meanwhile commits
are pushed (each third time three in a row), searches by page, REST and MCP and pages
are asked for, and wikis are written one after the other.

freshness: seconds until a search finds what a commit added, from the activation of its
version and from its push; missing: not found within 60 seconds. Set
API_RATE_PER_MINUTE=0 for the server, or it counts this as too much.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import http.client
import json
import os
import random
import statistics
import string
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
_MISSING_SECONDS, _POLL_SECONDS, _TIMEOUT_SECONDS = 60.0, 0.1, 60.0
_WORDS = ("customer", "order", "invoice", "stock", "parcel", "refund", "basket", "tax")
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "--seconds 3 --sources 1 --files 3 --every 1 --searchers 1"


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer. status: 0 when there was none."""

    status: int
    text: str
    retry_after: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Target:
    """Where the load goes, and who sends it."""

    port: int
    token: str
    product: str

    def send(
        self, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """GET, or POST when there is a body: JSON, or text as it is."""
        sent = {"Content-Type": "application/json", "Connection": "close"}
        sent |= headers or {}
        data = body if isinstance(body, str | None) else json.dumps(body)
        began = time.perf_counter()
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=_TIMEOUT_SECONDS
        )
        with closing(connection):
            try:
                method = "GET" if data is None else "POST"
                connection.request(method, path, data and data.encode(), sent)
                answer = connection.getresponse()
                text = answer.read().decode(errors="replace")
                status, retry = answer.status, answer.getheader("Retry-After", "")
            except (OSError, http.client.HTTPException) as error:
                status, text, retry = 0, str(error), ""
        return Answer(status, text, retry, time.perf_counter() - began)

    def api(self, path: str, body: Any = None) -> Answer:
        return self.send(f"/api/v1{path}", body, self._authorised())

    def agent(self, query: str) -> Answer:
        """Ask by MCP."""
        call = {"name": "search", "arguments": {"query": query}}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        accepted = {"Accept": "application/json, text/event-stream"}
        return self.send("/mcp", body, self._authorised() | accepted)

    def _authorised(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


@dataclass
class Commit:
    """What was pushed: one word that nothing else has."""

    word: str
    identifier: str
    pushed_at: float
    found_at: float | None = None


@dataclass
class Record:
    """What was measured so far, by all threads."""

    answers: dict[str, list[Answer]] = field(default_factory=dict)
    commits: list[Commit] = field(default_factory=list)
    wikis: Counter[str] = field(default_factory=Counter)
    degraded: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, kind: str, answer: Answer) -> None:
        with self.lock:
            self.answers.setdefault(kind, []).append(answer)
            self.degraded += "keyword results" in answer.text


class Source:
    """A git repository with generated code, pushed to as a host would say so."""

    def __init__(self, folder: Path, number: int, files: int) -> None:
        self.name = f"{folder.parent.name}-{number}"
        self.path, self._count = folder, 0
        self.hook = self.secret = ""
        folder.mkdir(parents=True)
        self._git("init", "-q", "-b", "main")
        for file in range(files):
            self._write(f"part_{file:04}.py", file + number * 10_000)
        self._commit()

    def commit(self, count: int) -> list[tuple[str, str]]:
        """Commit new files one by one; return their words and hashes."""
        made = []
        for _ in range(count):
            self._count += 1
            word = "".join(random.choices(string.ascii_lowercase, k=14))
            text = f'def {word}() -> str:\n    """Return {word}."""\n    return ""\n'
            (self.path / f"new_{self._count % 50:04}_{word}.py").write_text(text)
            made.append((word, self._commit()))
        return made

    def push(self, target: Target, commit: str) -> Answer:
        body = json.dumps({"ref": "refs/heads/main", "after": commit})
        digest = hmac.new(self.secret.encode(), body.encode(), hashlib.sha256)
        headers = {
            "X-GitHub-Event": "push",
            "X-Hub-Signature-256": f"sha256={digest.hexdigest()}",
        }
        return target.send(self.hook, body, headers)

    def _write(self, name: str, seed: int) -> None:
        pick = random.Random(seed)
        parts = [f'"""Handles each {pick.choice(_WORDS)}."""\n\n\n']
        for number in range(12):
            first, second = pick.sample(_WORDS, 2)
            parts.append(
                f"def {first}_{second}_{seed}_{number}(value: int) -> int:\n"
                f'    """Take the {first} of a {second}, {pick.random()} in all."""\n'
                f"    return value * {pick.randrange(1000)}\n\n\n"
            )
        (self.path / name).write_text("".join(parts))

    def _commit(self) -> str:
        self._git("add", "-A")
        self._git("commit", "-q", "-m", "Change")
        return self._git("rev-parse", "HEAD")

    def _git(self, *argv: str) -> str:
        identity = ("-c", "user.name=Load", "-c", "user.email=load@example.org")
        done = subprocess.run(
            ["git", *identity, *argv],
            cwd=self.path,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()


def main() -> None:
    options = _options()
    if options.home:
        os.environ["DEVRAG_HOME"] = str(options.home)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
    import django

    django.setup()
    with tempfile.TemporaryDirectory(prefix="devrag-load-") as folder:
        Path(folder).chmod(0o755)
        with _target(Path(folder).name) as target:
            sources = _make_sources(Path(folder), target, options)
            record = _run(target, sources, options)
            report = _describe(record, target, options)
    print(json.dumps(report, indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--sources", type=int, default=4)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--every", type=float, default=8, help="Seconds, of a source.")
    parser.add_argument("--searchers", type=int, default=3)
    parser.add_argument("--readers", type=int, default=1)
    parser.add_argument("--home", type=Path)
    return parser.parse_args()


@contextmanager
def _target(product: str) -> Iterator[Target]:
    """Give a token and an empty product; take both away afterwards."""
    from django.conf import settings
    from django.contrib.auth.models import User

    from devrag.access.models import ApiToken
    from devrag.access.services import create_token
    from devrag.runtime.layout import Home
    from devrag.runtime.pidfile import running_server

    server = running_server(Home(settings.DEVRAG_HOME))
    assert server, f"no server runs in {settings.DEVRAG_HOME}"
    admin = User.objects.filter(is_superuser=True).first()
    made, secret = create_token(
        name="benchmark", scopes=["read", "index", "wiki"], user=admin
    )
    target = Target(server.port, secret, product)
    try:
        yield target
    finally:
        delete_product(product)
        ApiToken.objects.filter(pk=made.pk).delete()


def delete_product(name: str) -> None:
    argv = ["product", "remove", name, "--yes"]
    subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *argv],
        check=False,
        capture_output=True,
    )


def _make_sources(
    folder: Path, target: Target, options: argparse.Namespace
) -> list[Source]:
    from devrag.core.principal import SYSTEM
    from devrag.sources.hook_secrets import renew_hook_secret
    from devrag.sources.models import Source as Row

    sources = [
        Source(folder / str(number), number, options.files)
        for number in range(options.sources)
    ]
    for source in sources:
        argv = ["index", str(source.path), "--product", target.product]
        subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *argv, "--source", source.name],
            check=True,
            capture_output=True,
        )
        row = Row.objects.get(name=source.name)
        source.secret = renew_hook_secret(principal=SYSTEM, source=row)
        source.hook = f"/api/v1/hooks/github/{row.pk}"
    return sources


def _run(
    target: Target, sources: Sequence[Source], options: argparse.Namespace
) -> Record:
    """Let all threads work until the time is over and each commit had its chance."""
    record, ended = Record(), threading.Event()
    work: list[Callable[[], None]] = [
        lambda source=source: _push(target, source, record, ended, options.every)
        for source in sources
    ]
    work += [
        lambda n=n: _search(target, record, ended, n) for n in range(options.searchers)
    ]
    work += [
        lambda n=n: _read(target, record, ended, n) for n in range(options.readers)
    ]
    work += [lambda: _write_wikis(target, record, ended)]
    with ThreadPoolExecutor(len(work)) as pool:
        done = [pool.submit(each) for each in work]
        ended.wait(options.seconds)
        ended.set()
        for each in done:
            each.result()
    return record


def _push(
    target: Target,
    source: Source,
    record: Record,
    ended: threading.Event,
    every: float,
) -> None:
    """Push now and then and look for what was pushed, which may take a while."""
    open_ones: list[Commit] = []
    pushes, due = 0, time.time() + random.random() * every
    while not ended.is_set() or open_ones:
        if time.time() >= due and not ended.is_set():
            pushes, due = pushes + 1, time.time() + every
            for word, commit in source.commit(3 if pushes % 3 == 0 else 1):
                made = Commit(word, commit, time.time())
                record.note("hook", source.push(target, commit))
                open_ones.append(made)
                record.commits.append(made)
        open_ones = [each for each in open_ones if not _is_settled(target, each)]
        time.sleep(_POLL_SECONDS)


def _is_settled(target: Target, commit: Commit) -> bool:
    """Return whether the commit was found, or not in time."""
    asked = {"query": commit.word, "mode": "keyword", "productName": target.product}
    answer = target.api("/search", asked)
    hits = json.loads(answer.text)["hits"] if answer.status == 200 else []
    if any(commit.word in hit["path"] for hit in hits):
        commit.found_at = time.time()
        return True
    return time.time() - commit.pushed_at > _MISSING_SECONDS


def _search(target: Target, record: Record, ended: threading.Event, seed: int) -> None:
    pick = random.Random(seed)
    while not ended.wait(0.3):
        words = " ".join(pick.sample(_WORDS, 2)) + f" {pick.randrange(1000)}"
        kind = pick.choice(["page", "hybrid", "keyword", "semantic", "lines", "agent"])
        if kind == "page":
            answer = target.send(f"/search?q={quote(words)}")
        elif kind == "agent":
            answer = target.agent(words)
        else:
            query = {"query": words, "mode": kind, "productName": target.product}
            if kind == "lines":
                query |= {"query": f"/{words.split()[0]}_[a-z]+_1/", "mode": "keyword"}
            answer = target.api("/search", query)
        record.note(f"search {kind}", answer)


def _read(target: Target, record: Record, ended: threading.Event, seed: int) -> None:
    pick, product = random.Random(seed), f"/p/{target.product}"
    pages = (
        "/",
        "/jobs/",
        f"{product}/",
        f"{product}/wiki/",
        f"{product}/?tab=sources",
    )
    while not ended.wait(0.6):
        record.note("page", target.send(pick.choice(pages)))


def _write_wikis(target: Target, record: Record, ended: threading.Event) -> None:
    while not ended.wait(1):
        asked = {"productName": target.product, "isForced": True}
        answer = target.api("/products/wiki", asked)
        if answer.status != 202:
            record.wikis[f"refused {answer.status}"] += 1
            continue
        job = f"/jobs/{json.loads(answer.text)['jobID']}"
        status = "pending"
        while status in ("pending", "running") and not ended.wait(0.5):
            found = target.api(job)
            status = json.loads(found.text)["status"] if found.status == 200 else status
        record.wikis[status] += 1


def _describe(
    record: Record, target: Target, options: argparse.Namespace
) -> dict[str, Any]:
    activated = _activations(record.commits)
    found = [each for each in record.commits if each.found_at is not None]
    from_push = [each.found_at - each.pushed_at for each in found if each.found_at]
    from_activation = [
        max(0.0, each.found_at - activated[each.identifier])
        for each in found
        if each.found_at and each.identifier in activated
    ]
    searches = [
        answer
        for kind, answers in record.answers.items()
        if kind.startswith("search")
        for answer in answers
    ]
    return {
        "seconds": options.seconds,
        "freshness": {
            "commits": len(record.commits),
            "missing": len(record.commits) - len(found),
            "seconds_from_activation": spread_of(from_activation),
            "seconds_from_push": spread_of(from_push),
        },
        "index_jobs_seconds": _stages(target),
        "searches": summary_of(searches) | {"degraded": record.degraded},
        "by_kind": {
            kind: summary_of(answers)
            for kind, answers in sorted(record.answers.items())
        },
        "wikis": dict(record.wikis),
    }


def _stages(target: Target) -> dict[str, Any]:
    """Return where the time of index runs went: work, and waits before it."""
    from devrag.jobs.models import Job

    spans: dict[str, list[float]] = {}
    jobs = Job.objects.filter(kind="index", product__name=target.product)
    for job in jobs.filter(state="completed").exclude(started_at=None):
        moments = [("queued", job.created_at), ("started", job.started_at)]
        for batch in job.batches.order_by("phase", "ordinal"):
            moments += [
                (f"phase {batch.phase} waited", batch.started_at),
                (f"phase {batch.phase}", batch.finished_at),
            ]
        moments.append(("finished", job.finished_at))
        for (_, before), (name, after) in pairwise(moments):
            spans.setdefault(name, []).append((after - before).total_seconds())
    return {name: spread_of(seconds) for name, seconds in spans.items()}


def _activations(commits: Sequence[Commit]) -> dict[str, float]:
    """Return when the version of a commit became the newest; some were skipped."""
    from devrag.sources.models import Snapshot

    rows = Snapshot.objects.filter(
        version_identifier__in=[each.identifier for each in commits], is_indexed=True
    ).values_list("version_identifier", "indexed_at")
    return {identifier: at.timestamp() for identifier, at in rows if at}


def summary_of(answers: Sequence[Answer]) -> dict[str, Any]:
    """Return times, statuses, and refusals that do not say when to try again."""
    statuses = Counter(str(each.status) for each in answers)
    bare = [a for a in answers if a.status == 503 and not a.retry_after]
    return {
        **spread_of([each.seconds for each in answers]),
        "statuses": dict(sorted(statuses.items())),
        "unavailable_without_retry_after": len(bare),
    }


def spread_of(seconds: Sequence[float]) -> dict[str, Any]:
    """Return count, median, 95th percentile and maximum, in seconds."""
    ordered = sorted(seconds)
    if not ordered:
        return {"count": 0}
    return {
        "count": len(ordered),
        "p50": round(statistics.median(ordered), 3),
        "p95": round(ordered[int(len(ordered) * 0.95)], 3),
        "max": round(ordered[-1], 3),
    }


if __name__ == "__main__":
    main()
