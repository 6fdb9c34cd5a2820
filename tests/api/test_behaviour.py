"""How all operations behave: pages, ETags, gzip, keys, rates, bad input."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.http import HttpResponse
from django.test import Client

from devrag.api import idempotency
from devrag.core.hashing import sha256_hex
from devrag.jobs.models import Job
from devrag.jobs.request_limits import broker_at
from devrag.products.models import Product
from devrag.wiki.models import Note
from tests.people import People, bearer

from .requests import post, problem

PRODUCTS, INDEX = "/api/v1/products", "/api/v1/sources/index"


# -- pages -------------------------------------------------------------------------


def pages(client: Client, path: str, headers: dict[str, str]) -> Iterator[list[Any]]:
    """Follow `Link` to the end."""
    while path:
        answer = client.get(path, headers=headers)
        assert answer.status_code == 200
        yield answer.json()
        found = re.fullmatch(r'<(.+)>; rel="next"', answer.get("Link", ""))
        path = found[1] if found else ""


def test_pages_follow_each_other_to_the_last(client: Client, people: People) -> None:
    for number in range(5):
        Product.objects.create(name=f"stall-{number}")
    found = list(pages(client, f"{PRODUCTS}?limit=2", bearer("read")))
    names = [row["productName"] for page in found for row in page]
    assert [len(page) for page in found] == [2, 2, 2]
    assert names == ["market", *(f"stall-{n}" for n in range(5))]


def test_what_is_added_meanwhile_shifts_no_page(client: Client, people: People) -> None:
    asked = f"/api/v1/jobs?limit=2&productName={people.teahouse.name}"
    for _ in range(4):
        Job.objects.create(kind="index", lane="x", product=people.teahouse)
    known = set(map(str, Job.objects.values_list("pk", flat=True)))
    seen: list[str] = []
    for page in pages(client, asked, bearer("read", user=people.bob)):
        Job.objects.create(kind="index", lane="new", product=people.teahouse)
        seen += [row["jobID"] for row in page]
    assert len(seen) == 4
    assert set(seen) == known


@pytest.mark.parametrize("cursor", ["x", "WyJhIl0:abc", "茶"])
def test_a_cursor_of_nowhere_is_refused(
    client: Client, people: People, cursor: str
) -> None:
    answer = client.get(PRODUCTS, {"cursor": cursor}, headers=bearer("read"))
    assert problem(answer, 400)["code"] == "invalid_cursor"


def test_a_cursor_of_another_list_is_refused(client: Client, people: People) -> None:
    for number in range(2):
        Product.objects.create(name=f"stall-{number}")
    headers = bearer("read")
    link = client.get(f"{PRODUCTS}?limit=1", headers=headers)["Link"]
    elsewhere = link[1:].partition(">")[0].replace("/products", "/sources")
    assert problem(client.get(elsewhere, headers=headers), 400)["code"] == (
        "invalid_cursor"
    )


# -- ETag and gzip -----------------------------------------------------------------


def test_an_unchanged_answer_is_not_sent_again(client: Client, people: People) -> None:
    headers = bearer("read")
    first = client.get(PRODUCTS, headers=headers)
    again = {**headers, "If-None-Match": first["ETag"]}
    assert first["Cache-Control"] == "private, no-cache"
    unchanged = client.get(PRODUCTS, headers=again)
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    Product.objects.create(name="stall")
    assert client.get(PRODUCTS, headers=again).status_code == 200


def test_an_answer_is_compressed_for_who_can_read_it(
    client: Client, people: People
) -> None:
    headers = bearer("read", user=people.bob)
    plain = client.get(PRODUCTS, headers=headers)
    zipped = client.get(PRODUCTS, headers={**headers, "Accept-Encoding": "gzip"})
    assert zipped["Content-Encoding"] == "gzip"
    assert gzip.decompress(zipped.content) == plain.content
    assert {"Authorization", "Accept-Encoding"} <= set(zipped["Vary"].split(", "))


@pytest.mark.parametrize("path", [PRODUCTS, "/api/v1/jobs", "/api/v1/openapi.json"])
def test_head_is_answered_as_get_without_a_body(
    client: Client, people: People, path: str
) -> None:
    headers = bearer("read")
    whole, head = (ask(path, headers=headers) for ask in (client.get, client.head))
    assert (head.status_code, head.content) == (200, b"")
    for name in ("ETag", "Content-Type", "Content-Length"):
        assert head.get(name) == whole.get(name)
    if path == PRODUCTS:
        again = {**headers, "If-None-Match": head["ETag"]}
        assert client.head(path, headers=again).status_code == 304


@pytest.mark.parametrize(
    ("path", "status"), [(PRODUCTS, 401), ("/api/v1/no", 404), (INDEX, 405)]
)
def test_head_fails_as_get_does(client: Client, path: str, status: int) -> None:
    head = client.head(path)
    assert (head.status_code, head.content) == (status, b"")
    assert head["Content-Type"] == "application/problem+json"


# -- Idempotency-Key ---------------------------------------------------------------


def ask(client: Client, headers: dict[str, str], **body: Any) -> HttpResponse:
    given = {"sourceName": "teahouse-code", **body}
    return post(client, INDEX, {**headers, "Idempotency-Key": "run-7"}, **given)


def test_a_request_that_is_sent_twice_is_done_once(
    client: Client, people: People
) -> None:
    headers = bearer("index", user=people.alice)
    first, second = (ask(client, headers) for _ in range(2))
    assert Job.objects.count() == 1
    assert second["Idempotency-Replayed"] == "true"
    assert (second.status_code, second.json()) == (202, first.json())
    assert second["Location"] == first["Location"]


def test_a_key_is_for_one_request_of_one_token(client: Client, people: People) -> None:
    headers = bearer("index", user=people.alice)
    ask(client, headers)
    said = problem(ask(client, headers, ref="main"), 422)
    assert said["code"] == "idempotency_key_reused"
    other = ask(client, bearer("index", user=people.alice))
    assert "Idempotency-Replayed" not in other


def test_a_failure_frees_its_key(client: Client, people: People) -> None:
    headers = bearer("index", user=people.alice)
    problem(ask(client, headers, sourceName="cellar"), 404)
    assert ask(client, headers).status_code == 202


def test_the_second_waits_for_the_first(client: Client, people: People) -> None:
    headers = bearer("index", user=people.alice)
    ask(client, headers)
    broker = broker_at(django_settings.BROKER_URL)
    for name in broker.scan_iter("devrag:api:done:*"):
        kept = json.loads(broker.get(name))
        broker.set(name, json.dumps({**kept, "status": 0}), ex=60)
    answer = ask(client, headers)
    assert problem(answer, 409)["code"] == "request_in_progress"
    assert answer["Retry-After"] == "1"


def test_a_secret_is_not_told_twice(client: Client, people: People) -> None:
    headers = {**bearer("index", user=people.alice), "Idempotency-Key": "hook"}
    path = f"/api/v1/sources/{people.source.pk}/hook"
    secret = client.post(path, headers=headers).json()["secret"]
    assert problem(client.post(path, headers=headers), 409)["code"] == (
        "secret_not_repeated"
    )
    broker = broker_at(django_settings.BROKER_URL)
    kept = [broker.get(name) for name in broker.scan_iter("devrag:api:done:*")]
    assert secret.encode() not in b"".join(kept)


@pytest.mark.parametrize("path", ["/api/v1/search", "/api/v1/search/related"])
def test_what_changes_nothing_takes_no_key(
    client: Client, people: People, path: str
) -> None:
    signed = bearer("read", user=people.alice)
    headers = {**signed, "Idempotency-Key": "ask"}
    for query in ("tea", "tea"):
        assert "Idempotency-Replayed" not in post(client, path, headers, query=query)
    secret = signed["Authorization"].removeprefix("Bearer ")
    name = f"devrag:api:done:{sha256_hex(f'{sha256_hex(secret)} ask')}"
    assert not broker_at(django_settings.BROKER_URL).exists(name)


def test_a_long_answer_is_not_kept(client: Client, written: People) -> None:
    headers = {**bearer("wiki", user=written.alice), "Idempotency-Key": "note"}
    path = f"/api/v1/products/{written.teahouse.pk}/wiki/notes"
    given = {"page": "index.md", "text": "🍵" * 9_000}
    before = _kept()
    assert post(client, path, headers, **given).status_code == 201
    said = problem(post(client, path, headers, **given), 409)
    assert said["code"] == "answer_not_repeated"
    assert Note.objects.count() == 1
    assert all(len(kept) < 1_000 for kept in _kept() - before)


def test_a_token_has_so_many_keys_a_day(
    client: Client, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "MOST_KEYS", 1)
    headers = bearer("index", user=people.alice)
    assert ask(client, headers).status_code == 202
    assert ask(client, headers)["Idempotency-Replayed"] == "true"
    more = {**headers, "Idempotency-Key": "run-8"}
    for _ in range(2):  # what was refused claimed nothing
        refused = post(client, INDEX, more, sourceName="teahouse-code")
        assert problem(refused, 429)["code"] == "rate_limited"
        assert 1 <= int(refused["Retry-After"]) <= 86_400
    assert ask(client, bearer("index", user=people.alice)).status_code == 202


def test_so_much_is_kept_of_a_tokens_answers(
    client: Client, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "MOST_BYTES", 10)
    headers = bearer("index", user=people.alice)
    assert ask(client, headers).status_code == 202
    said = problem(ask(client, headers), 409)
    assert said["code"] == "answer_not_repeated"
    assert Job.objects.count() == 1


def _kept() -> set[bytes]:
    broker = broker_at(django_settings.BROKER_URL)
    return {broker.get(name) for name in broker.scan_iter("devrag:api:done:*")}


@pytest.mark.parametrize("key", ["", "x" * 256, "schl\xfcssel"])
def test_a_key_that_is_none_is_refused(
    client: Client, people: People, key: str
) -> None:
    headers = {**bearer("index", user=people.alice), "Idempotency-Key": key}
    answer = post(client, INDEX, headers, sourceName="teahouse-code")
    assert "Idempotency-Key must be" in problem(answer, 400)["detail"]


# -- rates -------------------------------------------------------------------------


def test_a_token_has_its_share_of_each_minute(
    client: Client, people: People, settings: Any
) -> None:
    settings.API_RATE_PER_MINUTE = 2
    busy = bearer("read")
    # The minute may end between two of them.
    answers = [client.get(PRODUCTS, headers=busy) for _ in range(5)]
    refused = next(each for each in answers if each.status_code == 429)
    assert problem(refused, 429)["code"] == "rate_limited"
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert client.get(PRODUCTS, headers=bearer("read")).status_code == 200


def test_without_the_broker_reading_goes_on_but_no_key_is_kept(
    client: Client, people: People, settings: Any
) -> None:
    settings.BROKER_URL = "redis://127.0.0.1:9/0"
    assert client.get(PRODUCTS, headers=bearer("read")).status_code == 200
    answer = ask(client, bearer("index", user=people.alice))
    assert problem(answer, 503)["code"] == "service"
    assert not Job.objects.exists()


# -- bad input ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "kind", "status", "said"),
    [
        (b"{}", "text/plain", 415, "Unsupported body type 'text/plain'"),
        (b"a=1", "application/x-www-form-urlencoded", 415, "Content-Type"),
        (b"{", "application/json", 400, "line 1, column 2"),
        (b'{"sourceName": "\xff"}', "application/json", 400, "UTF-8 at byte 16"),
        (b"[" * 100_000, "application/json", 400, "nested too deeply"),
        (b'{"sourceName": "' + b"x" * 3_000_000, "application/json", 413, "large"),
    ],
)
def test_a_body_that_cannot_be_read_says_why(
    client: Client, people: People, body: bytes, kind: str, status: int, said: str
) -> None:
    headers = bearer("index", user=people.alice)
    answer = client.post(INDEX, body, content_type=kind, headers=headers)
    assert said in problem(answer, status)["detail"]


def test_very_many_wrong_fields_are_counted(client: Client, people: People) -> None:
    headers = bearer("index", user=people.alice)
    answer = post(client, INDEX, headers, **{f"k{n}": 1 for n in range(500)})
    detail = problem(answer, 422)["detail"]
    assert detail == "body: 501 names or values are invalid."


def test_an_unknown_parameter_is_named(client: Client, people: People) -> None:
    answer = client.get(PRODUCTS, {"limt": 3}, headers=bearer("read"))
    assert problem(answer, 422)["detail"].startswith("Unknown parameter limt.")


@pytest.mark.parametrize(
    "path",
    [
        "/sources/{id}/files/../../etc/passwd",
        "/sources/{id}/files/..%2f..%2fetc%2fpasswd",
        "/sources/{id}/files/%2e%2e/%2e%2e/etc/passwd",
        "/sources/{id}/files/..%5c..%5cwin.ini",
        "/sources/{id}/files//etc/passwd",
        "/sources/{id}/files/a.py?version=../../etc",
        "/sources/..%2f{id}",
        "/products/{id}/wiki/pages/../../../etc/passwd",
        "/products/{id}/wiki/files/..%2f..%2fetc%2fpasswd",
        "/products/..%2f..%2fadmin/wiki",
        "/jobs/..%2f..%2fetc",
        "/symbols/..%2f..%2fetc",
        "/tokens/..%2f1",
        "/hooks/github/..%2f..%2fetc",
    ],
)
def test_no_path_leads_out(client: Client, people: People, path: str) -> None:
    address = f"/api/v1{path.format(id=people.source.pk)}"
    answer = client.get(address, headers=bearer("admin"))
    problem(answer, answer.status_code)
    assert answer.status_code in {404, 405, 422}
    assert "root:" not in answer.content.decode()
