"""A product's wiki over REST (S2-8.10-10 to 12, T40)."""

from __future__ import annotations

import pytest
from django.http import HttpResponse
from django.test import Client

from devrag.wiki.models import Claim, Page, Version, Wiki
from tests.people import People, bearer

from .requests import problem


@pytest.fixture
def written(indexed: People) -> People:
    wiki = Wiki.objects.create(product=indexed.teahouse)
    version = Version.objects.create(
        wiki=wiki,
        number=3,
        writer="structural",
        sources={"teahouse-code": {"ref": "main", "commit": "a" * 40}},
    )
    wiki.current = version
    wiki.save()
    for ordinal, path in enumerate(["index.md", "features/brew.md"]):
        page = Page.objects.create(
            version=version,
            path=path,
            ordinal=ordinal,
            kind="feature",
            title=path,
            markdown="# 茶\n\nIt brews.[1](cite:1)\n",
            fingerprint="f",
        )
    Claim.objects.create(
        page=page,
        ordinal=1,
        sentence="It brews.",
        source_name="teahouse-code",
        path="brew.py",
        start_line=1,
        end_line=2,
        version_identifier="a" * 40,
        content_hash="b" * 64,
        excerpt="brew",
    )
    return indexed


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
