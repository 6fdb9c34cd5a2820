"""A search answers in time: whole, without meaning (and says so), or not at all."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client

from devrag.access.services import create_token
from devrag.core.errors import ServiceUnavailable
from devrag.core.principal import SYSTEM
from devrag.core.time_limit import TimeLimitExceeded
from devrag.mcp.tools.search import answer as answer_agent
from devrag.mcp.tools.search import to_pieces
from devrag.search.models import EmbeddingSpec
from devrag.search.related.answer import find_related
from devrag.search.semantic.specs import ensure_spec, partition_name
from devrag.search.service import search
from devrag.search.types import SearchQuery
from tests.conftest import Repository
from tests.indexing.test_index import index
from tests.model_server import ModelServer
from tests.scripted_server import Scripted
from tests.search.shop import embed_all
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
# Far above the limit of the tests, far below what they would wait for without one.
PATIENCE_SECONDS = 10.0


def ask(text: str = "charge the customer", **options: Any) -> SearchQuery:
    return SearchQuery(text=text, principal=SYSTEM, **options)


@pytest.fixture
def indexed(
    shop: Repository, models: ModelServer, follow: Callable[[], Any], settings: Any
) -> ModelServer:
    """The shop with vectors of a remote model, and little time."""
    spec = ensure_spec("openai", "small", 8)
    EmbeddingSpec.objects.filter(pk=spec.pk).update(is_active=True)
    index(shop)
    follow()
    embed_all()
    settings.SEARCH_TIMEOUT = 2.0
    return models


@pytest.fixture
def busy(indexed: ModelServer) -> Iterator[ModelServer]:
    """A model that answers no query before the test ends."""
    indexed.script = [Scripted(is_late=True)] * 50
    yield indexed
    indexed.is_let_go.set()


@contextmanager
def locked(table: str) -> Iterator[None]:
    """Let each statement on a table wait."""
    database = django_settings.DATABASES["default"]
    with psycopg.connect(
        host=database["HOST"],
        port=database["PORT"],
        user=database["USER"],
        password=database["PASSWORD"],
        dbname=connection.settings_dict["NAME"],
    ) as other:
        other.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        yield
        other.rollback()


@contextmanager
def in_time() -> Iterator[None]:
    began = time.monotonic()
    yield
    assert time.monotonic() - began < PATIENCE_SECONDS


def test_a_busy_model_is_left_out_and_named(busy: ModelServer) -> None:
    with in_time():
        result = search(ask())
    assert result.hits
    assert "is busy" in result.notes[0]
    assert result.notes[1] == "These are keyword results."


@pytest.mark.slow
def test_nobody_waits_for_a_model_that_is_known_to_be_busy(busy: ModelServer) -> None:
    for number in range(4):
        search(ask(f"charge the customer {number}"))
    began = time.monotonic()
    assert search(ask("charge the customer at last")).hits
    assert time.monotonic() - began < 0.4 * django_settings.SEARCH_TIMEOUT


def test_meaning_alone_is_refused_while_the_model_is_busy(busy: ModelServer) -> None:
    with in_time(), pytest.raises(Exception, match="is busy") as caught:
        search(ask(mode="semantic"))
    assert caught.value.http_status == 503  # type: ignore[attr-defined]
    assert caught.value.retry_after_seconds > 0  # type: ignore[attr-defined]


@pytest.mark.slow
def test_a_vector_that_came_too_late_serves_the_next_query(busy: ModelServer) -> None:
    vector = {"index": 0, "embedding": [1.0] + [0.0] * 7}
    busy.script = [Scripted(body={"data": [vector]}, is_late=True)]
    assert "is busy" in search(ask()).notes[0]
    asked = len(busy.seen)
    busy.is_let_go.set()
    wait_until(lambda: search(ask()).notes == (), 10, "an answer with meaning")
    assert len(busy.seen) == asked


@pytest.mark.slow
def test_neighbours_that_take_too_long_are_left_out(indexed: ModelServer) -> None:
    spec = EmbeddingSpec.objects.get(is_active=True)
    with locked(partition_name(spec)):
        with in_time():
            result = search(ask())
        assert result.hits
        assert result.notes == (
            "Semantic search took too long; these are keyword results.",
        )
        with in_time(), pytest.raises(TimeLimitExceeded):
            search(ask(mode="semantic"))
        with in_time(), pytest.raises(TimeLimitExceeded):
            find_related(ask("shop:shop/cart.py:10"))
    assert search(ask()).notes == ()


@pytest.mark.slow
def test_a_search_without_the_texts_is_refused(indexed: ModelServer) -> None:
    with (
        locked("sources_chunk"),
        in_time(),
        pytest.raises(ServiceUnavailable, match="too long"),
    ):
        search(ask(mode="keyword"))


@pytest.mark.slow
def test_who_is_patient_waits(indexed: ModelServer, settings: Any) -> None:
    settings.SEARCH_TIMEOUT = 0.0
    assert search(ask(), is_patient=True).hits


# -- as each entry point tells it ----------------------------------------------------


def post(text: str, mode: str) -> Any:
    admin = User.objects.create_superuser("root")
    _token, secret = create_token(name="t", scopes=["read"], user=admin)
    return Client(HTTP_HOST="localhost").post(
        "/api/v1/search",
        json.dumps({"query": text, "mode": mode}),
        content_type="application/json",
        headers={"Authorization": f"Bearer {secret}"},
    )


def test_the_page_says_that_meaning_is_missing(busy: ModelServer) -> None:
    answer = Client(HTTP_HOST="localhost").get("/search?q=charge+the+customer")
    assert answer.status_code == 200
    assert "These are keyword results." in answer.content.decode()


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["semantic", "keyword"])
def test_the_page_refuses_and_says_when_to_try_again(
    busy: ModelServer, mode: str
) -> None:
    with locked("sources_chunk"), in_time():
        answer = Client(HTTP_HOST="localhost").get(f"/search?q=charge&mode={mode}")
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0


def test_rest_says_that_meaning_is_missing(busy: ModelServer) -> None:
    answer = post("charge the customer", "hybrid")
    assert answer.status_code == 200
    assert "These are keyword results." in answer.json()["notes"]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["semantic", "keyword"])
def test_rest_refuses_and_says_when_to_try_again(busy: ModelServer, mode: str) -> None:
    with locked("sources_chunk"), in_time():
        answer = post("charge", mode)
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert answer.json()["detail"]


@pytest.mark.slow
def test_agents_are_told_that_meaning_is_missing(busy: ModelServer) -> None:
    pieces = to_pieces(answer_agent(ask()), 2_000, ())
    assert "These are keyword results." in pieces["notes"]


@pytest.mark.slow
def test_the_command_says_that_meaning_is_missing(
    busy: ModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("search", "charge the customer")
    printed = capsys.readouterr()
    assert "These are keyword results." in printed.out + printed.err
