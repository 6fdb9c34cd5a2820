"""A source that only some members see exists for nobody else, over REST and for chats.

Its members see it, and so do tokens of administrators; a token without an owner is no
member.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from devrag.access.services import create_token
from devrag.products.models import SourceLimit
from tests.asgi_server import asgi_server
from tests.people import People, bearer
from tests.vault import QUESTION, WORD, Vault, add_vault

from .asked_shop import send as send_to
from .operations import OPERATIONS
from .requests import post
from .test_hidden import places, send_example  # noqa: F401
from .test_sources import SOURCES, patch

OF_SOURCES = sorted(
    name
    for name in OPERATIONS
    if any(key in name for key in ("{sourceID}", "{jobID}", "{symbolID}"))
)
OF_PRODUCTS = sorted(
    name
    for name in OPERATIONS
    if name.startswith("get ") and name not in OF_SOURCES and "tokens" not in name
)


@pytest.fixture
def vault(people: People) -> Vault:
    return add_vault(people.teahouse, people.alice)


def _places(places: dict[str, Any], vault: Vault) -> dict[str, Any]:  # noqa: F811
    return {
        **places,
        "sourceID": vault.source.pk,
        "jobID": vault.job.pk,
        "symbolID": vault.symbol.uuid,
        "path": vault.path,
    }


def test_what_is_limited_to_others_does_not_exist(
    client: Client,
    people: People,
    places: dict[str, Any],  # noqa: F811
    vault: Vault,
) -> None:
    # Nothing is changed by who is refused: one vault serves for all operations.
    limited = _places(places, vault)
    bob = bearer("admin", user=people.bob)
    owned_by_nobody = bearer("read", "index", "wiki", products=(people.teahouse,))
    for name in OF_SOURCES:
        answer = send_example(client, name, limited, bob)
        assert answer.status_code == 404, name
        assert WORD not in answer.content.decode().lower(), name
        answer = send_example(client, name, limited, owned_by_nobody)
        assert answer.status_code in {403, 404}, name  # it lacks the scope to delete
        assert WORD not in answer.content.decode().lower(), name


def test_members_are_answered(
    client: Client,
    people: People,
    places: dict[str, Any],  # noqa: F811
    vault: Vault,
) -> None:
    headers = bearer("admin", user=people.alice)
    for name in (each for each in OF_SOURCES if each.startswith("get ")):
        answer = send_example(client, name, _places(places, vault), headers)
        assert answer.status_code == 200, name


def test_no_list_names_what_is_limited(
    client: Client,
    people: People,
    places: dict[str, Any],  # noqa: F811
    vault: Vault,
) -> None:
    headers = bearer("admin", user=people.bob)
    for name in OF_PRODUCTS:
        answer = send_example(client, name, places, headers)
        assert WORD not in answer.content.decode(errors="replace").lower(), name


ASKED: list[tuple[str, dict[str, Any]]] = [
    ("/api/v1/search", {"query": QUESTION}),
    ("/api/v1/search", {"query": QUESTION, "mode": "semantic", "summarize": True}),
    ("/api/v1/search", {"query": f"exact:{QUESTION}"}),
    ("/api/v1/search", {"query": "kind:page", "productName": "teahouse"}),
    ("/api/v1/search", {"query": QUESTION, "sourceName": "quokka-vault"}),
    ("/api/v1/search", {"query": "x", "tags": ["q"]}),
    ("/api/v1/search/related", {"query": "quokka-vault:quokka/tank.py:4"}),
]


@pytest.mark.parametrize(("path", "body"), ASKED)
def test_no_search_names_what_is_limited(
    client: Client, people: People, vault: Vault, path: str, body: dict[str, Any]
) -> None:
    answer = post(client, path, bearer("read", user=people.bob), **body)
    asked = json.dumps(body)
    said = answer.content.decode()
    assert WORD not in said.lower() or (answer.status_code == 404 and WORD in asked)


def test_members_find_it(client: Client, people: People, vault: Vault) -> None:
    body = {"query": QUESTION, "mode": "keyword"}
    for headers in (
        bearer("read", user=people.alice),
        bearer("read", user=_administrator(people)),
    ):
        answer = post(client, "/api/v1/search", headers, **body)
        assert WORD in answer.content.decode()
    found = client.get("/api/v1/symbols?name=count_zebrafish", headers=headers)
    assert WORD in found.content.decode()
    others = bearer("read", user=people.bob)
    found = client.get("/api/v1/symbols?name=count_zebrafish", headers=others)
    assert found.json() == []


def _administrator(people: People) -> Any:
    people.charlie.is_superuser = True
    people.charlie.save()
    return people.charlie


@pytest.mark.django_db(transaction=True)
def test_answers_are_made_of_what_the_asker_sees(people: People) -> None:
    add_vault(people.teahouse, people.alice)
    question = f"Who counts every {QUESTION} in the tank?"
    asked: list[tuple[str, dict[str, Any]]] = [
        ("/api/v1/ask", {"question": question}),
        (
            "/v1/chat/completions",
            {"model": "teahouse", "messages": [{"role": "user", "content": question}]},
        ),
    ]
    with asgi_server() as server:
        for path, body in asked:
            for user, is_member in ((people.bob, False), (people.alice, True)):
                _, secret = create_token(name="t", scopes=["read"], user=user)
                with send_to(server, secret, path, body) as answer:
                    said = answer.read().decode()
                assert (WORD in said) is is_member, (path, user, said[:500])


# -- setting it ----------------------------------------------------------------------


def test_a_source_is_limited_and_opened_again(client: Client, people: People) -> None:
    headers = bearer("read", "index", user=people.alice)
    reader = bearer("read", user=people.bob)
    place = f"{SOURCES}/{people.source.pk}"
    limited = patch(client, people.source, headers, members=["alice"])
    assert limited.json()["members"] == ["alice"]
    assert client.get(place, headers=reader).status_code == 404
    unchanged = patch(client, people.source, headers, indexEveryMinutes=5)
    assert unchanged.json()["members"] == ["alice"]
    patch(client, people.source, headers, members=["bob"])
    # Whoever limits it stays among its members.
    assert client.get(place, headers=headers).json()["members"] == ["alice", "bob"]
    assert patch(client, people.source, headers, members=None).json()["members"] is None
    assert not SourceLimit.objects.exists()
    strange = patch(client, people.source, headers, members=["charlie"])
    assert strange.status_code == 400
    assert "charlie cannot read" in strange.content.decode()
    assert patch(client, people.source, reader, members=[]).status_code == 403


def test_every_operation_on_a_source_is_walked() -> None:
    assert len(OF_SOURCES) > 15
    assert len(OF_PRODUCTS) > 8
