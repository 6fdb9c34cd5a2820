"""Ties between sources are found where both ends are sure, and nowhere else."""

from __future__ import annotations

import pytest

from devrag.wiki.contracts.arguments import arguments_of, joined
from tests.wiki.shop import analyse
from tests.wiki.written import write

API = {
    "shop/api.py": "from fastapi import FastAPI\n\napp = FastAPI()\n\n\n"
    '@app.get("/api/orders/{order_id}")\ndef order(order_id: int):\n    ...\n\n\n'
    '@app.post("/api/orders")\ndef add():\n    ...\n',
    "package.json": '{"name": "@shop/money", "version": "1.0.0"}',
    "schema.sql": "CREATE TABLE orders (id int primary key, total int);\n",
    "shop/tasks.py": "from celery import shared_task\n\n\n"
    "@shared_task\ndef send_bill(order):\n    ...\n",
    "shop/listen.py": "def listen(channel, handle):\n"
    '    channel.basic_consume(queue="bills.new", callback=handle)\n',
}
FETCH = "export function load(id) { return fetch(`/api/orders/${id}`); }\n"
MODEL = (
    "from sqlalchemy import Column, Integer\n"
    "from sqlalchemy.orm import DeclarativeBase\n\n\nclass Base(DeclarativeBase): ...\n"
    '\n\nclass Order(Base):\n    __tablename__ = "orders"\n'
)


def ties(*sources: dict[str, str]) -> set[tuple[str, str, int, int]]:
    return {
        (tie.kind, tie.name, tie.user.start_line, tie.provider.start_line)
        for tie in analyse(*sources).contracts
    }


GET = ("http", "GET /api/orders/{order_id}", 1, 6)
POST = ("http", "POST /api/orders", 1, 11)


@pytest.mark.parametrize(
    ("path", "text", "tie"),
    [
        ("a.ts", FETCH, GET),
        ("a.js", "fetch(BASE + '/api/orders/' + id)\n", GET),
        ("a.js", "fetch('http://host:80/api/orders/7?x=1')\n", GET),
        ("a.js", "fetch('/api/orders', {method: 'POST'})\n", POST),
        ("a.js", "fetch('/api/orders', {\n  body,\n  method: 'POST',\n})\n", POST),
        ("a.py", 'requests.post(f"{BASE}/api/orders", json={})\n', POST),
        ("a.py", 'self.client.get("/api/orders/{}".format(1))\n', None),
        ("a.go", 'package a\nvar _ = http.Get("/api/orders/7")\n', (*GET[:2], 2, 6)),
        ("a.js", "fetch('/api/orders/7', {method: 'DELETE'})\n", None),
        ("a.js", "fetch('/api/orders', options)\n", None),
        ("a.js", "fetch('/v2/orders/7')\n", None),
        ("a.js", "fetch(`/api/${what}/7`)\n", None),
        ("a.js", "cache.get('/api/orders/7')\n", None),
        ("package.json", '{"dependencies": {"@shop/money": "^1"}}', "@shop/money"),
        ("package.json", '{"dependencies": {"@shop/mone": "^1"}}', None),
        ("a.py", 'app.send_task("shop.tasks.send_bill")\n', "shop.tasks.send_bill"),
        ("a.py", 'app.send_task("shop.tasks.send")\n', None),
        ("a.js", "channel.sendToQueue('bills.new', body)\n", "bills.new"),
        ("a.js", "channel.sendToQueue('bills.old', body)\n", None),
        (
            "m.py",
            f"{MODEL}    id = Column(Integer)\n    total = Column(Integer)\n",
            "orders",
        ),
        (
            "m.py",
            f"{MODEL}    key = Column(Integer)\n    sum = Column(Integer)\n",
            None,
        ),
    ],
)
def test_a_use_is_tied_to_what_it_surely_means(
    path: str, text: str, tie: tuple[str, str, int, int] | str | None
) -> None:
    found = ties({path: text}, API)
    if isinstance(tie, str):
        assert {name for _, name, _, _ in found} == {tie}
    else:
        assert found == ({tie} if tie else set())


def test_one_source_has_no_ties() -> None:
    assert ties({**API, "a.ts": FETCH}) == set()


def test_a_path_that_two_sources_answer_is_left_out() -> None:
    assert "http" not in {kind for kind, *_ in ties({"a.ts": FETCH}, API, API)}


def test_a_path_that_the_caller_answers_itself_is_left_out() -> None:
    own = {"a.ts": FETCH, "shop/api.py": API["shop/api.py"]}
    assert "http" not in {kind for kind, *_ in ties(own, API)}


def test_tests_do_not_tie() -> None:
    assert ties({"tests/a.ts": FETCH}, API) == set()


def test_a_manifest_that_nothing_can_read_publishes_nothing() -> None:
    manifest = {"package.json": '{"dependencies": {"@shop/money": "^1"}}'}
    assert ties(manifest, {"package.json": '{"name": '}) == set()


def test_both_places_are_cited_and_drawn() -> None:
    pages = write({"web/load.ts": FETCH * 70}, API)
    text = pages["architecture.md"].markdown
    assert '-->|"HTTP"|' in text
    assert "`web/load.ts` of `shop` calls `GET /api/orders/{order_id}`" in text
    cited = {(claim.source, claim.path) for claim in pages["architecture.md"].claims}
    assert {("shop", "web/load.ts"), ("shop-1", "shop/api.py")} <= cited
    features = [p.markdown for p in pages.values() if p.kind == "feature"]
    assert sum("## Ties to other sources" in text for text in features) == 2


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("f(a, [b, c], 'd, e')", ["a", "[b, c]", "'d, e'"]),
        ("f<T>(a)", ["a"]),
        ("f(\n  a,\n  b\n)", ["a", "b"]),
        ("f()", []),
        ("f(a, 'unclosed", ["a", "'unclosed"]),
        ("g(a)", []),
    ],
)
def test_arguments_are_parted_outside_brackets_and_quotes(
    text: str, arguments: list[str]
) -> None:
    assert arguments_of(text.split("\n"), 1, "x.f") == arguments


@pytest.mark.parametrize(
    ("argument", "text"),
    [
        ('"/a"', "/a"),
        ('base + "/a/" + id', "?/a/?"),
        ("base", None),
        ('f"/a/{b}"', "/a/{b}"),
        ('"a" "b"', None),
    ],
)
def test_joined_strings_become_one(argument: str, text: str | None) -> None:
    assert joined(argument, "?") == text
