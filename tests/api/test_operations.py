"""Who may knock at the REST interface, and with what."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from devrag.access.models import ApiToken
from devrag.access.services import create_token
from devrag.jobs.models import Job
from tests.people import People, bearer

from .requests import post, problem

INDEX, WIKI = "/api/v1/sources/index", "/api/v1/products/wiki"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", "/api/v1/products"),
        ("post", INDEX),
        ("post", WIKI),
        ("get", "/api/v1/products/1"),
        ("get", "/api/v1/products/1/sources"),
        ("get", "/api/v1/products/1/wiki"),
        ("get", "/api/v1/products/1/wiki/files"),
        ("get", "/api/v1/products/1/wiki/files/index.md"),
        ("get", "/api/v1/sources"),
        ("post", "/api/v1/sources"),
        ("get", "/api/v1/sources/1"),
        ("patch", "/api/v1/sources/1"),
        ("post", "/api/v1/sources/1/hook"),
        ("get", f"/api/v1/jobs/{uuid.UUID(int=7)}"),
    ],
)
def test_without_a_token_every_door_is_shut(
    client: Client, people: People, method: str, path: str
) -> None:
    answer = getattr(client, method)(path)
    assert problem(answer, 401)["code"] == "unauthenticated"
    assert answer["WWW-Authenticate"].startswith('Bearer scope="')


@pytest.mark.parametrize(
    "header", ["Bearer wrong", "Bearer", "Bearer ", "Basic {}", "{}", "Token {}"]
)
def test_a_wrong_token_is_refused(client: Client, people: People, header: str) -> None:
    _, secret = create_token(name="ci", scopes=["read"])
    headers = {"Authorization": header.format(secret)}
    problem(client.get("/api/v1/products", headers=headers), 401)


@pytest.mark.parametrize("name", ["token", "access_token", "cursor"])
def test_a_token_in_the_address_is_refused(
    client: Client, people: People, name: str
) -> None:
    # Addresses end up in logs.
    headers = bearer("admin")
    secret = headers["Authorization"].removeprefix("Bearer ")
    answer = client.get("/api/v1/products", {name: secret}, headers=headers)
    assert problem(answer, 400)["code"] == "token_in_address"


def test_a_session_is_no_token(client: Client, people: People) -> None:
    client.force_login(people.alice)
    problem(client.get("/api/v1/products"), 401)


@pytest.mark.parametrize(
    ("path", "scope", "body"),
    [
        (INDEX, "wiki", {"sourceName": "teahouse-code"}),
        (WIKI, "index", {"productName": "teahouse"}),
    ],
)
def test_a_missing_scope_is_forbidden(
    client: Client, people: People, path: str, scope: str, body: dict[str, str]
) -> None:
    answer = post(client, path, bearer(scope, user=people.alice), **body)
    said = problem(answer, 403)
    assert said["code"] == "permission_denied"
    needed = {INDEX: "index", WIKI: "wiki"}[path]
    assert f"lacks the scope '{needed}'" in said["detail"]
    challenge = f'Bearer error="insufficient_scope", scope="{needed}"'
    assert answer["WWW-Authenticate"] == challenge
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"is_revoked": True}, "has been revoked"),
        ({"expires_at": datetime(2026, 1, 2, 3, 4, tzinfo=UTC)}, "2026-01-02 03:04"),
    ],
)
def test_a_dead_token_says_why(
    client: Client, people: People, fields: dict[str, Any], said: str
) -> None:
    headers = bearer("read")
    ApiToken.objects.update(**fields)
    answer = client.get("/api/v1/products", headers=headers)
    assert said in problem(answer, 401)["detail"]
    assert 'error="invalid_token", scope="read"' in answer["WWW-Authenticate"]
