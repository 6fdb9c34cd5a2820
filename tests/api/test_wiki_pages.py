"""Answers as pages of a wiki over REST."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from devrag.ask.models import Conversation
from devrag.wiki.models import Page
from tests.people import People, bearer

from .requests import post, problem, send

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _wikis(settings: Any, tmp_path: Any) -> None:
    settings.WIKI_OUTPUT_DIR = tmp_path / "wikis"


def pages(people: People) -> str:
    return f"/api/v1/products/{people.teahouse.pk}/wiki/pages"


def maintainer(people: People) -> dict[str, str]:
    return bearer("read", "wiki", user=people.alice)


def converse(people: People, owner: User, **fields: Any) -> Conversation:
    """Return a conversation whose second answer cites a line of the teahouse."""
    made = Conversation.objects.create(
        owner=owner, title="Brewing", product=people.teahouse
    )
    told = {"mode": "quick", "state": "done", "model": "m-1"}
    made.turns.create(
        **told, ordinal=1, question="Coffee?", outcome="not_found", markdown="No.\n"
    )
    told |= {"outcome": "answered", "markdown": "It brews. [1](cite:1)\n", **fields}
    turn = made.turns.create(**told, ordinal=2, question="Who brews?")
    turn.citations.create(
        ordinal=1,
        number=1,
        product=people.teahouse,
        source_name="teahouse-code",
        path="brew.py",
        start_line=1,
        end_line=1,
        version_identifier="a" * 40,
        content_hash="b" * 64,
        kind="definition",
        excerpt="def brew(): ...",
    )
    return made


def save(
    client: Client, people: People, conversation: Conversation, **body: Any
) -> HttpResponse:
    given = {"conversationID": str(conversation.uuid), **body}
    return post(client, pages(people), maintainer(people), **given)


def test_the_last_answer_becomes_a_page(client: Client, written: People) -> None:
    conversation = converse(written, written.alice)
    answer = save(client, written, conversation)
    assert answer.status_code == 201
    made = answer.json()
    assert answer["Location"] == f"{pages(written)}/notes/who-brews.md"
    assert (made["path"], made["kind"]) == ("notes/who-brews.md", "note")
    assert (made["isNew"], made["claimCount"]) == (True, 1)
    assert made["savedAnswer"].pop("savedAt")
    assert made["savedAnswer"] == {
        "question": "Who brews?",
        "author": "alice",
        "model": "m-1",
        "conversationID": str(conversation.uuid),
        "turn": 2,
    }
    again = save(client, written, conversation, turn=2, title="Another")
    assert again.status_code == 200
    assert (again.json()["isNew"], again.json()["title"]) == (False, "Who brews?")
    shown = client.get(answer["Location"], headers=bearer("read", user=written.bob))
    assert shown.json()["savedAnswer"]["author"] == "alice"
    listed = client.get(
        f"/api/v1/products/{written.teahouse.pk}/wiki/files",
        headers=bearer("read", user=written.bob),
    ).json()
    assert listed[-1] == {
        "path": "notes/who-brews.md",
        "title": "Who brews?",
        "kind": "note",
    }


def test_a_page_is_renamed_and_deleted(client: Client, written: People) -> None:
    conversation = converse(written, written.alice)
    url = save(client, written, conversation)["Location"]
    headers = maintainer(written)
    renamed = send(client, "patch", url, headers, {"title": "Brewing"})
    assert (renamed.status_code, renamed.json()["title"]) == (200, "Brewing")
    assert send(client, "patch", url, headers, {"title": ""}).status_code == 422
    assert client.delete(url, headers=headers).status_code == 204
    problem(client.delete(url, headers=headers), 404)
    kept = f"{pages(written)}/features/brew.md"
    problem(client.delete(kept, headers=headers), 404)
    problem(send(client, "patch", kept, headers, {"title": "Mine"}), 404)


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({"turn": 1}, 409, "Only a finished answer that was found"),
        ({"turn": 9}, 404, "deleted"),
        ({"turn": -1}, 422, ""),
        ({"title": "x" * 201}, 422, ""),
        ({"title": "  "}, 400, "title is empty"),
    ],
)
def test_what_cannot_be_saved_says_why(
    client: Client, written: People, body: Any, status: int, said: str
) -> None:
    conversation = converse(written, written.alice)
    answer = problem(save(client, written, conversation, **body), status)
    assert said in answer["detail"]
    assert not Page.objects.filter(kind="note").exists()


def test_only_who_may_edit_the_wiki_saves_ones_own_answers(
    client: Client, written: People
) -> None:
    own = converse(written, written.alice)
    others = converse(written, written.bob)
    body = {"conversationID": str(others.uuid)}
    url = pages(written)
    problem(post(client, url, maintainer(written), **body), 404)
    reader = bearer("read", "wiki", user=written.bob)
    problem(post(client, url, reader, **body), 403)
    without_scope = bearer("read", user=written.alice)
    problem(
        post(client, url, without_scope, conversationID=str(own.uuid)),
        403,
    )
    stranger = bearer("read", "wiki", user=written.charlie)
    problem(post(client, url, stranger, **body), 404)
    assert not Page.objects.filter(kind="note").exists()


def test_a_conversation_about_another_product_is_refused(
    client: Client, written: People
) -> None:
    conversation = converse(written, written.alice)
    Conversation.objects.update(product=written.market)
    said = problem(save(client, written, conversation), 409)
    assert "not about the product" in said["detail"]
