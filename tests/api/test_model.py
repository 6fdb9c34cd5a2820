"""The language model over REST, and by the command."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from devrag.core.errors import InvalidInput
from devrag.spending.language_model import model_endpoint, model_name
from devrag.spending.model_settings import forget_settings
from tests.llm.chat_server import ChatServer, chat_server
from tests.people import People, bearer
from tests.scripted_server import KEY, Scripted

from .requests import post, problem, send

MODEL = "/api/v1/model"


@pytest.fixture
def admin(people: People) -> dict[str, str]:
    forget_settings()
    return bearer("admin", user=User.objects.create_superuser("root"))


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server() as serving:
        yield serving


def run(*words: str) -> str:
    out = io.StringIO()
    call_command("model", *words, stdout=out)
    forget_settings()
    return out.getvalue()


def test_a_model_is_chosen_and_shown_without_its_key(
    client: Client, admin: dict[str, str]
) -> None:
    body = {"provider": "openai", "model": "gpt-4.1", "key": KEY, "capPerMonth": 5}
    answer = send(client, "put", MODEL, admin, body)
    assert answer.status_code == 200
    assert KEY not in answer.content.decode()
    shown = client.get(MODEL, headers=admin).json()
    assert (shown["keySource"], shown["keyEnding"]) == ("stored", KEY[-4:])
    assert (shown["model"], shown["capPerMonth"]) == ("gpt-4.1", 5)
    forget_settings()
    assert model_endpoint().key == KEY


def test_only_administrators_tokens_may(
    client: Client, people: People, admin: dict[str, str]
) -> None:
    for headers in (
        bearer("read", user=people.bob),
        bearer("admin", user=people.alice),
        bearer("admin", products=(people.teahouse,)),
    ):
        problem(client.get(MODEL, headers=headers), 403)
        problem(send(client, "put", MODEL, headers, {"provider": "openai"}), 403)
        problem(post(client, f"{MODEL}/test", headers), 403)
    problem(client.get(MODEL), 401)


def test_what_cannot_be_used_is_a_problem(
    client: Client, admin: dict[str, str]
) -> None:
    body = {"provider": "openai", "baseURL": "http://169.254.169.254/v1"}
    said = problem(send(client, "put", MODEL, admin, body), 400)
    assert "an address that is not allowed" in said["detail"]
    problem(send(client, "put", MODEL, admin, {"provider": "oracle"}), 422)


def test_a_test_answers_what_is_wrong(
    client: Client, admin: dict[str, str], server: ChatServer
) -> None:
    body = {"provider": "openai", "model": "m", "baseURL": server.url, "key": KEY}
    send(client, "put", MODEL, admin, body)
    forget_settings()
    server.script.append(Scripted(401, {"error": {"message": "bad key"}}))
    found = post(client, f"{MODEL}/test", admin).json()
    assert (found["isOk"], found["reason"]) == (False, "key")
    problem(post(client, f"{MODEL}/test", admin), 409)


def test_the_command_sets_shows_and_tests(
    people: People, server: ChatServer, tmp_path: Path
) -> None:
    forget_settings()
    (tmp_path / "key").write_text(f"{KEY}\n")
    said = run(
        *("set", "--provider", "openai", "--base-url", server.url),
        *("--model", "gpt-4.1", "--key-file", str(tmp_path / "key")),
    )
    assert KEY not in said
    assert f"ends in …{KEY[-4:]}" in said
    run("set", "--ask-model", "gpt-5")
    assert (model_name(), model_endpoint().key) == ("gpt-4.1", KEY)
    shown = json.loads(run("show", "--json"))
    assert shown["choice"]["ask_model"] == "gpt-5"
    assert "secret" not in shown["choice"]
    assert "gpt-4.1 responded in" in run("test")


def test_the_command_reads_the_key_from_stdin(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_settings()
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{KEY}\n"))
    run("set", "--provider", "openai", "--key-stdin")
    assert model_endpoint().key == KEY
    run("set", "--remove-key")
    assert model_endpoint().key == ""
    with pytest.raises(InvalidInput, match="Nothing to set"):
        run("set")
