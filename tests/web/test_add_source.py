"""Connecting a wiki in the browser: three fields, a test, and where the token goes."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from devrag.jobs.models import Job
from devrag.sources.credentials import load_credentials
from devrag.sources.models import Source
from tests.confluence_wiki import make_wiki, serve_wiki
from tests.sources.confluence.confluence_server import TOKEN, Wiki

from .conftest import Harbour
from .markup import squeeze

HTMX = {"HX-Request": "true"}
ADD, TEST = "/add/source/", "/add/source/test/"


@pytest.fixture
def wiki_server() -> Wiki:
    return make_wiki()


@pytest.fixture
def url(wiki_server: Wiki, settings: Any, tmp_path: Path) -> Iterator[str]:
    with serve_wiki(wiki_server, settings, tmp_path) as address:
        yield address


def typed(url: str, **changes: Any) -> dict[str, Any]:
    return {
        "type": "confluence",
        "location": url,
        "username": "",
        "secret": TOKEN,
        "product": "harbour",
        "switches": ["read_attachments"],
        **changes,
    }


def test_the_form_asks_what_the_connector_asks(alice: Client) -> None:
    page = squeeze(alice.get(ADD, {"type": "confluence", "product": "harbour"}))
    assert "URL of the space" in page
    assert "API token" in page
    assert 'type="password"' in page
    assert 'value="harbour"' in page
    assert page.count('name="switches"') == 3
    other = squeeze(alice.get(ADD, {"type": "git"}))
    assert "Git URL" in other
    assert 'name="switches"' not in other


def test_folders_and_uploads_are_offered_for_the_same_product(alice: Client) -> None:
    page = squeeze(alice.get(ADD, {"product": "harbour"}))
    assert 'href="/?product=harbour#dr-add"' in page
    assert 'href="/add/upload/?product=harbour"' in page
    assert 'value="harbour"' in squeeze(alice.get("/add/upload/?product=harbour"))
    assert 'value="harbour"' in squeeze(alice.get("/?product=harbour"))


def test_kinds_are_named_in_the_readers_language(alice: Client) -> None:
    page = alice.get(ADD, headers={"accept-language": "ja"}).content.decode()
    assert "GitHub の Issue とプルリクエスト" in page
    assert "Git repository" not in page


@pytest.mark.parametrize(("kind", "switches"), [("github", 1), ("gitlab", 2)])
def test_tickets_need_no_user_name(alice: Client, kind: str, switches: int) -> None:
    page = squeeze(alice.get(ADD, {"type": kind, "product": "harbour"}))
    assert f"https://{kind}.com/" in page
    assert 'name="username"' not in page
    assert page.count('name="switches"') == switches
    assert page.count("checked") == 1  # comments are read unless one says otherwise
    assert alice.get(ADD, {"type": "unheard-of"}).status_code == 200


def test_a_kind_whose_tokens_need_no_user_does_not_ask_for_one(alice: Client) -> None:
    page = squeeze(alice.get(ADD, {"type": "notion"}))
    assert "Integration secret" in page
    assert 'name="username"' not in page
    assert page.count('name="switches"') == 2


def test_a_connection_is_tested_before_anything_is_stored(
    alice: Client, url: str
) -> None:
    answer = alice.post(TEST, typed(url), headers=HTMX)
    assert answer.status_code == 200
    said = squeeze(answer)
    assert "Connected to “Engineering”" in said
    assert 'Pages:<span class="tabular">4' in said
    assert "skipped" in said
    assert not Job.objects.exists()
    assert Source.objects.count() == 1
    plain = squeeze(alice.post(TEST, typed(url)))
    assert "Connected to “Engineering”" in plain
    assert "<title>" in plain


def test_what_is_added_is_indexed_with_its_token_and_settings(
    alice: Client, url: str
) -> None:
    sent = alice.post(ADD, typed(url, switches=["read_comments"]))
    assert sent.status_code == 303
    source = Source.objects.get(name="ENG")
    assert (source.product.name, source.source_type) == ("harbour", "confluence")
    assert load_credentials(source)["token"] == TOKEN
    assert source.metadata["read_comments"] is True
    assert source.metadata["read_attachments"] is False
    assert Job.objects.get().source_name == "ENG"


def test_the_wiki_of_a_new_product_is_chosen(alice: Client, url: str) -> None:
    page = squeeze(alice.get(ADD, {"type": "confluence"}))
    assert page.count('<select class="input" id="dr-wiki') == 2
    given = typed(url, product="handbook", wiki="no", wiki_language="ja")
    assert alice.post(TEST, given, headers=HTMX).status_code == 200
    assert alice.post(ADD, given).status_code == 303
    product = Source.objects.get(name="ENG").product
    assert product.wiki_settings == {"language": "ja"}
    assert not Job.objects.get().params["generateWiki"]


def test_a_source_may_be_limited_from_the_beginning(
    alice: Client, bob: Client, url: str
) -> None:
    unknown = alice.post(ADD, typed(url, members="alice, nobody-of-that-name"))
    assert unknown.status_code == 422
    assert "User nobody-of-that-name not found" in unknown.content.decode()
    assert not Source.objects.filter(name="ENG").exists()
    assert alice.post(ADD, typed(url, members=" alice ,")).status_code == 303
    assert alice.get("/p/harbour/s/ENG/").status_code == 200
    assert bob.get("/p/harbour/s/ENG/").status_code == 404


@pytest.mark.parametrize("path", [ADD, TEST])
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"secret": "wrong-token-1"}, "rejected the token"),
        ({"location": ""}, "Enter the URL of the source."),
        ({"location": "https://example.com/x"}, "does not name a Confluence space"),
        ({"product": "Not A Name"}, "Invalid product name"),
        ({"type": "svn"}, "svn"),
        ({"switches": ["isLocalUser"]}, "isLocalUser"),
    ],
)
def test_a_refusal_is_said_and_keeps_what_was_typed_but_the_token(
    alice: Client, url: str, path: str, change: dict[str, Any], said: str
) -> None:
    given = typed(url, **change)
    answer = alice.post(path, given)
    page = answer.content.decode()
    assert answer.status_code == 422
    if path == TEST or change.keys() & {"secret", "location", "product"}:
        assert said in page
    assert given["secret"] not in page
    if path == ADD and given["location"]:
        assert f'value="{given["location"]}"' in page
    assert not Job.objects.exists()


def test_a_token_stands_in_no_log_and_no_page(
    alice: Client, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    alice.post(TEST, typed(url, secret="wrong-token-1"), headers=HTMX)
    alice.post(ADD, typed(url))
    job = Job.objects.get()
    pages = [f"/jobs/{job.pk}/", "/p/harbour/", "/p/harbour/s/ENG/", ADD]
    for page in pages:
        assert TOKEN not in alice.get(page).content.decode()
    assert TOKEN not in caplog.text
    assert "wrong-token-1" not in caplog.text


def test_a_token_is_not_given_back_to_who_is_signed_out(url: str, db: None) -> None:
    client = Client(HTTP_HOST="localhost")
    for path in (ADD, TEST):
        answer = client.post(path, typed(url))
        assert answer.status_code == 303
        assert TOKEN not in answer.headers["Location"]
        assert TOKEN not in answer.content.decode()


def test_a_form_of_another_session_does_not_give_a_token_back(
    alice: Client, harbour: Harbour, url: str
) -> None:
    strict = Client(HTTP_HOST="localhost", enforce_csrf_checks=True)
    strict.force_login(User.objects.get(username="alice"))
    own = {"Origin": "http://localhost"}
    answer = strict.post(ADD, typed(url), headers=own)
    assert answer.status_code == 403
    assert TOKEN not in answer.content.decode()


def test_readers_neither_add_nor_ask_around(
    bob: Client, url: str, wiki_server: Wiki
) -> None:
    for path in (ADD, TEST):
        assert bob.post(path, typed(url)).status_code == 422
    assert "Ask an administrator" in bob.get(ADD).content.decode()
    assert wiki_server.requests == []


def test_a_source_that_is_there_is_tested_by_its_maintainers(
    alice: Client, bob: Client, url: str, wiki_server: Wiki
) -> None:
    alice.post(ADD, typed(url))
    place = "/p/harbour/s/ENG/test/"
    assert "Connected to" in alice.post(place, headers=HTMX).content.decode()
    asked = len(wiki_server.requests)
    assert bob.post(place, headers=HTMX).status_code == 403
    assert len(wiki_server.requests) == asked


@pytest.fixture
def root(db: None) -> Client:
    client = Client(HTTP_HOST="localhost")
    client.force_login(User.objects.create_superuser("root"))
    return client


@pytest.mark.slow
def test_the_administration_adds_a_source_with_the_same_checks(
    root: Client, harbour: Harbour, url: str
) -> None:
    place = reverse("admin:sources_source_add")
    assert 'type="password"' in root.get(place).content.decode()
    given = {
        "product": harbour.product.pk,
        "source_type": "confluence",
        "location": url,
        "username": "",
        "secret": "wrong-token-1",
    }
    refused = root.post(place, given).content.decode()
    assert "rejected the token" in refused
    assert "wrong-token-1" not in refused
    assert not Source.objects.filter(name="ENG").exists()
    sent = root.post(place, given | {"secret": TOKEN})
    assert sent.status_code == 302
    source = Source.objects.get(name="ENG")
    assert load_credentials(source)["token"] == TOKEN
    assert Job.objects.get().source_name == "ENG"
    page = root.get(reverse("admin:sources_source_change", args=[source.pk]))
    assert TOKEN not in page.content.decode()
