"""Messages between sources are drawn in the order in which they are sent."""

from __future__ import annotations

from tests.wiki.written import write

WEB = {
    "page.ts": "export function load(id) { return fetch(`/api/orders/${id}`); }\n"
    "export function add() { return fetch('/api/orders', {method: 'POST'}); }\n"
}
API = {
    "api/app.py": "from fastapi import FastAPI\n\napp = FastAPI()\n\n\n"
    '@app.get("/api/orders/{order_id}")\ndef order(order_id: int):\n    ...\n\n\n'
    '@app.post("/api/orders")\ndef add(channel):\n'
    '    channel.basic_publish(routing_key="bills.new", body="")\n',
}
WORKER = {
    "worker/listen.py": "def listen(channel, handle):\n"
    '    channel.basic_consume(queue="bills.new", callback=handle)\n',
}


def test_requests_wait_and_messages_in_queues_do_not() -> None:
    draft = write(WEB, API, WORKER)["architecture.md"]
    assert draft.findings == ()
    _, _, flow = draft.markdown.partition("### Messages between the sources")
    steps = [line.strip() for line in flow.split("\n") if ")p" in line or ">>p" in line]
    assert steps[:3] == [
        "p0->>p1: GET /api/orders/{order_id}",
        "p0->>p1: POST /api/orders",
        "p1-)p2: bills.new",
    ]


def test_one_message_is_no_flow() -> None:
    assert "### Messages" not in write(API, WORKER)["architecture.md"].markdown
