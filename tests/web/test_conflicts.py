"""The page of conflicts, the boxes beside files, and REST."""

from __future__ import annotations

import pytest
from django.test import Client

from devrag.wiki.models import DocumentConflict
from tests.people import bearer

from .conftest import Harbour

PAGE = "/p/harbour/conflicts/"


@pytest.fixture
def conflict(harbour: Harbour) -> DocumentConflict:
    file = harbour.add_file("docs/berth.md", "`DEPTH` is `3`.\n", "markdown", "doc")
    return DocumentConflict.objects.create(
        product=harbour.product,
        key="a" * 64,
        kind="default",
        subject="DEPTH",
        value="3",
        actual="5",
        document_source=harbour.source,
        document_path=file.path,
        document_start=1,
        document_end=1,
        document_excerpt="`DEPTH` is `3`.",
        code_source=harbour.source,
        code_path="src/berth.py",
        code_start=1,
        code_end=1,
        code_excerpt="DEPTH = 5",
    )


def test_readers_see_both_sides_and_no_buttons(
    bob: Client, conflict: DocumentConflict
) -> None:
    text = bob.get(PAGE).content.decode()
    assert "`DEPTH` is `3`." in text
    assert "DEPTH = 5" in text
    assert "Not a conflict</button>" not in text


def test_a_maintainer_decides(alice: Client, conflict: DocumentConflict) -> None:
    assert "Not a conflict</button>" in alice.get(PAGE).content.decode()
    address = f"{PAGE}{conflict.pk}/"
    assert alice.post(address, {"state": "dismissed"}).status_code == 303
    conflict.refresh_from_db()
    assert (conflict.state, conflict.decided_by) == ("dismissed", "alice")
    assert "DEPTH = 5" not in alice.get(PAGE).content.decode()
    assert "DEPTH = 5" in alice.get(PAGE + "?state=dismissed").content.decode()


def test_a_reader_may_not_decide(bob: Client, conflict: DocumentConflict) -> None:
    assert bob.post(f"{PAGE}{conflict.pk}/", {"state": "dismissed"}).status_code == 403
    conflict.refresh_from_db()
    assert conflict.state == "open"


def test_conflicts_are_filtered_by_kind(
    bob: Client, conflict: DocumentConflict
) -> None:
    assert "DEPTH = 5" in bob.get(PAGE + "?kind=default").content.decode()
    assert "DEPTH = 5" not in bob.get(PAGE + "?kind=port").content.decode()


def test_a_file_shows_its_conflicts(bob: Client, conflict: DocumentConflict) -> None:
    address = "/p/harbour/s/harbour-code/-/current/docs/berth.md"
    assert "DEPTH = 5" in bob.get(address).content.decode()


def test_others_do_not_learn_of_conflicts(
    charlie: Client, conflict: DocumentConflict
) -> None:
    assert charlie.get(PAGE).status_code == 404


def test_rest_lists_and_changes_conflicts(
    client: Client, conflict: DocumentConflict
) -> None:
    base = f"/api/v1/products/{conflict.product_id}/conflicts"
    reader, writer = (
        bearer(*scopes, products=(conflict.product,))
        for scopes in (("read",), ("read", "wiki"))
    )
    (found,) = client.get(base, headers=reader).json()
    assert found["subject"] == "DEPTH"
    assert found["code"]["excerpt"] == "DEPTH = 5"
    address, body = f"{base}/{conflict.pk}", {"state": "dismissed"}
    kind = "application/json"
    refused = client.patch(address, body, content_type=kind, headers=reader)
    assert refused.status_code == 403
    changed = client.patch(address, body, content_type=kind, headers=writer)
    assert changed.json()["state"] == "dismissed"
    assert client.get(base, headers=reader).json() == []
