"""Testing a connection: what would be read, before anything is stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from devrag.core.errors import (
    InvalidInput,
    NotFound,
    PermissionDenied,
    SourceError,
)
from devrag.core.principal import SYSTEM
from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.sources.api import connection_forms, source_types
from devrag.sources.connectors.types import Credentials
from devrag.sources.credentials import load_credentials
from devrag.sources.metadata import checked_settings
from devrag.sources.models import Source
from devrag.use_cases import connection
from devrag.use_cases.add_repository import add_repository
from devrag.use_cases.connection import Connection, check_connection, check_source
from tests.confluence_wiki import make_wiki, serve_wiki
from tests.conftest import Repository
from tests.people import People, principal
from tests.sources.confluence.confluence_server import TOKEN, Wiki

pytestmark = pytest.mark.django_db


@pytest.fixture
def wiki() -> Wiki:
    return make_wiki()


@pytest.fixture
def url(wiki: Wiki, settings: Any, tmp_path: Path) -> Iterator[str]:
    with serve_wiki(wiki, settings, tmp_path) as address:
        yield address


def check(url: str, token: str = TOKEN, **options: Any) -> Connection:
    return check_connection(
        principal=options.pop("principal", SYSTEM),
        location=url,
        product_name="shop",
        source_type="confluence",
        credentials=Credentials("", token),
        **options,
    )


def add(url: str) -> Source:
    add_repository(
        principal=SYSTEM,
        location=url,
        product_name="shop",
        source_type="confluence",
        credentials=Credentials("", TOKEN),
        settings={"read_comments": True},
    )
    return Source.objects.get()


def test_it_says_what_would_be_read_and_stores_nothing(url: str) -> None:
    found = check(url)
    assert (found.title, found.source_name) == ("Engineering", "ENG")
    assert dict(found.counts) == {"pages": 4, "attachments": 0}
    assert found.notes == ("Pages with view restrictions are skipped.",)
    assert not Product.objects.exists()
    assert not Source.objects.exists()
    assert not Job.objects.exists()


def test_settings_say_what_is_counted(url: str, wiki: Wiki) -> None:
    wiki.comment("1", "<p>Yes</p>")
    chosen = {"read_comments": True, "read_attachments": False}
    assert dict(check(url, settings=chosen).counts) == {"pages": 4, "comments": 1}
    with pytest.raises(InvalidInput, match="Unknown source setting 'isLocalUser'"):
        check(url, settings={"isLocalUser": True})


def test_a_source_that_is_there_is_asked_with_what_is_kept_for_it(url: str) -> None:
    source = add(url)
    assert load_credentials(source)["token"] == TOKEN
    found = check_source(principal=SYSTEM, source=source)
    assert dict(found.counts) == {"pages": 4, "attachments": 0, "comments": 0}


def test_a_token_that_is_kept_counts_where_none_is_given(url: str) -> None:
    add(url)
    assert check(url, token="").title == "Engineering"


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"token": "wrong-token"}, PermissionDenied, "rejected the token"),
        ({"key": "/spaces/NOPE"}, NotFound, "Check the URL"),
        ({"key": "/nowhere"}, InvalidInput, "does not name a Confluence space"),
    ],
)
def test_a_refusal_says_what_why_and_what_to_do(
    url: str, change: dict[str, str], error: type[Exception], said: str
) -> None:
    address = url.replace("/spaces/ENG", change.get("key", "/spaces/ENG"))
    with pytest.raises(error, match=said) as raised:
        check(address, token=change.get("token", TOKEN))
    assert "wrong-token" not in str(raised.value)
    assert TOKEN not in str(raised.value)


def test_who_may_not_add_must_not_ask_around(
    url: str, people: People, wiki: Wiki
) -> None:
    for user in (people.bob, people.charlie):
        with pytest.raises((NotFound, PermissionDenied)):
            check_connection(
                principal=principal(user),
                location=url,
                product_name="teahouse",
                source_type="confluence",
                credentials=Credentials("", TOKEN),
            )
        with pytest.raises((NotFound, PermissionDenied)):
            check_source(principal=principal(user), source=people.source)
    assert wiki.requests == []


def test_a_server_that_takes_too_long_is_given_up(
    url: str, wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_PATIENCE_SECONDS", -1.0)
    with pytest.raises(SourceError, match="did not respond within") as raised:
        check(url)
    assert not raised.value.permanent


def test_addresses_of_this_server_are_not_asked(settings: Any) -> None:
    settings.GIT_ALLOW_HTTP = True
    with pytest.raises(PermissionDenied, match="are not allowed"):
        check("http://127.0.0.1:9/display/ENG")


def test_a_repository_says_its_branches_and_tags(shop: Repository) -> None:
    shop.git("tag", "v1")
    found = check_connection(
        principal=SYSTEM, location=str(shop.path), is_local_user=True
    )
    assert dict(found.counts) == {"branches": 1, "tags": 1}


def test_every_form_offers_settings_that_there_are() -> None:
    forms = connection_forms()
    # Files of this server and uploaded ones need no connection.
    assert forms.keys() == set(source_types()) - {"local", "pdf", "upload"}
    for form in forms.values():
        assert form.title
        assert form.token_hint, "where the token is found, and what it needs"
        assert checked_settings({each.key: True for each in form.switches}) is not None


def test_a_token_of_a_limited_source_is_not_lent(url: str, people: People) -> None:
    options: dict[str, Any] = {"product_name": "teahouse", "source_type": "confluence"}
    add_repository(
        principal=SYSTEM,
        location=url,
        credentials=Credentials("", TOKEN),
        members=["bob"],
        **options,
    )
    asker = principal(people.alice)
    with pytest.raises(PermissionDenied, match="rejected the token"):
        check_connection(principal=asker, location=url, **options)
    # To her there is no such source: another one of the place is hers.
    add_repository(
        principal=asker,
        location=url,
        credentials=Credentials("", TOKEN),
        source_name="ENG-2",
        **options,
    )
    names = Source.objects.visible_to(asker).values_list("name", flat=True)
    assert "ENG" not in names
    assert Source.objects.filter(source_type="confluence").count() == 2
