"""Failures in our words, as pages and as fragments."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client, RequestFactory

from devrag.web.errors import server_error


def test_an_unknown_address_leads_on(db: None) -> None:
    response = Client(HTTP_HOST="localhost").get("/nowhere")
    assert response.status_code == 404
    assert "There is nothing here" in response.content.decode()


def test_htmx_gets_a_fragment(bob: Client) -> None:
    response = bob.get("/p/nope/", headers={"HX-Request": "true"})
    page = response.content.decode()
    assert response.status_code == 404
    assert "<html" not in page
    assert 'role="alert"' in page


def test_a_broken_server_still_has_a_page(rf: RequestFactory) -> None:
    # No database in this test: the page must not ask it for anything.
    response = server_error(rf.get("/"))
    assert response.status_code == 500
    assert "Something went wrong on our side" in response.content.decode()


def test_a_page_open_too_long_says_what_to_do(db: None) -> None:
    client = Client(HTTP_HOST="localhost", enforce_csrf_checks=True)
    client.force_login(User.objects.create_superuser("root"))
    response = client.post("/add/", {"location": "x"})
    assert response.status_code == 403
    assert "open for too long" in response.content.decode()


def test_a_wrong_password_is_explained(db: None) -> None:
    client = Client(HTTP_HOST="localhost")
    response = client.post("/sign-in/", {"username": "eve", "password": "guess"})
    assert "do not belong together" in response.content.decode()
    assert 'value="eve"' in response.content.decode()


def test_the_mermaid_frame_is_a_sandbox(db: None) -> None:
    response = Client(HTTP_HOST="localhost").get("/frames/mermaid")
    assert "sandbox allow-scripts" in response["Content-Security-Policy"]
    assert "default-src 'none'" in response["Content-Security-Policy"]
    assert response["X-Frame-Options"] == "SAMEORIGIN"


@pytest.mark.parametrize("address", ["/p/%00/", "/search?q=a%00b", "/p/x/wiki/%00"])
def test_a_nul_in_an_address_is_a_bad_request(db: None, address: str) -> None:
    assert Client(HTTP_HOST="localhost").get(address).status_code == 400
