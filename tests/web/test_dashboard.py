"""The dashboard and adding a repository."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from devrag.core.principal import Principal, Role
from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.sources.schedule import pause_between
from devrag.web.pages.dashboard import get_dashboard
from devrag.wiki.models import Wiki

from .conftest import Harbour
from .markup import squeeze

ADMIN = Principal(name="root", role=Role.ADMIN)


@pytest.fixture
def root(db: None) -> Client:
    client = Client(HTTP_HOST="localhost")
    client.force_login(User.objects.create_superuser("root"))
    return client


def test_a_card_shows_when_it_was_indexed_and_leads_to_its_wiki(
    bob: Client, wiki: Wiki
) -> None:
    page = bob.get("/").content.decode()
    assert "Harbour" in page
    assert "indexed <time" in page
    assert 'href="/p/harbour/wiki/"' in page
    assert "Up to date" in page


def test_a_wiki_older_than_its_source_says_so(wiki: Wiki) -> None:
    version = wiki.current
    assert version is not None
    version.sources = {"harbour-code": {"commit": "b" * 40}}
    version.save(update_fields=["sources"])
    [card] = get_dashboard(ADMIN).cards
    assert card.freshness is not None
    assert card.freshness.label == "Sources changed"


def test_languages_come_from_the_current_manifest(wiki: Wiki) -> None:
    [card] = get_dashboard(ADMIN).cards
    assert {share.name for share in card.languages} == {"Python", "Markdown"}


def test_queries_do_not_grow_with_products(
    wiki: Wiki, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        Product.objects.create(name=f"p{number}")
    with django_assert_num_queries(10):  # of these 2 for a visitor's example
        assert len(get_dashboard(ADMIN).cards) == 21


def test_an_empty_instance_leads_to_the_form(root: Client) -> None:
    page = root.get("/").content.decode()
    assert 'name="location"' in page
    assert "Code search and a wiki with citations" in page
    assert "devrag index ~/src/shop" in page


def test_the_example_of_an_empty_instance_shows_the_lines_it_cites(
    root: Client,
) -> None:
    page = squeeze(root.get("/"))
    first = pause_between.__code__.co_firstlineno
    assert f'href="#L{first}">schedule.py:{first}–' in page
    assert f'id="L{first}" aria-hidden="true" >{first}</span><code><span' in page


def test_the_example_goes_when_there_is_a_product(bob: Client) -> None:
    assert "start-example" not in bob.get("/").content.decode()


def test_who_may_add_nothing_is_told_whom_to_ask(
    alice: Client, bob: Client, harbour: Harbour
) -> None:
    assert 'name="location"' in alice.get("/").content.decode()
    page = bob.get("/").content.decode()
    assert 'name="location"' not in page
    assert "Ask an administrator" in page
    # Whoever is not signed in is asked to, and led on.
    assert 'name="location"' in Client(HTTP_HOST="localhost").get("/").content.decode()


def test_a_running_job_makes_the_cards_poll(
    bob: Client, make_job: Callable[..., Job]
) -> None:
    assert "every 3s" not in bob.get("/").content.decode()
    make_job()
    page = bob.get("/", headers={"HX-Request": "true"}).content.decode()
    assert "every 3s" in page
    assert "<html" not in page


def test_what_was_typed_stays_when_it_is_wrong(alice: Client) -> None:
    response = alice.post("/add/", {"location": "ext::sh -c x", "product": "Bad/Name"})
    page = response.content.decode()
    assert response.status_code == 422
    assert 'value="ext::sh -c x"' in page
    assert 'value="Bad/Name"' in page
    assert "Invalid product name" in page
    assert not Product.objects.exclude(name="harbour").exists()


def test_a_location_that_is_refused_says_why(alice: Client) -> None:
    response = alice.post("/add/", {"location": "-oProxyCommand=x"})
    assert response.status_code == 422
    assert 'id="dr-location-error"' in response.content.decode()


def test_an_empty_location_is_asked_for(alice: Client) -> None:
    response = alice.post("/add/", {"location": ""}, headers={"HX-Request": "true"})
    page = response.content.decode()
    assert "Enter a git URL or a path." in page
    assert "<html" not in page


def test_a_secret_that_was_typed_comes_into_no_address(db: None) -> None:
    client = Client(HTTP_HOST="localhost", REMOTE_ADDR="127.0.0.1")
    response = client.post("/add/", {"location": "https://a:s3cret@git.example/x"})
    assert response.status_code == 303
    assert "git.example" in response["Location"]
    assert "s3cret" not in response["Location"]


def test_signing_in_to_add_keeps_what_was_typed(db: None) -> None:
    # Open reading: a visitor on this machine sees the form but must sign in to write.
    client = Client(HTTP_HOST="localhost", REMOTE_ADDR="127.0.0.1")
    response = client.post("/add/", {"location": "https://git.example/x"})
    assert response.status_code == 303
    assert "https%253A%252F%252Fgit.example%252Fx" in response["Location"]
    User.objects.create_superuser("root", password="correct horse")
    signed_in = client.post(
        response["Location"],
        {
            "username": "root",
            "password": "correct horse",
            "next": "/?location=https%3A%2F%2Fgit.example%2Fx",
        },
        follow=True,
    )
    assert 'value="https://git.example/x"' in signed_in.content.decode()
