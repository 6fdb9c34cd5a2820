"""A database that goes away in the middle of a request: 503, and when to try again."""

from __future__ import annotations

import json

import psycopg
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from devrag.access import sign_in
from devrag.access.services import create_token

pytestmark = pytest.mark.django_db(transaction=True)
PAGES = ["/", "/search?q=cart", "/p/nowhere/", "/jobs/", "/settings/tokens/"]


def terminate_backend() -> None:
    """End the server's side of this thread's connection, as an administrator may."""
    connection.ensure_connection()
    pid = connection.connection.info.backend_pid
    database = settings.DATABASES["default"]
    with psycopg.connect(
        host=database["HOST"],
        port=database["PORT"],
        user=database["USER"],
        password=database["PASSWORD"],
        dbname=database["NAME"],
        autocommit=True,
    ) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])


@pytest.fixture
def client() -> Client:
    return Client(HTTP_HOST="localhost", raise_request_exception=False)


@pytest.fixture
def signed_in(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root"))
    return client


@pytest.mark.parametrize("path", PAGES)
def test_a_page_says_when_to_try_again(signed_in: Client, path: str) -> None:
    # The session is read before any view.
    terminate_backend()
    answer = signed_in.get(path)
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert "The database is not responding. Try again" in answer.content.decode()
    connection.close()
    assert signed_in.get(path).status_code != 503


@pytest.mark.slow
def test_sign_in_counts_no_password_that_was_not_checked(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.create_user("ann", password="correct horse")
    given = {"username": "ann", "password": "correct horse"}
    with monkeypatch.context() as broken:
        # Where an attempt gives its connection back, it loses it instead.
        broken.setattr(sign_in, "release_connections", terminate_backend)
        for _ in range(6):
            answer = client.post("/sign-in/", given)
            assert (answer.status_code, int(answer["Retry-After"]) > 0) == (503, True)
            connection.close()
    assert client.post("/sign-in/", given).status_code == 302


def test_a_view_that_loses_the_database_says_so(client: Client) -> None:
    terminate_backend()  # without a session it is the view that asks first
    answer = client.get("/search?q=cart", headers={"HX-Request": "true"})
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert 'role="alert"' in answer.content.decode()
    connection.close()


def test_an_administrator_is_told_as_well(signed_in: Client) -> None:
    terminate_backend()
    answer = signed_in.get("/admin/")
    assert (answer.status_code, int(answer["Retry-After"]) > 0) == (503, True)
    connection.close()


@pytest.mark.parametrize("has_session", [False, True])
def test_rest_answers_a_problem(client: Client, has_session: bool) -> None:
    admin = User.objects.create_superuser("root")
    if has_session:
        client.force_login(admin)
    _token, secret = create_token(name="t", scopes=["read"], user=admin)
    terminate_backend()
    answer = client.post(
        "/api/v1/search",
        json.dumps({"query": "cart"}),
        content_type="application/json",
        headers={"Authorization": f"Bearer {secret}"},
    )
    problem = json.loads(answer.content)
    assert answer.status_code == problem["status"] == 503
    assert answer["Content-Type"] == "application/problem+json"
    assert int(answer["Retry-After"]) > 0
    assert problem["code"] == "service"
    assert "Try again" in problem["detail"]
    connection.close()


@pytest.mark.parametrize("path", ["/ready", "/health"])
def test_probes_say_when_to_ask_again(client: Client, path: str) -> None:
    terminate_backend()
    answer = client.get(path)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    connection.close()
