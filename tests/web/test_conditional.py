"""HEAD, and pages that did not change: answered without a body."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from devrag.products.models import Product
from devrag.web.templatetags import ui

FILE = "/p/harbour/s/harbour-code/-/current/src/greeter.py"
WIKI = "/p/harbour/wiki/architecture"


URLS = (
    *("/", "/search?q=greet", "/jobs/", "/p/harbour/", "/p/harbour/s/harbour-code/"),
    *("/settings/tokens/", "/settings/account/", "/settings/health/", "/sign-in/"),
    *("/llms.txt", "/palette?q=a", "/frames/mermaid", "/health", "/ready"),
    *("/nowhere", "/admin/", "/api/v1/docs", "/searches/", FILE, WIKI),
)


@pytest.mark.usefixtures("wiki")
def test_head_is_answered_as_get_without_a_body(alice: Client) -> None:
    for url in URLS:
        get, head = alice.get(url), alice.head(url)
        assert (head.status_code, head.content) == (get.status_code, b""), url
        assert head.headers.keys() == get.headers.keys(), url
        assert head.headers["Content-Type"] == get.headers["Content-Type"], url


def test_an_unchanged_page_is_304_to_head_too(alice: Client) -> None:
    known = {"If-None-Match": alice.get("/jobs/")["ETag"]}
    assert alice.head("/jobs/", headers=known).status_code == 304


def test_head_is_no_way_around_post(alice: Client) -> None:
    answer = alice.head("/add/")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    refused = alice.post("/jobs/")
    assert (refused.status_code, refused["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("url", ["/", "/p/harbour/", FILE, WIKI, "/settings/connect/"])
@pytest.mark.usefixtures("wiki")
def test_a_page_that_did_not_change_is_not_sent_again(
    alice: Client, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Else a second that goes by between two requests changes "now".
    monkeypatch.setattr(ui, "relative_words", lambda _seconds: "now")
    first = alice.get(url)
    assert b"csrfmiddlewaretoken" in first.content
    assert first["Cache-Control"] == "private, no-cache"
    known = {"If-None-Match": first["ETag"]}
    again = alice.get(url, headers=known)
    assert (again.status_code, again.content) == (304, b"")
    # Its forms would be refused: the token belongs to another secret.
    del alice.cookies["csrftoken"]
    assert alice.get(url, headers=known).status_code == 200
    Product.objects.update(title="Haven")
    assert alice.get(url, headers=known).status_code == 200


def test_what_happens_once_is_always_told(alice: Client, make_job: Any) -> None:
    job = make_job(requested_by="alice", state="completed")
    told = alice.get(f"/jobs/ended/?jobs={job.pk}")
    assert "HX-Trigger" in told.headers
    assert not told.headers.get("ETag", "").startswith("W/")
