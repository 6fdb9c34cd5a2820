"""Pages and tickets among code: their filters, and what a hit says of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from devrag.core.errors import InvalidInput
from devrag.core.principal import SYSTEM
from devrag.search.document_filters import read_day
from devrag.search.fields import result_fields
from devrag.search.lexical.follower import catch_up
from devrag.search.query_parser import parse_query
from devrag.search.service import search
from devrag.search.types import SearchQuery
from tests.conftest import Repository, Stand
from tests.documents import PAY, TRACKER, index_documents
from tests.search.shop import embed_all, index_shop
from tests.standing import Standing

pytestmark = pytest.mark.django_db

TWICE, VOUCHER, FLOW = "issues/7.md", "issues/3.md", "wiki/Payment flow.md"


@pytest.fixture(scope="module")
def standing_tracker(stand: Stand) -> Standing[Repository]:
    def make(folder: Path) -> Repository:
        shop = index_shop(folder)
        index_documents(folder / "tracker", "shop", TRACKER)
        catch_up(Path(settings.LEXICAL_DIR))
        embed_all()
        return shop

    return stand(make)


@pytest.fixture
def tickets(
    standing_tracker: Standing[Repository], db: None, tmp_path: Path
) -> Iterator[None]:
    with standing_tracker.furnish(tmp_path / "home").taking_back():
        yield


def ask(text: str, **options: Any) -> SearchQuery:
    return SearchQuery(text=text, principal=SYSTEM, **options)


def paths(text: str, **options: Any) -> list[str]:
    return [hit.path for hit in search(ask(text, **options)).hits]


FILTERS: list[tuple[str, set[str]]] = [
    ("kind:page", {FLOW}),
    ("kind:ticket", {TWICE, VOUCHER}),
    ("status:open", {TWICE}),
    ("status:closed", {VOUCHER}),
    ('status:"in progress"', {TWICE}),
    ('author:"jane doe"', {TWICE, FLOW}),
    ("author:SATO", {VOUCHER}),
    ("after:2026-01-01", {TWICE, FLOW}),
    ("before:2026", {VOUCHER}),
    ("after:2026-02-01 before:2026-03-04", {FLOW}),
    ("author:jane after:2026-02-02", {TWICE}),
    ("label:payments", {TWICE, FLOW}),
    ('label:"Customer Reported"', {TWICE}),
    ("kind:ticket -label:payments", {VOUCHER}),
    ("status:rejected", set()),
]


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
@pytest.mark.usefixtures("tickets")
def test_every_mode_obeys_filters_of_documents(mode: str) -> None:
    for filters, wanted in FILTERS:
        assert set(paths(f"checkout {filters}", mode=mode)) == wanted, filters


@pytest.mark.usefixtures("tickets")
def test_filters_may_stand_beside_the_question() -> None:
    assert paths("checkout", status="open", author="jane", after="2026") == [TWICE]
    assert set(paths("checkout", kind="page", before="2026-03")) == {FLOW}


@pytest.mark.usefixtures("tickets")
def test_lines_are_filtered_by_documents() -> None:
    assert paths('status:closed exact:"checkout"') == [VOUCHER]


@pytest.mark.usefixtures("tickets")
def test_filters_alone_list_documents_the_latest_first() -> None:
    result = search(ask("author:jane"))
    assert [hit.path for hit in result.hits] == [TWICE, FLOW]
    assert result.total == 2
    assert paths("kind:ticket") == [TWICE, VOUCHER]


@pytest.mark.usefixtures("tickets")
def test_a_hit_says_what_is_known_of_its_document() -> None:
    result = search(ask("checkout status:open"))
    (hit,) = result.hits
    assert hit.document is not None
    assert (hit.document.title, hit.document.place) == (PAY.title, ("Shop",))
    (fields,) = result_fields(result, lambda hit: hit.text)["hits"]
    assert fields["document"] == {
        "kind": "ticket",
        "title": "Checkout charges twice",
        "place": ["Shop"],
        "author": "Jane Doe",
        "createdAt": "2026-01-02T09:00:00+00:00",
        "changedAt": "2026-03-04T05:06:07+00:00",
        "status": "In Progress",
        "isClosed": False,
        "labels": ["payments", "customer reported"],
        "originalURL": "https://tickets.example.com/issues/7",
        "originalVersion": "12",
    }
    code = search(ask("checkout path:shop/")).hits
    assert code
    assert {hit.document for hit in code} == {None}


@pytest.mark.usefixtures("tickets")
def test_filters_of_documents_cost_no_query() -> None:
    def count(text: str) -> int:
        with CaptureQueriesContext(connection) as found:
            search(ask(text, mode="keyword"))
        return len(found)

    search(ask("checkout", mode="keyword"))
    plain = count("checkout")
    assert count("checkout kind:ticket author:jane after:2026-01-01") == plain


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x after:yesterday", "after is 'yesterday'"),
        ("x before:2026-13-01", "before is '2026-13-01'"),
        ("x after:2026-02-30", "after is"),
        ("x after:２０２６", "after is"),
        ("x after:2026-02 before:2026-02-01", "no result can match"),
        ("x status:open status:closed", "two values for status"),
        ("x -author:jane", "Only -path: and -label:"),
        ("x label:never-heard-of", "Unknown label 'never-heard-of'"),
    ],
)
@pytest.mark.usefixtures("tickets")
def test_filters_that_make_no_sense_are_refused(text: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        search(ask(text))


def test_a_filter_that_is_being_typed_is_none_yet() -> None:
    query = parse_query(ask("tax after:2026-0", is_typing=True))
    assert (query.text, query.after) == ("tax", "")
    assert parse_query(ask("tax status:open ", is_typing=True)).status == "open"


@pytest.mark.parametrize("written", ["", "26", "2026-1-1", "2026/01/01", "0000-01-01"])
def test_what_is_no_date_is_none(written: str) -> None:
    assert read_day(written) is None


@pytest.mark.usefixtures("tickets")
def test_the_first_and_the_last_day_may_be_asked_for() -> None:
    assert paths("checkout before:0001-01-01") == []
    assert paths("checkout after:9999-12-31") == []
    assert set(paths("checkout after:0001")) == {TWICE, VOUCHER, FLOW}
