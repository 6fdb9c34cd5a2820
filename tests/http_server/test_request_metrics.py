"""Each request has an id and is counted by its route, whatever becomes of it."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import httpx2
import pytest
from structlog.testing import capture_logs

from devrag.core.metrics import flush, read_totals, write_metrics
from devrag.core.request_id import current_request_id
from devrag.core.threads import with_closing_threads
from devrag.http_server.request_metrics import RequestMetrics
from tests.asgi_server import asgi_server
from tests.exposition import read_exposition

pytestmark = pytest.mark.django_db(transaction=True)


def ask(
    application: Any, path: str, *, method: str = "GET", request_id: str = ""
) -> tuple[int | None, dict[str, str]]:
    """Return status and headers of an answer; no status if there was none."""
    headers = [(b"host", b"localhost")]
    headers += [(b"x-request-id", request_id.encode())] if request_id else []
    sent: list[Any] = []

    body = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Any:
        return next(body, None) or await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
        "scheme": "http",
    }
    served = with_closing_threads(RequestMetrics(application))
    asyncio.run(served(scope, receive, send))
    if not sent:
        return None, {}
    found = {k.decode(): v.decode() for k, v in sent[0]["headers"]}
    return sent[0]["status"], found


def requests() -> dict[str, float]:
    flush()
    _types, values = read_exposition(write_metrics(read_totals()))
    begin = "devrag_http_requests_total"
    return {k: v for k, v in values.items() if k.startswith(begin)}


def counted(route: str, method: str, status: int) -> str:
    labels = f'route="{route}",method="{method}",status="{status}"'
    return f"devrag_http_requests_total{{{labels}}}"


async def empty(_scope: Any, _receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 413, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@pytest.mark.parametrize(
    ("path", "route", "status"),
    [
        ("/ready", "ready", 200),
        ("/p/none-such/", "web:product", 404),
        ("/api/v1/jobs/5d2d8a4e-7a43-4b9f-8d3a-2f6f7f0c9a11", "api:get_job", 401),
        ("/no/such/page", "(none)", 404),
    ],
)
def test_a_request_counts_by_the_name_of_its_route(
    path: str, route: str, status: int
) -> None:
    before = requests().get(counted(route, "GET", status), 0)
    with asgi_server(RequestMetrics) as address:
        answer = httpx2.get(f"{address}{path}")
        assert answer.status_code == status
        assert re.fullmatch("[0-9a-f]{32}", answer.headers["x-request-id"])
    assert requests()[counted(route, "GET", status)] == before + 1


def test_refusals_before_django_and_odd_methods_count() -> None:
    before = requests().get(counted("mcp", "OTHER", 413), 0)
    ask(empty, "/mcp", method="BREW")
    assert requests()[counted("mcp", "OTHER", 413)] == before + 1


def test_an_error_is_counted_and_passed_on() -> None:
    async def broken(_scope: Any, _receive: Any, _send: Any) -> None:
        raise RuntimeError("broken")

    before = requests().get(counted("(none)", "GET", 499), 0)
    with pytest.raises(RuntimeError):
        ask(broken, "/")
    assert requests()[counted("(none)", "GET", 499)] == before + 1


def test_an_id_from_a_proxy_is_kept_and_on_the_answer() -> None:
    seen: list[str] = []

    async def noting(scope: Any, receive: Any, send: Any) -> None:
        seen.append(current_request_id())
        await empty(scope, receive, send)

    _status, headers = ask(noting, "/", request_id="from-the-proxy-1")
    assert seen == ["from-the-proxy-1"]
    assert headers["x-request-id"] == "from-the-proxy-1"
    assert current_request_id() == ""


@pytest.mark.parametrize(
    "given", ["", "short", "with space here", 'quote"quote', "x" * 65]
)
def test_what_is_no_id_is_replaced(given: str) -> None:
    _status, headers = ask(empty, "/", request_id=given)
    assert re.fullmatch("[0-9a-f]{32}", headers["x-request-id"])


def test_the_log_has_the_route_and_not_what_was_asked() -> None:
    with capture_logs() as lines, asgi_server(RequestMetrics) as address:
        httpx2.get(f"{address}/p/secret-name/?q=secret-word")
        httpx2.get(f"{address}/ready")  # every few seconds, by machines
    (line,) = [each for each in lines if each["event"] == "request answered"]
    assert (line["route"], line["status"]) == ("web:product", 404)
    assert "secret" not in str(line)
