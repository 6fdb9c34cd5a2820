"""Another token for a source: tried before it is kept, never shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from devrag.core.principal import SYSTEM
from devrag.sources.connectors.types import Credentials
from devrag.sources.credentials import load_credentials, store_credentials
from devrag.sources.models import Source
from devrag.use_cases.add_repository import add_repository
from tests.confluence_wiki import make_wiki, serve_wiki
from tests.sources.confluence.confluence_server import TOKEN, Wiki

from .conftest import Harbour
from .markup import squeeze

HTMX = {"HX-Request": "true"}
PAGE, PLACE = "/p/harbour/s/ENG/", "/p/harbour/s/ENG/token/"


@pytest.fixture
def wiki_server() -> Wiki:
    return make_wiki()


@pytest.fixture
def source(
    harbour: Harbour, wiki_server: Wiki, settings: Any, tmp_path: Path
) -> Iterator[Source]:
    with serve_wiki(wiki_server, settings, tmp_path) as url:
        add_repository(
            principal=SYSTEM,
            location=url,
            product_name="harbour",
            source_type="confluence",
            credentials=Credentials("", TOKEN),
        )
        found = Source.objects.get(name="ENG")
        store_credentials(source=found, changes={"token": "old-token-1", "x": "y"})
        yield found


def kept(source: Source) -> dict[str, str]:
    source.refresh_from_db()
    return load_credentials(source)


def test_a_token_is_tried_without_being_kept(alice: Client, source: Source) -> None:
    assert "A token is stored" in squeeze(alice.get(PAGE))
    said = alice.post(PLACE, {"secret": TOKEN, "action": "test"}, headers=HTMX)
    assert said.status_code == 200
    assert "Connected to “Engineering”" in squeeze(said)
    assert kept(source)["token"] == "old-token-1"


def test_a_token_that_is_accepted_takes_the_place_of_the_old_one(
    alice: Client, source: Source
) -> None:
    sent = alice.post(PLACE, {"secret": TOKEN, "action": "store"})
    assert (sent.status_code, sent.headers["Location"]) == (303, PAGE)
    assert kept(source) == {"token": TOKEN, "x": "y"}
    assert TOKEN not in alice.get(PAGE).content.decode()


@pytest.mark.parametrize("action", ["test", "store"])
@pytest.mark.parametrize(
    ("secret", "said"),
    [("new-token-2", "rejected the token"), ("", "Enter the new token")],
)
def test_a_token_that_is_refused_changes_nothing(
    alice: Client, source: Source, action: str, secret: str, said: str
) -> None:
    answer = alice.post(PLACE, {"secret": secret, "action": action}, headers=HTMX)
    assert answer.status_code == 422
    page = squeeze(answer)
    assert said in page
    assert "new-token-2" not in page
    assert "old-token-1" not in page
    assert kept(source)["token"] == "old-token-1"


def test_a_token_is_removed(alice: Client, source: Source) -> None:
    assert alice.post(PLACE, {"action": "remove"}).status_code == 303
    assert kept(source) == {"x": "y"}
    assert "No token is stored" in squeeze(alice.get(PAGE))


def test_readers_neither_see_the_form_nor_try_tokens(
    bob: Client, source: Source, wiki_server: Wiki
) -> None:
    assert "/token/" not in squeeze(bob.get(PAGE))
    asked = len(wiki_server.requests)
    for action in ("test", "store", "remove"):
        sent = bob.post(PLACE, {"secret": TOKEN, "action": action})
        assert sent.status_code == 403
    assert len(wiki_server.requests) == asked
    assert kept(source)["token"] == "old-token-1"


def test_a_folder_takes_no_token(alice: Client, harbour: Harbour) -> None:
    harbour.source.metadata = {"path": "/srv/code"}
    harbour.source.save()
    assert "/token/" not in squeeze(alice.get("/p/harbour/s/harbour-code/"))
    place = "/p/harbour/s/harbour-code/token/"
    said = alice.post(place, {"secret": "x", "action": "store"}, headers=HTMX)
    assert "does not use a token" in squeeze(said)
