"""The page of documents that may be outdated, the notice on a file, REST."""

from __future__ import annotations

import pytest
from django.test import Client

from devrag.wiki.models import Claim, OutdatedDocument, Wiki
from tests.people import bearer
from tests.stored import add_outdated, add_symbol

from .conftest import Harbour

PAGE = "/p/harbour/outdated/"
FILE = "/p/harbour/s/harbour-code/-/current/docs/berth.md"
BUTTON = "Still correct</button>"


@pytest.fixture
def document(harbour: Harbour) -> OutdatedDocument:
    harbour.add_file("docs/berth.md", "`Berth.moor` ties.\n", "markdown", "doc")
    return add_outdated(harbour.source, "docs/berth.md")


def test_readers_see_code_dates_and_no_button(
    bob: Client, document: OutdatedDocument
) -> None:
    text = bob.get(PAGE).content.decode()
    assert "Berth.moor" in text
    assert "2026-01-01" in text
    assert "2026-03-01" in text
    assert "12 lines" in text
    assert BUTTON not in text


def test_a_file_has_a_notice(bob: Client, document: OutdatedDocument) -> None:
    text = bob.get(FILE).content.decode()
    assert "This document may be outdated" in text
    assert "Berth.moor" in text


def test_a_wiki_page_says_what_it_quotes_of_it(
    bob: Client, wiki: Wiki, document: OutdatedDocument
) -> None:
    address, said = "/p/harbour/wiki/architecture", "This page quotes a document whose"
    assert said not in bob.get(address).content.decode()
    Claim.objects.update(source_name="harbour-code", path="docs/berth.md")
    text = bob.get(address).content.decode()
    assert said in text
    assert f'href="{FILE}"' in text


def test_a_definition_leads_to_its_lines(
    bob: Client, harbour: Harbour, document: OutdatedDocument
) -> None:
    address = "/p/harbour/s/harbour-code/-/current/src/berth.py"
    assert f'href="{address}"' in bob.get(PAGE).content.decode()
    file = harbour.add_file(
        "src/berth.py", "class Berth:\n    x = 1\n", "python", "code"
    )
    add_symbol(file, "Berth.moor", kind="method", start_line=2, end_line=2)
    assert f'href="{address}#L2"' in bob.get(PAGE).content.decode()


def test_a_maintainer_says_that_it_is_right(
    alice: Client, document: OutdatedDocument
) -> None:
    assert BUTTON in alice.get(PAGE).content.decode()
    address = f"{PAGE}{document.pk}/"
    assert alice.post(address, {"is_right": "1"}).status_code == 303
    document.refresh_from_db()
    assert (document.state, document.checked_by) == ("checked", "alice")
    assert "Berth.moor" not in alice.get(PAGE).content.decode()
    assert "may be outdated" not in alice.get(FILE).content.decode()
    assert "Berth.moor" in alice.get(PAGE + "?state=checked").content.decode()
    alice.post(address, {"is_right": "0"})
    assert "Berth.moor" in alice.get(PAGE).content.decode()


def test_a_reader_may_not_check(bob: Client, document: OutdatedDocument) -> None:
    answer = bob.post(f"{PAGE}{document.pk}/", {"is_right": "1"})
    assert answer.status_code == 403
    document.refresh_from_db()
    assert document.state == "open"


def test_others_do_not_learn_of_documents(
    charlie: Client, document: OutdatedDocument
) -> None:
    assert charlie.get(PAGE).status_code == 404


def test_rest_lists_in_pages_and_checks(
    client: Client, harbour: Harbour, document: OutdatedDocument
) -> None:
    more = add_outdated(harbour.source, "docs/more.md", lines=90)
    base = f"/api/v1/products/{document.product_id}/outdated-documents"
    reader, writer = (
        bearer(*scopes, products=(document.product,))
        for scopes in (("read",), ("read", "wiki"))
    )
    first = client.get(base + "?limit=1", headers=reader)
    assert [each["documentID"] for each in first.json()] == [more.pk]
    link = first["Link"].partition(">")[0].removeprefix("<")
    (found,) = client.get(link, headers=reader).json()
    assert (found["path"], found["lines"]) == ("docs/berth.md", 12)
    assert found["code"][0]["symbol"] == "Berth.moor"
    address, body = f"{base}/{document.pk}", {"isRight": True}
    kind = "application/json"
    refused = client.patch(address, body, content_type=kind, headers=reader)
    assert refused.status_code == 403
    changed = client.patch(address, body, content_type=kind, headers=writer)
    assert changed.json()["state"] == "checked"
    (left,) = client.get(base, headers=reader).json()
    assert left["documentID"] == more.pk
