"""A product's wiki over REST."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from devrag.products.models import Product
from devrag.wiki.models import Page, Version, Wiki
from devrag.wiki.publishing import formats
from tests.people import People, bearer

from .requests import problem, send


def ask(client: Client, people: People, tail: str = "") -> HttpResponse:
    headers = bearer("read", user=people.bob)
    path = f"/api/v1/products/{people.teahouse.pk}/wiki{tail}"
    return client.get(path, headers=headers)


def test_the_latest_wiki_says_what_it_was_made_of(
    client: Client, written: People
) -> None:
    data = ask(client, written).json()
    assert data.pop("generatedAt")
    assert data == {
        "productID": written.teahouse.pk,
        "productName": "teahouse",
        "version": 3,
        "writer": "structural",
        "pageCount": 2,
        "sources": [
            {"sourceName": "teahouse-code", "ref": "main", "commitHash": "a" * 40}
        ],
    }


@pytest.mark.parametrize("tail", ["", "/files", "/files/index.md"])
def test_without_a_wiki_it_is_not_found(
    client: Client, indexed: People, tail: str
) -> None:
    said = problem(ask(client, indexed, tail), 404)
    assert "no wiki yet" in said["detail"]


def test_files_are_listed_in_reading_order(client: Client, written: People) -> None:
    rows = ask(client, written, "/files").json()
    assert [row["path"] for row in rows] == ["index.md", "features/brew.md"]
    assert set(rows[0]) == {"path", "title", "kind"}


def test_a_file_is_markdown_with_links_to_its_evidence(
    client: Client, written: People
) -> None:
    answer = ask(client, written, "/files/features/brew.md")
    assert answer["Content-Type"] == "text/markdown; charset=utf-8"
    text = answer.content.decode()
    assert text.startswith("# 茶\n")
    assert "http://localhost/p/teahouse/s/teahouse-code/-/" in text


@pytest.mark.parametrize(
    "path", ["../secret", "features/../index.md", "..%2findex.md", "nope.md", "/etc"]
)
def test_what_is_no_file_is_not_found(
    client: Client, written: People, path: str
) -> None:
    problem(ask(client, written, f"/files/{path}"), 404)


def test_a_page_is_json_with_the_state_of_its_claims(
    client: Client, written: People
) -> None:
    data = ask(client, written, "/pages/features/brew.md").json()
    assert (data["path"], data["version"]) == ("features/brew.md", 3)
    assert data["markdown"] == "# 茶\n\nIt brews.[1](cite:1)\n"
    assert (data["claimCount"], data["staleCount"]) == (1, 1)


def test_a_claim_names_its_place_and_what_became_of_it(
    client: Client, written: People
) -> None:
    (claim,) = ask(client, written, "/claims").json()
    assert (claim["page"], claim["number"]) == ("features/brew.md", 1)
    assert (claim["path"], claim["startLine"], claim["endLine"]) == ("brew.py", 1, 2)
    assert (claim["state"], claim["reason"]) == ("stale", "deleted or renamed")
    assert claim["nowPath"] is None
    assert ask(client, written, "/claims?page=index.md").json() == []
    problem(ask(client, written, "/claims?page=nope.md"), 404)


# -- versions ----------------------------------------------------------------------


def _publish(wiki: Wiki, number: int, title: str, markdown: str) -> None:
    """Let readers see a version of one page."""
    wiki.current = Version.objects.create(wiki=wiki, number=number, writer="structural")
    wiki.save()
    Page.objects.create(
        version=wiki.current,
        path="index.md",
        ordinal=0,
        kind="index",
        title=title,
        markdown=markdown,
        fingerprint="g",
    )


@pytest.fixture
def rewritten(written: People, settings: Any) -> People:
    """Readers see version 4, in which the index was written anew."""
    _publish(Wiki.objects.get(), 4, "Tea", "# 茶\n\nIt pours.\n")
    return written


def test_files_of_every_language_are_listed(client: Client, written: People) -> None:
    wiki = Wiki.objects.create(product=written.teahouse, language="ja")
    _publish(wiki, 1, "茶", "# 茶\n")
    Product.objects.update(wiki_settings={"language": "en,ja"})
    files = [row["path"] for row in ask(client, written, "/files").json()]
    assert files == ["index.md", "features/brew.md", "ja/index.md"]
    page = ask(client, written, "/files/ja/index.md").content.decode()
    assert page.startswith("# 茶")


def test_versions_are_listed_and_shown(client: Client, rewritten: People) -> None:
    rows = ask(client, rewritten, "/versions").json()
    assert [(row["version"], row["isCurrent"]) for row in rows] == [
        (4, True),
        (3, False),
    ]
    data = ask(client, rewritten, "/versions/3").json()
    assert data["sources"][0]["commitHash"] == "a" * 40
    assert set(data) > {"report", "coverage"}
    for number in (5, 2**70):
        problem(ask(client, rewritten, f"/versions/{number}"), 404)


def test_two_versions_are_compared(client: Client, rewritten: People) -> None:
    rows = ask(client, rewritten, "/diff").json()
    assert [(row["path"], row["kind"]) for row in rows] == [
        ("index.md", "changed"),
        ("features/brew.md", "removed"),
    ]
    assert "+It pours." in rows[0]["diff"]
    back = ask(client, rewritten, "/diff?before=4&after=3").json()
    assert back[1]["kind"] == "added"
    assert ask(client, rewritten, "/diff?before=4").json() == []
    said = problem(ask(client, rewritten, "/diff?after=3"), 404)["detail"]
    assert said == "Version 3 is the oldest; there is nothing to compare it with."


def test_a_version_is_pinned_and_shown_again(client: Client, rewritten: People) -> None:
    path = f"/api/v1/products/{rewritten.teahouse.pk}/wiki/versions/3"
    change = {"isPinned": True, "isCurrent": True}
    for headers in (
        bearer("read", user=rewritten.alice),
        bearer("wiki", user=rewritten.bob),
    ):
        problem(send(client, "patch", path, headers, change), 403)
    headers = bearer("wiki", user=rewritten.alice)
    data = send(client, "patch", path, headers, change).json()
    assert (data["isPinned"], data["isCurrent"]) == (True, True)
    assert ask(client, rewritten).json()["version"] == 3


# -- notes -------------------------------------------------------------------------


def test_a_note_is_written_moved_and_deleted(client: Client, written: People) -> None:
    path = f"/api/v1/products/{written.teahouse.pk}/wiki/notes"
    headers = bearer("wiki", user=written.alice)
    body = {"page": "index.md", "text": "Ask *Alice*."}
    made = send(client, "post", path, headers, body)
    assert (made.status_code, made.json()["author"]) == (201, "alice")
    note = made["Location"]
    change = {"page": "features/brew.md", "text": "Ask *Bob*."}
    problem(send(client, "patch", note, bearer("wiki", user=written.bob), change), 403)
    changed = send(client, "patch", note, headers, change).json()
    assert (changed["page"], changed["text"]) == ("features/brew.md", "Ask *Bob*.")
    assert ask(client, written, "/notes?page=features/brew.md").json() == [changed]
    assert client.delete(note, headers=headers).status_code == 204
    problem(client.get(note, headers=headers), 404)


def test_what_a_change_of_a_note_leaves_out_stays(
    client: Client, written: People
) -> None:
    path = f"/api/v1/products/{written.teahouse.pk}/wiki/notes"
    headers = bearer("wiki", user=written.alice)
    body = {"page": "index.md", "text": "Ask.", "anchor": "tea"}
    note = send(client, "post", path, headers, body)["Location"]

    def change(**given: str) -> tuple[str, str, str]:
        told = send(client, "patch", note, headers, given).json()
        return told["page"], told["anchor"], told["text"]

    assert change(page="features/brew.md") == ("features/brew.md", "tea", "Ask.")
    assert change(anchor="pot") == ("features/brew.md", "pot", "Ask.")
    assert change(anchor="") == ("features/brew.md", "", "Ask.")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"page": "nope.md", "text": "x"}, 404),
        ({"page": "index.md", "text": ""}, 422),
        ({"page": "index.md", "text": " "}, 400),
        ({"page": "index.md", "text": "x", "author": "bob"}, 422),
    ],
)
def test_a_note_that_cannot_be_is_refused(
    client: Client, written: People, body: dict[str, str], status: int
) -> None:
    path = f"/api/v1/products/{written.teahouse.pk}/wiki/notes"
    headers = bearer("wiki", user=written.alice)
    problem(send(client, "post", path, headers, body), status)


# -- exports -----------------------------------------------------------------------


def test_a_version_is_sent_as_files(client: Client, written: People) -> None:
    for kind, names in (
        ("md", {"index.md", "features/brew.md", "llms.txt"}),
        ("html", {"index.html", "features/brew.html", "style.css", "llms.txt"}),
    ):
        answer = ask(client, written, f"/export?format={kind}&version=3")
        assert answer["Content-Type"] == "application/zip"
        assert 'filename="teahouse-wiki-3.zip"' in answer["Content-Disposition"]
        found = zipfile.ZipFile(io.BytesIO(answer.content)).namelist()
        assert set(found) == {f"teahouse/{name}" for name in names}


def test_an_export_is_sent_once(client: Client, written: People) -> None:
    tag = ask(client, written, "/export")["ETag"]
    headers = {**bearer("read", user=written.bob), "If-None-Match": tag}
    path = f"/api/v1/products/{written.teahouse.pk}/wiki/export"
    assert client.get(path, headers=headers).status_code == 304


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("version=9", 404),
        (f"version={2**31 - 1}", 404),
        ("language=ja", 404),
        ("format=pdf", 422),
        ("version=x", 422),
    ],
)
def test_what_cannot_be_exported_is_said(
    client: Client, written: People, query: str, status: int
) -> None:
    problem(ask(client, written, f"/export?{query}"), status)


def test_a_wiki_that_is_too_long_is_not_sent(
    client: Client, written: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "_MOST_CHARACTERS", 20)
    said = problem(ask(client, written, "/export"), 409)
    assert "56 characters; the limit is 20" in said["detail"]
