"""The audit log over REST."""

from __future__ import annotations

import pytest
from django.test import Client

from devrag.audit.api import record_event
from tests.people import People, bearer

from .requests import problem

PATH = "/api/v1/audit"


@pytest.fixture
def told(people: People) -> People:
    for _ in range(3):
        record_event("product.changed", product=people.teahouse)
    record_event("product.changed", product=people.market)
    return people


def test_a_maintainer_pages_through_what_is_theirs(
    client: Client, told: People
) -> None:
    headers = bearer("admin", user=told.alice)
    query = {"action": "product.changed", "limit": 2}
    answer = client.get(PATH, query, headers=headers)
    first = answer.json()
    following = answer["Link"].partition("<")[2].partition(">")[0]
    rest = client.get(following, headers=headers)
    assert [row["productName"] for row in first + rest.json()] == ["teahouse"] * 3
    assert "Link" not in rest
    ids = [row["id"] for row in first + rest.json()]
    assert ids == sorted(ids, reverse=True)


def test_a_filter_narrows(client: Client, told: People) -> None:
    headers = bearer("admin")
    rows = client.get(PATH, {"product": "market"}, headers=headers).json()
    assert {row["productName"] for row in rows} == {"market"}
    later = {"since": "2999-01-01T00:00:00Z"}
    assert client.get(PATH, later, headers=headers).json() == []
    problem(client.get(PATH, {"since": "2026-01-01T00:00"}, headers=headers), 422)


@pytest.mark.parametrize(
    "until", ["2999-01-01T00:00:00-23:59", "9999-12-31T23:59:59-19:09"]
)
@pytest.mark.parametrize(
    "since", ["2001-01-01T00:00:00+23:59", "0001-01-01T00:00:00+19:09"]
)
def test_any_offset_and_any_year_is_taken(
    client: Client, told: People, since: str, until: str
) -> None:
    wanted = {"since": since, "until": until, "product": "market"}
    assert client.get(PATH, wanted, headers=bearer("admin")).json()


def test_others_are_refused(client: Client, told: People) -> None:
    problem(client.get(PATH, headers=bearer("admin", user=told.bob)), 403)
    problem(client.get(PATH, headers=bearer("read", user=told.alice)), 403)
    hidden = {"product": "teahouse"}
    problem(client.get(PATH, hidden, headers=bearer("admin", user=told.charlie)), 404)


@pytest.mark.parametrize(
    ("kind", "media"),
    [("csv", "text/csv; charset=utf-8"), ("jsonl", "application/jsonl")],
)
def test_an_export_is_a_file(
    client: Client, told: People, kind: str, media: str
) -> None:
    answer = client.get(f"{PATH}/export", {"format": kind}, headers=bearer("admin"))
    assert answer["Content-Type"] == media
    assert answer["Content-Disposition"].endswith(f'audit.{kind}"')
