"""The REST interface over HTTP, as CI uses it after a merge."""

from __future__ import annotations

import re

import pytest

from tests.conftest import Repository

from .instance import Instance

pytestmark = pytest.mark.xdist_group("e2e")


@pytest.mark.parametrize("token", [None, "", "devrag_wrong"])
def test_without_a_right_token_nothing_is_told(
    instance: Instance, token: str | None
) -> None:
    assert instance.http("/api/v1/products", token=token).status == 401


def test_an_index_request_answers_at_once_and_the_wiki_follows(
    instance: Instance, shop: Repository
) -> None:
    commit = shop.commit({"shop/gift.py": '"""Gifts."""\n'}, "Wrap gifts")
    body = {"sourceName": "shop", "ref": "main", "generateWiki": True}
    answer = instance.api("/sources/index", {**body, "commitHash": commit})
    accepted = answer.json()
    assert (answer.status, set(accepted)) == (202, {"jobID", "status"})
    assert answer.headers["Location"] == f"/api/v1/jobs/{accepted['jobID']}"
    job = instance.wait_job(accepted["jobID"])
    assert (job["status"], job["sourceName"]) == ("completed", "shop")
    assert job["report"]["commit"] == commit
    wiki = instance.wait_job(job["report"]["wikiJobID"])
    assert (wiki["jobType"], wiki["status"]) == ("wiki", "completed")


def test_products_are_listed(instance: Instance, shop: Repository) -> None:
    rows = {row["productName"]: row for row in instance.api("/products").json()}
    assert rows["shop"]["sourceCount"] == 1
    assert {"productID", "title", "description"} < set(rows["shop"])


def test_an_unknown_source_is_a_problem(instance: Instance) -> None:
    answer = instance.api("/sources/index", {"sourceName": "unknown"})
    assert answer.status == 404
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert "unknown" in answer.json()["detail"]


@pytest.mark.parametrize(
    "body", [{}, {"sourceName": ""}, {"sourceName": "shop", "commitHash": "HEAD"}]
)
def test_a_wrong_body_is_422(instance: Instance, body: dict[str, str]) -> None:
    assert instance.api("/sources/index", body).status == 422


def test_the_docs_load_nothing_from_elsewhere(instance: Instance) -> None:
    answer = instance.http("/api/v1/docs")
    assert answer.status == 200
    links = re.findall(r'(?:src|href)="([^"]+)"', answer.text)
    assert links
    for link in links:
        assert link.startswith("/static/")
        assert instance.http(link).status == 200
