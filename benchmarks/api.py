"""Measure how long REST takes to answer; prints one JSON object.

    python benchmarks/api.py [--requests 200] [--home DIR]

Of a running installation (DEVRAG_HOME or --home, `devrag server start`) with at least
one indexed source and a wiki, over loopback: milliseconds of each reading operation at
1 and at 8 clients, each client with a connection of its own. Makes a token and revokes
it. Set API_RATE_PER_MINUTE=0 for the server, or it counts this as too much.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
_CLIENTS = (1, 8)
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "--requests 2"


@dataclass(frozen=True, slots=True)
class Call:
    """A request. body: of a POST."""

    path: str
    body: dict[str, Any] | None = None

    def send(self, connection: http.client.HTTPConnection, token: str) -> float:
        """Return the milliseconds until the whole answer is there."""
        headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
        }
        body = None if self.body is None else json.dumps(self.body)
        method = "GET" if body is None else "POST"
        began = time.perf_counter()
        connection.request(method, f"/api/v1{self.path}", body, headers)
        answer = connection.getresponse()
        text = answer.read()
        spent = (time.perf_counter() - began) * 1000
        assert answer.status == 200, (self.path, answer.status, text[:300])
        return spent


def main() -> None:
    options = _options()
    if options.home:
        os.environ["DEVRAG_HOME"] = str(options.home)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
    import django

    django.setup()
    from django.conf import settings

    calls = _calls()
    with _token() as token:
        found = {
            name: {
                f"{clients}_clients_ms": _measure(
                    call, token, settings.HTTP_PORT, clients, options.requests
                )
                for clients in _CLIENTS
            }
            for name, call in calls.items()
        }
    print(json.dumps({"requests": options.requests, "operations": found}, indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--home", type=Path)
    return parser.parse_args()


@contextmanager
def _token() -> Iterator[str]:
    from devrag.access.models import ApiToken
    from devrag.access.services import create_token

    made, secret = create_token(name="benchmark", scopes=["read"])
    try:
        yield secret
    finally:
        ApiToken.objects.filter(pk=made.pk).delete()


def _calls() -> dict[str, Call]:
    """Return each reading operation, of the biggest source and its product."""
    from devrag.navigation.symbol_search import current_symbols
    from devrag.sources.models import Snapshot

    snapshot = Snapshot.objects.filter(is_indexed=True).order_by("-line_count").first()
    assert snapshot, "index a source first"
    source = snapshot.source
    symbols = current_symbols([source.pk]).filter(kind__in=["function", "method"])
    symbol = symbols.order_by("pk").first()
    assert symbol, "index a source with functions first"
    product, one = f"/products/{source.product_id}", f"/symbols/{symbol.uuid}"
    files = f"/sources/{source.pk}/files"
    question = {"query": "where is the input checked", "limit": 10}
    return {
        "products": Call("/products"),
        "product": Call(product),
        "sources": Call("/sources"),
        "source": Call(f"/sources/{source.pk}"),
        "snapshots": Call(f"/sources/{source.pk}/snapshots"),
        "files": Call(files),
        "file": Call(f"{files}/{symbol.file.path}"),
        "symbols by name": Call(f"/symbols?name={symbol.name}"),
        "symbol": Call(one),
        "references": Call(f"{one}/references"),
        "callers": Call(f"{one}/callers"),
        "callees": Call(f"{one}/callees"),
        "wiki": Call(f"{product}/wiki"),
        "wiki files": Call(f"{product}/wiki/files"),
        "wiki file": Call(f"{product}/wiki/files/index.md"),
        "wiki page": Call(f"{product}/wiki/pages/index.md"),
        "wiki claims": Call(f"{product}/wiki/claims"),
        "wiki versions": Call(f"{product}/wiki/versions"),
        "jobs": Call("/jobs"),
        "search, keyword": Call("/search", {**question, "mode": "keyword"}),
        "search, hybrid": Call("/search", question),
    }


def _measure(
    call: Call, token: str, port: int, clients: int, requests: int
) -> dict[str, float]:
    share = max(1, requests // clients)
    with ThreadPoolExecutor(clients) as pool:
        runs = [pool.submit(_ask, call, token, port, share) for _ in range(clients)]
        return _summary([spent for run in runs for spent in run.result()])


def _ask(call: Call, token: str, port: int, count: int) -> list[float]:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    call.send(connection, token)
    times: list[float] = []
    while len(times) < count:
        try:
            times.append(call.send(connection, token))
        except ConnectionError:  # it stood idle while the machine did other things
            connection.close()
    connection.close()
    return times


def _summary(times: Sequence[float]) -> dict[str, float]:
    cuts = statistics.quantiles(times, n=20)
    return {"p50": round(statistics.median(times), 1), "p95": round(cuts[18], 1)}


if __name__ == "__main__":
    main()
