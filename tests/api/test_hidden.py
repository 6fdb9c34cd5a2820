"""What one may not see does not exist, at every door of the interface."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from devrag.jobs.models import Job
from devrag.labels.models import Label
from devrag.products.names import MAX_REFUSED_NAMES
from devrag.sources.models import File, GitRef
from devrag.wiki.models import Note, Version, Wiki
from tests.people import People, bearer
from tests.stored import (
    add_conflict,
    add_outdated,
    add_secret,
    store_files,
    symbol_named,
)

from .operations import EXAMPLES, OPERATIONS
from .requests import problem, send

# These name nothing that is there already.
_ELSEWHERE = {
    *("get /api/v1/products", "post /api/v1/products", "get /api/v1/sources"),
    *("get /api/v1/jobs", "get /api/v1/symbols", "get /api/v1/tokens"),
    *("post /api/v1/tokens", "delete /api/v1/tokens/{tokenID}"),
    "post /api/v1/hooks/{kind}/{source}",
    "post /api/v1/sources/upload",
    *("get /api/v1/audit", "get /api/v1/audit/export"),
    *("get /api/v1/model", "put /api/v1/model", "post /api/v1/model/test"),
}
# What the examples would not find here, or ask another host for.
_INSTEAD: dict[str, dict[str, Any]] = {
    "post /api/v1/products": {"productName": "brewery"},
    "post /api/v1/products/{productID}/wiki/notes": {"page": "index.md"},
    "put /api/v1/products/{productID}/digest": {"channel": ""},
    "post /api/v1/ask": {"productNames": ["teahouse"]},
    "post /api/v1/tokens": {"productNames": []},
    "put /api/v1/model": {"key": "sk-" + "k" * 40},
}
HIDDEN = sorted(set(OPERATIONS) - _ELSEWHERE)


@pytest.fixture
def places(written: People) -> dict[str, Any]:
    """Return an id of everything there is of the teahouse."""
    ref = GitRef.objects.get(source=written.source)
    store_files(ref, {"brew.py": "def pour():\n    pass\n"})
    job = Job.objects.create(kind="index", lane="x", product=written.teahouse)
    wiki = Wiki.objects.get()
    Version.objects.create(wiki=wiki, number=2, writer="structural")
    label = Label.objects.create(product=written.teahouse, name="brewing")
    note = Note.objects.create(wiki=wiki, page_path="index.md", text="x")
    return {
        "productID": written.teahouse.pk,
        "sourceID": written.source.pk,
        "jobID": job.pk,
        "noteID": note.pk,
        "labelID": label.pk,
        "label": "brewing",
        "conflictID": add_conflict(written.source).pk,
        "documentID": add_outdated(written.source).pk,
        "findingID": add_secret(File.objects.get(path="brew.py")).pk,
        "symbolID": symbol_named(ref, "pour").uuid,
        "version": 3,
        "path": "brew.py",
    }


def send_example(
    client: Client, name: str, places: dict[str, Any], headers: dict[str, str]
) -> Any:
    """Ask an operation with the example of its body."""
    method, path = name.split()
    if path.endswith("/{path}") and "/wiki/" in path:
        places = {**places, "path": "index.md"}
    address = path.format(**places)
    if name.endswith("/upload"):
        files = {"file": SimpleUploadedFile("a.md", b"# Tea\n")}
        return client.post(address, files, headers=headers)
    return send(client, method, address, headers, _body(name))


def _body(name: str) -> Any:
    asked = OPERATIONS[name].get("requestBody")
    if asked is None:
        return None
    schema = asked["content"]["application/json"]["schema"]["$ref"]
    body = dict(EXAMPLES[schema.rpartition("/")[2]])
    if name in _INSTEAD:
        return body | _INSTEAD[name]
    if name.endswith("/related"):
        body["query"] = "teahouse-code:brew.py:1"
    names = {"productName": "teahouse", "sourceName": "teahouse-code"}
    return body | {key: names[key] for key in names if key in body}


def test_a_hidden_thing_is_answered_like_none(
    client: Client, written: People, places: dict[str, Any]
) -> None:
    headers = bearer("admin", user=written.charlie)
    # A token of another product opens no more than a stranger's.
    limited = bearer("admin", products=(written.market,))
    # Nothing is changed by who is refused: one teahouse serves for all operations.
    for name in HIDDEN:
        for refused in (headers, limited):
            answer = send_example(client, name, places, refused)
            assert answer.status_code == 404, name
            problem(answer, 404)


def test_what_is_seen_is_answered(
    client: Client, written: People, places: dict[str, Any]
) -> None:
    # Else the test above would pass for paths that lead nowhere.
    reader = bearer("read", user=written.bob)
    writer = bearer("wiki", "index", user=written.alice)
    for name in HIDDEN:
        if name.startswith("get "):
            for_maintainers = name.endswith(
                (
                    *("/estimate", "/label-corrections", "/digest", "/digest/preview"),
                    *("/secrets", "/secrets/summary"),
                )
            )
            headers = writer if for_maintainers else reader
            assert send_example(client, name, places, headers).status_code == 200, name


def test_lists_leave_out_what_is_hidden(
    client: Client, written: People, places: dict[str, Any]
) -> None:
    headers = bearer("admin", user=written.charlie)
    for path in ("products", "sources", "jobs", "symbols?name=pour"):
        answer = client.get(f"/api/v1/{path}", headers=headers)
        assert answer.status_code == 200
        assert "teahouse" not in answer.content.decode()


def test_ids_that_are_none_are_answered_alike(client: Client, written: People) -> None:
    headers = bearer("admin", user=written.charlie)
    hidden, nothing = (
        problem(client.get(f"/api/v1/sources/{pk}", headers=headers), 404)["detail"]
        for pk in (written.source.pk, 999_999)
    )
    assert hidden == nothing.replace("999999", str(written.source.pk))
    problem(client.get(f"/api/v1/symbols/{uuid4()}", headers=headers), 404)


def _add(client: Client, path: str, name: str, headers: dict[str, str]) -> Any:
    body = {"productName": name}
    if path == "sources":
        body["sourceURL"] = "https://git.example/teahouse.git"
    return send(client, "post", f"/api/v1/{path}", headers, body)


@pytest.mark.parametrize(("path", "status"), [("products", 403), ("sources", 404)])
def test_who_may_add_no_products_learns_no_names(
    client: Client, written: People, path: str, status: int
) -> None:
    for headers in (
        bearer("index", user=written.charlie),
        bearer("index", products=(written.market,)),
        bearer("admin", products=(written.market,)),
    ):
        hidden, unknown = (
            problem(_add(client, path, name, headers), status)["detail"]
            for name in ("teahouse", "nowhere")
        )
        assert hidden == unknown.replace("nowhere", "teahouse")


@pytest.mark.parametrize("path", ["products", "sources"])
def test_who_may_add_products_learns_that_a_name_is_taken(
    client: Client, written: People, path: str
) -> None:  # docs/decisions/0013-names-are-unique.md
    written.charlie.is_staff = True
    written.charlie.save()
    headers = bearer("index", user=written.charlie)
    told = problem(_add(client, path, "teahouse", headers), 409)["detail"]
    assert told == "The name 'teahouse' is not available. Choose another name."


@pytest.mark.parametrize("path", ["products", "sources"])
def test_names_cannot_be_tried_one_after_the_other(
    client: Client, written: People, path: str
) -> None:
    written.charlie.is_staff = True
    written.charlie.save()
    headers = bearer("index", user=written.charlie)
    for _ in range(MAX_REFUSED_NAMES):
        problem(_add(client, path, "teahouse", headers), 409)
    refused = _add(client, path, "teahouse", headers)
    assert problem(refused, 429)["code"] == "rate_limited"
    assert refused["Retry-After"] == "3600"
    # Another token of the same person is no other person.
    again = bearer("index", user=written.charlie)
    problem(_add(client, path, "teahouse", again), 429)


def test_a_token_names_no_product_that_its_owner_lost(
    client: Client, written: People
) -> None:
    both = (written.teahouse, written.market)
    headers = bearer("read", user=written.alice, products=both)
    written.alice.memberships.all().delete()
    answer = client.get("/api/v1/tokens", headers=headers)
    assert [row["productNames"] for row in answer.json()] == [["market"]]
